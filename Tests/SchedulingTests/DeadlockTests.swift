import Foundation
import Testing

@testable import Scheduling

// Deadlocks that nothing can end: each in a child process, which the handler ends.
struct DeadlockTests {
  /// Ends the child with success at the first cycle, if it has these participants, and with failure after the deadline.
  private static func expectCycle(_ participants: Set<String>) {
    alarm(UInt32(deadlineSeconds))
    WaitForGraph.setHandler { cycle in
      print(cycle.description)
      exit(Set(cycle.participants) == participants ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  /// The calling thread waits for ever.
  private static func waitForTheHandler() -> Never {
    Latch(label: "the handler ends the process").wait()
    exit(EXIT_FAILURE)
  }

  // first                         second
  // in A                          in B
  // waits for B                   waits for A
  @Test func twoThreadsThatHoldWhatTheOtherNeeds() async {
    await #expect(processExitsWith: .success) {
      DeadlockTests.expectCycle(["A", "B"])
      let a = SerialQueue(label: "A")
      let b = SerialQueue(label: "B")
      let isAHeld = Latch(label: "A is held")
      let isBHeld = Latch(label: "B is held")
      _ = TestThread {
        a.sync {
          isAHeld.open()
          isBHeld.wait()
          b.sync {}
        }
      }
      _ = TestThread {
        b.sync {
          isBHeld.open()
          isAHeld.wait()
          a.sync {}
        }
      }
      DeadlockTests.waitForTheHandler()
    }
  }

  // main                          pool
  // in "main"
  //                               waits for "main"
  // waits for the job
  @Test func aGroupWhoseMemberWaitsForTheWaiter() async {
    await #expect(processExitsWith: .success) {
      DeadlockTests.expectCycle(["in place of main", "group \"imports\""])
      let main = SerialQueue(label: "in place of main")
      let group = WaitGroup(label: "imports")
      let pool = WorkPool(label: "pool", width: 4)
      main.sync {
        group.run("import", on: pool) { main.sync {} }
        group.wait()
      }
    }
  }

  // this thread
  // in A, waits for a group with a member queued on A
  @Test func aGroupWhoseMemberIsQueuedOnAQueueOfTheWaiter() async {
    await #expect(processExitsWith: .success) {
      DeadlockTests.expectCycle(["group \"group\""])
      let a = SerialQueue(label: "A")
      let group = WaitGroup(label: "group")
      a.sync {
        group.run("member", on: a) {}
        group.wait()
      }
    }
  }

  // waiter                        other
  // in A, waits for the group
  //                               adds a member on A: it will never run
  @Test func aMemberAddedLateThatOnlyTheWaiterCouldLetRun() async {
    await #expect(processExitsWith: .success) {
      DeadlockTests.expectCycle(["group \"group\""])
      let a = SerialQueue(label: "A")
      let group = WaitGroup(label: "group")
      let isInside = Latch(label: "inside")
      group.enter()
      let waiter = TestThread {
        a.sync {
          isInside.open()
          group.wait()
        }
      }
      isInside.wait()
      waiter.untilWaiting()
      group.run("late", on: a) {}
      group.leave()
      DeadlockTests.waitForTheHandler()
    }
  }

  // job 1                         job 2
  // waits for a queued job
  //                               waits for a queued job: now no thread is left for either
  @Test func aFullPoolWhoseThreadsAllWaitForQueuedJobs() async {
    await #expect(processExitsWith: .success) {
      DeadlockTests.expectCycle(["group \"inner 1\"", "group \"inner 2\""])
      let pool = WorkPool(label: "pool", width: 2)
      let areBothInside = WaitGroup(label: "both inside")
      areBothInside.enter()
      areBothInside.enter()
      for number in 1...2 {
        pool.submit("outer \(number)") {
          areBothInside.leave()
          areBothInside.wait()
          let inner = WaitGroup(label: "inner \(number)")
          inner.run("inner", on: pool) {}
          inner.wait()
        }
      }
      DeadlockTests.waitForTheHandler()
    }
  }

  @Test func aJobThatWaitsForAllJobsOfItsPool() async {
    await #expect(processExitsWith: .success) {
      DeadlockTests.expectCycle(["group \"pool\""])
      let pool = WorkPool(label: "pool", width: 4)
      pool.submit("job") { pool.waitUntilAllFinished() }
      DeadlockTests.waitForTheHandler()
    }
  }

  // three threads                 each holds one queue and waits for the next one's
  @Test func aRingOfThree() async {
    await #expect(processExitsWith: .success) {
      DeadlockTests.expectCycle(["queue 0", "queue 1", "queue 2"])
      let queues = (0..<3).map { SerialQueue(label: "queue \($0)") }
      let areAllInside = WaitGroup(label: "all inside")
      for _ in 0..<3 { areAllInside.enter() }
      for number in 0..<3 {
        _ = TestThread {
          queues[number].sync {
            areAllInside.leave()
            areAllInside.wait()
            queues[(number + 1) % 3].sync {}
          }
        }
      }
      DeadlockTests.waitForTheHandler()
    }
  }
}
