import Foundation
import Testing

@testable import Scheduling

struct SerialQueueTests {
  private let a = SerialQueue(label: "A")
  private let b = SerialQueue(label: "B")

  @Test func syncOnAHeldQueueRunsInline() {
    let thread = ThreadRecord.current
    var trace: [String] = []
    a.sync {
      trace.append("A")
      b.sync {
        trace.append("B")
        #expect(a.isHeld)
        a.sync {
          trace.append("A again")
          #expect(ThreadRecord.current === thread)
          b.sync { trace.append("B again") }
        }
      }
      #expect(a.isHeld)
      #expect(!b.isHeld)
    }
    #expect(!a.isHeld)
    #expect(trace == ["A", "B", "A again", "B again"])
  }

  @Test func anInlineSyncKeepsTheQueueHeldAfterwards() {
    a.sync {
      a.sync {}
      #expect(a.isHeld)
      let other = TestThread { [a] in #expect(!a.isHeld) }
      other.join()
    }
  }

  @Test func syncRunsOnTheCallersThreadAndReturnsItsValue() {
    let thread = ThreadRecord.current
    #expect(a.sync { ThreadRecord.current === thread })
    #expect(a.sync { 42 } == 42)
  }

  @Test func anErrorLeavesTheQueueFree() {
    struct Failure: Error {}
    #expect(throws: Failure.self) { try a.sync { try b.sync { throw Failure() } } }
    #expect(!a.isHeld)
    #expect(!b.isHeld)
    TestThread { [a, b] in a.sync { b.sync {} } }.join()
  }

  // block on A                    this thread
  // entered
  //                               is not the holder
  // leaves
  @Test func aDequeuedBlockHoldsItsQueueAndAnotherThreadDoesNot() {
    let entered = Latch(label: "entered")
    let leave = Latch(label: "leave")
    a.async { [a] in
      #expect(a.isHeld)
      a.sync { #expect(a.isHeld) }
      entered.open()
      leave.pass()
    }
    entered.pass()
    #expect(!a.isHeld)
    leave.open()
    a.drain()
  }

  // first                         second
  // in A
  //                               waits for A
  // A's work is done
  // leaves A
  //                               in A
  @Test func oneThreadAtATimeIsInside() {
    let inside = Latch(label: "inside")
    let leave = Latch(label: "leave")
    let isDone = Locked(false)
    let first = TestThread { [a] in
      a.sync {
        inside.open()
        leave.pass()
        isDone.withLock { $0 = true }
      }
    }
    inside.pass()
    let second = TestThread { [a] in a.sync { #expect(isDone.withLock { $0 }) } }
    second.untilWaiting()
    leave.open()
    first.join()
    second.join()
  }

  @Test func blocksRunInTheOrderTheyCameAndBeforeALaterSync() {
    let order = Locked<[Int]>([])
    for number in 0..<1_000 { a.async { order.withLock { $0.append(number) } } }
    a.sync { order.withLock { $0.append(1_000) } }
    #expect(order.withLock { $0 } == Array(0...1_000))
  }

  // holder        A's line
  // in A
  //               block, thread, two blocks, thread, block: in this order
  // leaves A
  @Test func blocksAndThreadsInLineGetTheirTurnsInTheOrderTheyCame() {
    let order = Locked<[Int]>([])
    var waiting: [TestThread] = []
    a.sync { [a] in
      for number in 0..<6 {
        if number == 1 || number == 4 {
          let thread = TestThread { a.sync { order.withLock { $0.append(number) } } }
          thread.untilWaiting()
          waiting.append(thread)
        } else {
          a.async { order.withLock { $0.append(number) } }
        }
      }
      #expect(order.withLock { $0 }.isEmpty)
    }
    waiting.forEach { $0.join() }
    a.drain()
    #expect(order.withLock { $0 } == Array(0..<6))
  }

  // The lock is not recursive: a thread that asked for it again would wait for ever.
  @Test func aFreeQueueIsEnteredAndLeftWithoutTheGraphsLock() async {
    await #expect(processExitsWith: .success) {
      alarm(UInt32(deadlineSeconds))
      let (a, b) = (SerialQueue(label: "A"), SerialQueue(label: "B"))
      a.sync {}
      WaitForGraph.update { a.sync { b.sync { a.sync {} } } }
    }
  }

  @Test func entriesOfFreeQueuesCountAsWaits() {
    let before = WaitForGraph.announcedWaits
    for _ in 0..<10 { a.sync { a.sync {} } }
    #expect(WaitForGraph.announcedWaits >= before + 10)
  }

  @Test func aBlockEnqueuedByItsOwnQueueRunsLater() {
    let order = Locked<[String]>([])
    a.sync {
      a.async { order.withLock { $0.append("enqueued") } }
      order.withLock { $0.append("inline") }
    }
    a.drain()
    #expect(order.withLock { $0 } == ["inline", "enqueued"])
  }

  @Test func contendersLoseNoUpdate() {
    // Guarded by the queue alone, so that ThreadSanitizer sees it if the queue lets two in.
    final class Counter: @unchecked Sendable { var value = 0 }
    let counter = Counter()
    let threads = (0..<4).map { _ in
      TestThread { [a] in
        for turn in 0..<500 {
          if turn.isMultiple(of: 2) { a.sync { counter.value += 1 } } else { a.async { counter.value += 1 } }
        }
      }
    }
    threads.forEach { $0.join() }
    #expect(a.sync { counter.value } == 2_000)
  }

  @Test func aQueueIsRenamed() {
    #expect(a.name == "A")
    a.rename("import")
    #expect(a.name == "import")
  }

  @Test func aThreadKnowsTheQueueItIsDirectlyInside() {
    struct Failure: Error {}
    let asked = ThreadRecord.countedUses
    #expect(!ThreadRecord.isInside(a.address))
    a.sync {
      #expect(ThreadRecord.isInside(a.address))
      b.sync {
        #expect(ThreadRecord.isInside(b.address))
        a.sync { #expect(!ThreadRecord.isInside(a.address), "inline: held, but not entered again") }
      }
      #expect(throws: Failure.self) { try b.sync { throw Failure() } }
      #expect(ThreadRecord.isInside(a.address))
      TestThread { [a] in #expect(!ThreadRecord.isInside(a.address)) }.join()
    }
    #expect(!ThreadRecord.isInside(a.address))
    #expect(ThreadRecord.countedUses >= asked + 6)
  }

  // MARK: Confinement

  @Test func aConfinementIsHeldByItsThreadAlone() {
    let confinement = SerialQueue.confinedToCurrentThread(label: "confined")
    #expect(confinement.isHeld)
    #expect(!confinement.acceptsBlocks)
    #expect(confinement.sync { confinement.isHeld })
    a.sync { #expect(confinement.isHeld) }
    TestThread { #expect(!confinement.isHeld) }.join()
  }

  @Test func aThreadThatGetsADeadThreadsRecordDoesNotHoldItsConfinement() throws {
    try withRecycledRecord {
      SerialQueue.confinedToCurrentThread(label: "left behind")
    } then: { confinement in
      #expect(!confinement.isHeld)
    }
  }

  // MARK: Main

  @Test @MainActor func mainActorCodeHoldsTheMainQueue() {
    #expect(SerialQueue.main.isHeld)
    #expect(SerialQueue.main.sync { 42 } == 42)
    #expect(!a.isHeld)
  }

  @Test func aMainQueueBlockHoldsTheMainQueueAlsoInsideAnother() {
    let isDone = Latch(label: "done")
    SerialQueue.main.async { [a] in
      #expect(SerialQueue.main.isHeld)
      a.sync {
        #expect(SerialQueue.main.isHeld)
        SerialQueue.main.sync { #expect(a.isHeld) }
      }
      isDone.open()
    }
    isDone.pass()
  }

  @Test func aThreadOutsideTheMainQueueWaitsForItsTurn() {
    TestThread {
      #expect(!SerialQueue.main.isHeld)
      #expect(SerialQueue.main.sync { SerialQueue.main.isHeld })
      #expect(!SerialQueue.main.isHeld)
    }.join()
  }
}
