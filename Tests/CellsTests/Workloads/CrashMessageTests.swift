import Testing

@testable import Cells

struct CrashMessageTests {
  @Test func aMessageIsReadAsItWasSent() {
    for kind in [CrashMessage.Kind.found, .begun, .acknowledged] {
      let message = CrashMessage(kind, client: 3, save: 1 << 40)
      #expect(message.bytes.count == CrashMessage.size)
      #expect(CrashMessage(message.bytes[...]) == message)
      #expect(CrashMessage(message.bytes.dropLast()) == nil)
    }
    #expect(CrashMessage([UInt8](repeating: 0, count: CrashMessage.size)[...]) == nil)
  }
}
