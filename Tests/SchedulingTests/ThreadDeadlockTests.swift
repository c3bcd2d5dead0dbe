import Foundation
import Testing

@testable import Scheduling

// Deadlocks that a run-loop thread or an errand takes part in: each in a child process, which the handler ends.
struct ThreadDeadlockTests {
  /// Ends the child with success at the first cycle, if it has these participants, and with failure after the deadline.
  private static func expectCycle(_ participants: Set<String>) {
    alarm(UInt32(deadlineSeconds))
    WaitForGraph.setHandler { cycle in
      print(cycle.description)
      exit(Set(cycle.participants) == participants ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  // this thread                   writer
  // in A, waits for save
  //                               in save, waits for A
  @Test func aThreadThatWaitsForWhatItsCallerHolds() async {
    await #expect(processExitsWith: .success) {
      ThreadDeadlockTests.expectCycle(["A", "block \"save on writer\""])
      let a = SerialQueue(label: "A")
      let writer = RunLoopThread(label: "writer")
      try a.sync { try writer.run("save") { a.sync {} } }
    }
  }

  // first                         second
  // in a block, waits for second
  //                               in a block, waits for first: no thread is left to begin either block
  @Test func twoThreadsThatSendBlocksToEachOther() async {
    await #expect(processExitsWith: .success) {
      ThreadDeadlockTests.expectCycle(["block \"b on second\"", "block \"a on first\""])
      let first = RunLoopThread(label: "first")
      let second = RunLoopThread(label: "second")
      let areBothInside = WaitGroup(label: "both inside")
      areBothInside.enter()
      areBothInside.enter()
      first.async {
        areBothInside.leave()
        areBothInside.wait()
        try? second.run("b") {}
      }
      try second.run("outer") {
        areBothInside.leave()
        areBothInside.wait()
        try first.run("a") {}
      }
    }
  }

  // writer                        pool
  // in a block, waits for the group
  //                               in import, waits for a block that writer never begins
  @Test func aThreadThatWaitsForAGroupThatSendsItABlock() async {
    await #expect(processExitsWith: .success) {
      ThreadDeadlockTests.expectCycle(["group \"imports\"", "block \"save on writer\""])
      let writer = RunLoopThread(label: "writer")
      let pool = WorkPool(label: "pool", width: 1)
      try writer.run("outer") {
        let group = WaitGroup(label: "imports")
        group.run("import", on: pool) { try? writer.run("save") {} }
        group.wait()
      }
    }
  }

  // this thread                   queue's thread
  // in A, waits for the errand
  //                               in the errand, waits for A
  @Test func anErrandThatWaitsForWhatItsSenderHolds() async {
    await #expect(processExitsWith: .success) {
      ThreadDeadlockTests.expectCycle(["A", "block \"task\""])
      let a = SerialQueue(label: "A")
      let queue = SerialQueue(label: "queue")
      try a.sync { try BlockingHop.run("task", sentBy: queue.async) { a.sync {} } }
    }
  }
}
