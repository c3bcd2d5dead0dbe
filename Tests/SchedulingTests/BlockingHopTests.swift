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

  @Test func aTasksErrorComesBack() {
    #expect(throws: Refused.self) {
      try BlockingHop.run("refuse") { (unit: AwaitedUnit<Int>) in
        try unit.run(1)
      } body: { _ in
        throw Refused()
      }
    }
  }

  @Test func theUnitOfATaskThatDoesNotRunItIsLetGo() {
    #expect(throws: Refused.self) {
      try BlockingHop.run("leave out") { (_: AwaitedUnit<Int>) in
        throw Refused()
      } body: { _ in
      }
    }
  }

  @Test func aTaskMayRunTheUnitInAnotherOneThatItAwaits() throws {
    let queue = SerialQueue(label: "queue")
    var seen = 0
    try BlockingHop.run("look") { (unit: AwaitedUnit<Int>) in
      async let part: Void = withCheckedThrowingContinuation { continuation in
        queue.async { continuation.resume(with: Result { try unit.run(3) }) }
      }
      try await part
    } body: {
      seen = queue.isHeld ? $0 : 0
    }
    #expect(seen == 3)
  }

  @Test func aBlockMayBeRunAtOnce() throws {
    #expect(try BlockingHop.run("count", sentBy: { $0() }) { 1 + 1 } == 2)
  }
}
