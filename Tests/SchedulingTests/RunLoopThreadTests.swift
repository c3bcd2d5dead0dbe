import Testing

@testable import Scheduling

struct RunLoopThreadTests {
  private struct Refused: Error {}

  @Test func blocksRunOnTheOneThreadInTheOrderTheyCame() throws {
    let thread = RunLoopThread(label: "thread")
    let order = Locked<[Int]>([])
    for number in 0..<500 {
      thread.async {
        order.withLock { $0.append(thread.isCurrent ? number : -1) }
      }
    }
    #expect(try thread.run("last") { order.withLock { $0 } } == Array(0..<500))
    #expect(!thread.isCurrent)
  }

  @Test func aBlockThatIsWaitedForMayRefuse() {
    let thread = RunLoopThread(label: "thread")
    #expect(throws: Refused.self) { try thread.run("refuse") { throw Refused() } }
  }

  // this thread                   thread
  // waits for outer
  //                               in outer, runs inner at once
  @Test func aBlockSentFromTheThreadItselfRunsInline() throws {
    let thread = RunLoopThread(label: "thread")
    #expect(try thread.run("outer") { try thread.run("inner") { thread.isCurrent } })
  }

  // this thread                   thread
  // sends a block, releases it
  //                               runs it, ends
  @Test func aThreadLetGoStillRunsItsBlocks() {
    let isDone = Latch(label: "done")
    RunLoopThread(label: "thread").async { isDone.open() }
    isDone.pass()
  }

  @Test func aThreadLetGoEndsWithWhatItHeld() {
    let isGone = Latch(label: "the thread's value is gone")
    final class Value: Sendable {
      let gate: Latch
      init(_ gate: Latch) { self.gate = gate }
      deinit { gate.open() }
    }
    let values = ThreadValue<Value>()
    do {
      let thread = RunLoopThread(label: "thread")
      thread.async { _ = values.value { Value(isGone) } }
    }
    isGone.pass()
  }

  @Test func whatABlockHeldIsGoneWhenItsWaitIsOver() throws {
    final class Held {}
    let thread = RunLoopThread(label: "thread")
    weak var held: Held?
    do {
      let strong = Held()
      held = strong
      try thread.run("hold") { withExtendedLifetime(strong) {} }
    }
    #expect(held == nil)
  }

  @Test func threadsHaveValuesOfTheirOwn() throws {
    final class Value {}
    let values = ThreadValue<Value>()
    let threads = [RunLoopThread(label: "a"), RunLoopThread(label: "b")]
    func identities() throws -> [ObjectIdentifier] {
      try threads.map { thread in try thread.run("look") { ObjectIdentifier(values.value { Value() }) } }
    }
    let first = try identities()
    #expect(first[0] != first[1])
    #expect(try identities() == first)
    #expect(try threads[0].run("other") { ObjectIdentifier(ThreadValue<Value>().value { Value() }) } != first[0])
  }
}
