import Testing

@testable import Scheduling

struct ErrandTests {
  private struct Refused: Error {}

  @Test func theValueComesBackFromTheOtherThread() throws {
    let queue = SerialQueue(label: "queue")
    #expect(try Errand.run("look", sentBy: queue.async) { queue.isHeld })
    #expect(!queue.isHeld)
  }

  @Test func anErrorComesBackFromTheOtherThread() {
    let queue = SerialQueue(label: "queue")
    #expect(throws: Refused.self) { try Errand.run("refuse", sentBy: queue.async) { throw Refused() } }
  }

  @Test func aBlockMayBeRunAtOnce() throws {
    #expect(try Errand.run("count", sentBy: { $0() }) { 1 + 1 } == 2)
  }
}
