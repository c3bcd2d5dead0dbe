import Testing

@testable import Scheduling

struct WaitGroupTests {
  private let group = WaitGroup(label: "group")

  @Test func anEmptyGroupIsNotWaitedFor() {
    group.wait()
    group.enter()
    group.leave()
    group.wait()
  }

  @Test func waitingEndsWithTheLastMember() {
    let pool = WorkPool(label: "pool", width: 3)
    let queue = SerialQueue(label: "queue")
    let finished = Locked(0)
    for _ in 0..<200 {
      group.run("on the pool", on: pool) { finished.withLock { $0 += 1 } }
      group.run("on the queue", on: queue) { finished.withLock { $0 += 1 } }
    }
    group.wait()
    #expect(finished.withLock { $0 } == 400)
  }

  // this thread                   other
  // enter
  //                               waits
  // leave
  //                               continues
  @Test func enterAndLeaveCountAsAMember() {
    let isLeft = Locked(false)
    group.enter()
    let other = TestThread { [group] in
      group.wait()
      #expect(isLeft.withLock { $0 })
    }
    other.untilWaiting()
    isLeft.withLock { $0 = true }
    group.leave()
    other.join()
  }

  @Test func aMemberHoldsItsQueue() {
    let queue = SerialQueue(label: "queue")
    group.run("member", on: queue) { #expect(queue.isHeld) }
    group.wait()
  }

  // this thread                   queue
  // enter
  // notify
  // (nothing comes)
  // leave
  //                               the block, after the member
  @Test func theNotificationComesOnItsQueueAfterTheLastMember() {
    let queue = SerialQueue(label: "queue")
    let isLeft = Locked(false)
    let isNotified = Latch(label: "notified")
    group.enter()
    group.notify(on: queue) {
      #expect(queue.isHeld)
      #expect(isLeft.withLock { $0 })
      isNotified.open()
    }
    queue.drain()
    #expect(!isNotified.wait(atMost: 0))
    isLeft.withLock { $0 = true }
    group.leave()
    isNotified.pass()
  }

  @Test func aGroupIsUsedAgain() {
    let pool = WorkPool(label: "pool", width: 2)
    let finished = Locked(0)
    for round in 1...50 {
      for _ in 0..<4 { group.run("job", on: pool) { finished.withLock { $0 += 1 } } }
      group.wait()
      #expect(finished.withLock { $0 } == round * 4)
    }
  }
}
