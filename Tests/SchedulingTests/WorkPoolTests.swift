import Testing

@testable import Scheduling

struct WorkPoolTests {
  // job 1 … width                 this thread
  // all inside together
  //                               sees that no further one began
  // leave
  @Test(arguments: [1, 2, 5])
  func asManyJobsRunTogetherAsThePoolIsWide(width: Int) {
    let pool = WorkPool(label: "pool", width: width)
    let leave = Latch(label: "leave")
    let allInside = Latch(label: "all inside")
    let inside = Locked(0)
    for _ in 0..<width * 3 {
      pool.submit("job") {
        let count = inside.withLock { inside in
          inside += 1
          return inside
        }
        #expect(count <= width)
        if count == width { allInside.open() }
        leave.pass()
        inside.withLock { $0 -= 1 }
      }
    }
    allInside.pass()
    #expect(inside.withLock { $0 } == width)
    leave.open()
    pool.waitUntilAllFinished()
    #expect(inside.withLock { $0 } == 0)
  }

  @Test func jobsStartInTheOrderTheyCame() {
    let pool = WorkPool(label: "pool", width: 1)
    let order = Locked<[Int]>([])
    for number in 0..<500 { pool.submit("job \(number)") { order.withLock { $0.append(number) } } }
    pool.waitUntilAllFinished()
    #expect(order.withLock { $0 } == Array(0..<500))
  }

  @Test func theNotificationComesOnItsQueueAfterAllJobs() {
    let pool = WorkPool(label: "pool", width: 2)
    let queue = SerialQueue(label: "queue")
    let finished = Locked(0)
    let isNotified = Latch(label: "notified")
    for _ in 0..<20 { pool.submit("job") { finished.withLock { $0 += 1 } } }
    pool.notifyWhenAllFinished(on: queue) {
      #expect(queue.isHeld)
      #expect(finished.withLock { $0 } == 20)
      isNotified.open()
    }
    isNotified.pass()
  }

  @Test func aJobSubmitsAnother() {
    let pool = WorkPool(label: "pool", width: 1)
    let isInnerDone = Locked(false)
    pool.submit("outer") { pool.submit("inner") { isInnerDone.withLock { $0 = true } } }
    pool.waitUntilAllFinished()
    #expect(isInnerDone.withLock { $0 })
  }

  @Test func aPoolLetGoStillRunsItsJobs() {
    let isDone = Latch(label: "done")
    WorkPool(label: "pool", width: 1).submit("job") { isDone.open() }
    isDone.pass()
  }

  // job 1                         job 2                         this thread
  // ends
  //                               still runs, another is queued
  //                                                             what job 1 held is gone
  @Test func anEndedJobKeepsNothingWhileOthersAreQueued() {
    final class Held: Sendable {}
    let pool = WorkPool(label: "pool", width: 1)
    let isSecondInside = Latch(label: "second inside")
    let leave = Latch(label: "leave")
    weak let held: Held?
    do {
      let strong = Held()
      held = strong
      pool.submit("first") { withExtendedLifetime(strong) {} }
    }
    pool.submit("second") {
      isSecondInside.open()
      leave.pass()
    }
    pool.submit("third") {}
    isSecondInside.pass()
    #expect(held == nil)
    leave.open()
    pool.waitUntilAllFinished()
  }

  // jobs 1 … width                this thread
  // all wait for the gate at once, though there are fewer processors
  //                               opens it
  @Test func waitingJobsDoNotKeepOthersFromStarting() {
    let width = 64
    let pool = WorkPool(label: "pool", width: width)
    let start = Latch(label: "start")
    let areAllInside = Latch(label: "all inside")
    let inside = Locked(0)
    for _ in 0..<width {
      pool.submit("job") {
        let count = inside.withLock { inside in
          inside += 1
          return inside
        }
        if count == width { areAllInside.open() }
        start.pass()
      }
    }
    areAllInside.pass()
    start.open()
    pool.waitUntilAllFinished()
  }
}
