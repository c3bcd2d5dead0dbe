import Testing

@testable import Scheduling

struct BlockingHopTests {
  private struct Refused: Error {}

  @Test func theValueComesBackFromTheOtherThread() throws {
    let queue = SerialQueue(label: "queue")
    #expect(try BlockingHop.run("look", sentBy: queue.async) { queue.isHeld })
    #expect(!queue.isHeld)
  }

  @Test func anErrorComesBackFromTheOtherThread() {
    let queue = SerialQueue(label: "queue")
    #expect(throws: Refused.self) { try BlockingHop.run("refuse", sentBy: queue.async) { throw Refused() } }
  }

  @Test func aBlockMayBeRunAtOnce() throws {
    #expect(try BlockingHop.run("count", sentBy: { $0() }) { 1 + 1 } == 2)
  }
}
