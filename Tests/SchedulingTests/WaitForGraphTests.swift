import Foundation
import Testing

@testable import Scheduling

// The handler is the process's, so that one test at a time may set it.
@Suite(.serialized) struct WaitForGraphTests {
  private let a = SerialQueue(label: "A")
  private let b = SerialQueue(label: "B")

  // first                         second
  // in A                          in B
  // waits for B
  //                               waits for the gate that first opens after B
  // whichever waits last closes the cycle; the handler opens the gate
  @Test func aCycleOfTwoThreadsIsReportedOnceWithBothNames() {
    for _ in 0..<100 {
      let isAHeld = Latch(label: "A is held")
      let isBHeld = Latch(label: "B is held")
      let exit = Latch(label: "exit")
      let cycles = recordingCycles { _ in
        exit.open()
      } _: {
        let first = TestThread { [a, b] in
          a.sync {
            exit.willBeOpenedByCurrentThread()
            isAHeld.open()
            isBHeld.pass()
            b.sync {}
            exit.open()
          }
        }
        let second = TestThread { [b] in
          b.sync {
            isAHeld.pass()
            isBHeld.open()
            exit.pass()
          }
        }
        first.join()
        second.join()
      }
      #expect(cycles.count == 1)
      #expect(cycles.first.map { Set($0.participants) } == ["B", "latch \"exit\""])
      #expect(cycles.first?.links.count == 2)
      for link in cycles.first?.links ?? [] { #expect(link.wholeMatch(of: /thread \d+ waits for .+/) != nil) }
    }
  }

  // first                         second                        third
  // in A, waits for B
  //                               in B, waits for first
  //                                                             waits for A: stuck too, but closes nothing
  @Test func whoJoinsADeadlockIsNotReported() {
    let isBHeld = Latch(label: "B is held")
    let isAHeld = Latch(label: "A is held")
    let exit = Latch(label: "exit")
    let fromA = Latch(label: "from A")
    let cycles = recordingCycles {
      let first = TestThread { [a, b] in
        a.sync {
          exit.willBeOpenedByCurrentThread()
          fromA.willBeOpenedByCurrentThread()
          isAHeld.open()
          isBHeld.pass()
          b.sync {}
        }
      }
      let second = TestThread { [b] in
        b.sync {
          isAHeld.pass()
          isBHeld.open()
          exit.pass()
        }
      }
      untilDeadlocked(exit)
      #expect(!fromA.wait(atMost: 0))
      exit.open()
      first.join()
      second.join()
    }
    #expect(cycles.count == 1)
  }

  /// Returns once no thread can end a wait for `target`.
  private func untilDeadlocked(_ target: any WaitTarget) {
    let end = Date(timeIntervalSinceNow: deadlineSeconds)
    while Date() < end {
      let isStuck = WaitForGraph.update {
        var walk = WaitForGraph.Walk()
        return target.isStuck(&walk)
      }
      if isStuck { return }
      sched_yield()
    }
    Issue.record("there is no deadlock")
  }

  @Test func aWaitThatWillEndIsNotReported() {
    let leave = Latch(label: "leave")
    let isAHeld = Latch(label: "A is held")
    let cycles = recordingCycles {
      let holder = TestThread { [a] in
        a.sync {
          isAHeld.open()
          leave.pass()
        }
      }
      isAHeld.pass()
      let waiter = TestThread { [a, b] in b.sync { a.sync {} } }
      waiter.untilWaiting()
      leave.open()
      holder.join()
      waiter.join()
    }
    #expect(cycles.isEmpty)
  }

  // The gate's opener ends without opening it; a later thread gets its record and waits for the gate.
  @Test func aThreadThatGetsADeadOpenersRecordIsNotTheOpener() throws {
    let cycles = try recordingCycles {
      try withRecycledRecord {
        let gate = Latch(label: "left behind")
        gate.willBeOpenedByCurrentThread()
        return gate
      } then: { gate in
        #expect(!gate.wait(atMost: 0))
      }
    }
    #expect(cycles.isEmpty)
  }

  // opener                        waiter
  // declares itself
  // waits for its own gate: no other thread will open it
  @Test func aThreadThatWaitsForItsOwnGateIsADeadlock() {
    let cycles = recordingCycles {
      let gate = Latch(label: "own")
      gate.willBeOpenedByCurrentThread()
      #expect(!gate.wait(atMost: 0))
    }
    #expect(cycles.map(\.participants) == [["latch \"own\""]])
  }

  // job                           other thread of the pool
  // waits for a job queued behind it
  //                               free: takes that job
  @Test func aJobThatWaitsForAQueuedJobIsNoDeadlockWhileAThreadIsFree() {
    let pool = WorkPool(label: "pool", width: 2)
    let inner = WaitGroup(label: "inner")
    let isBusy = Latch(label: "busy")
    let leave = Latch(label: "leave")
    let cycles = recordingCycles {
      pool.submit("busy") {
        isBusy.open()
        leave.pass()
      }
      isBusy.pass()
      let waiting = Latch(label: "waiting")
      pool.submit("outer") {
        inner.run("inner", on: pool) {}
        waiting.open()
        inner.wait()
      }
      waiting.pass()
      leave.open()
      pool.waitUntilAllFinished()
    }
    #expect(cycles.isEmpty)
  }

  // job                           other threads of the pool
  // waits for a job just submitted
  //                               none has taken it yet, but one will
  @Test func aJobThatWaitsForAQueuedJobIsNoDeadlockWhileThePoolIsNotFull() {
    let cycles = recordingCycles {
      for _ in 0..<300 {
        let pool = WorkPool(label: "pool", width: 2)
        pool.submit("outer") {
          let inner = WaitGroup(label: "inner")
          inner.run("inner", on: pool) {}
          inner.wait()
        }
        pool.waitUntilAllFinished()
      }
    }
    #expect(cycles.isEmpty)
  }

  // Queues are entered in ascending order, so that no cycle can close, with held ones entered again in between.
  @Test func legalNestingsRaiseNoFalseAlarm() {
    let queues = (0..<8).map { SerialQueue(label: "queue \($0)") }
    let pool = WorkPool(label: "pool", width: 4)
    let entered = Locked(0)

    @Sendable func nest(from first: Int, _ random: inout SeededRandom) {
      entered.withLock { $0 += 1 }
      if first > 0, Bool.random(using: &random) {
        let held = queues[0..<first].filter(\.isHeld).randomElement(using: &random)
        held?.sync { #expect(held?.isHeld == true) }
      }
      guard first < queues.count else { return }
      let next = Int.random(in: first...queues.count, using: &random)
      guard next < queues.count else { return }
      queues[next].sync { nest(from: next + 1, &random) }
    }

    let cycles = recordingCycles {
      for worker in 0..<4 as Range<UInt64> {
        pool.submit("worker \(worker)") {
          var random = SeededRandom(seed: 20_260_101).split(worker)
          for _ in 0..<2_500 { nest(from: 0, &random) }
        }
      }
      pool.waitUntilAllFinished()
    }
    #expect(cycles.isEmpty)
    #expect(entered.withLock { $0 } > 10_000)
  }

  @Test func aHandlerThatWaitsLeavesTheWaitAnnounced() {
    let gate = Latch(label: "own")
    let thread = ThreadRecord.current
    let reports = Locked(0)
    let cycles = recordingCycles { [a] _ in
      reports.withLock { $0 += 1 }
      a.sync {}
    } _: {
      gate.willBeOpenedByCurrentThread()
      WaitForGraph.beginWait(thread, for: gate)
      #expect(WaitForGraph.update { thread.waitsFor === gate })
      WaitForGraph.endWait(thread)
    }
    #expect(cycles.count == 1)
  }

  // first                         second
  // in A                          in B
  //                               waits for the gate that first opens
  // waits for B: a cycle
  // the handler opens the gate
  //                               leaves B: first has it, still in its handler
  // continues in B
  @Test func aTurnThatComesWhileItsCycleIsReportedIsNotLost() {
    let (isBHeld, exit, isBLeft) = (Latch(label: "B is held"), Latch(label: "exit"), Latch(label: "B is left"))
    let isInside = Locked(false)
    let cycles = recordingCycles { _ in
      exit.open()
      isBLeft.pass()
    } _: {
      let second = TestThread { [b] in
        b.sync {
          isBHeld.open()
          exit.pass()
        }
        isBLeft.open()
      }
      let first = TestThread { [a, b] in
        exit.willBeOpenedByCurrentThread()
        a.sync {
          isBHeld.pass()
          second.untilWaiting(for: exit)
          b.sync {
            isInside.withLock { $0 = WaitForGraph.update { ThreadRecord.current.waitsFor == nil } && b.isHeld }
          }
        }
      }
      first.join()
      second.join()
    }
    #expect(cycles.count == 1)
    #expect(isInside.withLock { $0 })
  }

  // waiter                        1                      2                     3
  //                               waits for waiter       waits, will continue  waits for waiter
  // waits for any of 1 and 2, and for 3: only 3 is in its way
  @Test func aCycleNamesOnlyWhoIsInTheWay() {
    let threads = (0..<4).map { _ in ThreadRecord(isMain: false) }
    let waits = [
      Model(name: "1 waits", threads: [threads[0]], needsAll: true),
      Model(name: "2 waits", threads: [ThreadRecord(isMain: false)], needsAll: true),
      Model(name: "3 waits", threads: [threads[0]], needsAll: true),
    ]
    let target = Pair(
      Model(name: "any", threads: Array(threads[1...2]), needsAll: false),
      Model(name: "all", threads: [threads[3]], needsAll: true))
    let cycles = recordingCycles {
      for (thread, wait) in zip(threads.dropFirst(), waits) { WaitForGraph.beginWait(thread, for: wait) }
      WaitForGraph.beginWait(threads[0], for: target)
    }
    #expect(cycles.map(\.participants) == [["pair", "3 waits"]])
  }

  /// A target that ends with both of two.
  private final class Pair: WaitTarget, Sendable {
    let waitName = "pair"
    let first: any WaitTarget
    let second: any WaitTarget

    init(_ first: any WaitTarget, _ second: any WaitTarget) {
      self.first = first
      self.second = second
    }

    func isStuck(_ walk: inout WaitForGraph.Walk) -> Bool { first.isStuck(&walk) || second.isStuck(&walk) }
  }

  // MARK: Against the definition

  /// A target that others end: all of them must, or any of them can.
  private final class Model: WaitTarget, Sendable {
    let waitName: String
    let threads: [ThreadRecord]
    let needsAll: Bool

    init(name: String, threads: [ThreadRecord], needsAll: Bool) {
      waitName = name
      self.threads = threads
      self.needsAll = needsAll
    }

    func isStuck(_ walk: inout WaitForGraph.Walk) -> Bool {
      if !needsAll { return walk.areAllStuck(threads) }
      for thread in threads where walk.isStuck(thread) { return true }
      return false
    }
  }

  /// Which threads can continue: the least set that holds every thread with a wait that the set ends.
  private func runnable(_ threads: [ThreadRecord]) -> [Bool] {
    var runnable = threads.map { $0.waitsFor == nil }
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for (index, thread) in threads.enumerated() where !runnable[index] {
        guard let model = thread.waitsFor as? Model else { continue }
        let others = model.threads.map { other in runnable[threads.firstIndex { $0 === other }!] }
        if model.needsAll ? others.allSatisfy({ $0 }) : others.contains(true) {
          runnable[index] = true
          isGrowing = true
        }
      }
    }
    return runnable
  }

  // Random graphs, wait by wait: a wait is reported exactly when it makes its thread stuck and its target was not.
  @Test func everyClosingWaitOfARandomGraphIsReportedAndNoOther() {
    var random = SeededRandom(seed: 2)
    var closed = 0
    for _ in 0..<3_000 {
      let threads = (0..<6).map { _ in ThreadRecord(isMain: false) }
      for (number, thread) in threads.enumerated() where Int.random(in: 0..<8, using: &random) > 0 {
        let others = threads.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        guard !others.isEmpty else { continue }
        let target = Model(name: "target \(number)", threads: others, needsAll: Bool.random(using: &random))
        let before = runnable(threads)
        let ends = others.map { other in before[threads.firstIndex { $0 === other }!] }
        let couldEnd = target.needsAll ? ends.allSatisfy { $0 } : ends.contains(true)
        let cycles = recordingCycles { WaitForGraph.beginWait(thread, for: target) }
        let isStuck = !runnable(threads)[number]
        #expect(cycles.count == (couldEnd && isStuck ? 1 : 0))
        if let cycle = cycles.first {
          closed += 1
          #expect(cycle.participants.first == target.waitName)
        }
      }
    }
    #expect(closed > 500)
  }
}
