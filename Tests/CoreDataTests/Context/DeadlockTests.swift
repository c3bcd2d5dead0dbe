import CoreData
import Scheduling
import Testing

/// The process has one handler for cycles, and nobody else's tests in this target close one.
@Suite(.serialized) struct DeadlockTests {
  private static let patienceSeconds = 20.0

  /// Runs `body`, which closes a cycle through `context`, until the cycle is reported.
  ///
  /// The handler ends the cycle for the test by never coming back; the threads in it stay where they are until the
  /// process ends, as those of a real deadlock would.
  private func cycle(_ body: () -> Void) -> WaitForGraph.Cycle? {
    let found = Locked<WaitForGraph.Cycle?>(nil)
    let (reported, never) = (Gate(label: "reported"), Gate(label: "never"))
    WaitForGraph.setHandler { cycle in
      found.withLock { $0 = cycle }
      reported.open()
      never.wait()
    }
    defer { WaitForGraph.setHandler(nil) }
    body()
    #expect(reported.wait(atMost: Self.patienceSeconds))
    return found.withLock { $0 }
  }

  // S1.7
  @Test func twoContextsThatWaitForEachOtherAreReported() throws {
    let stack = try TestStack()
    let (first, second) = (stack.context("first of the cycle"), stack.context("second of the cycle"))
    let (inFirst, inSecond) = (Gate(label: "in first"), Gate(label: "in second"))
    let cycle = cycle {
      first.perform {
        inFirst.open()
        guard inSecond.wait(atMost: Self.patienceSeconds) else { return }
        second.performAndWait {}
      }
      second.perform {
        inSecond.open()
        guard inFirst.wait(atMost: Self.patienceSeconds) else { return }
        first.performAndWait {}
      }
    }
    #expect(cycle.map { Set($0.participants) } == ["first of the cycle", "second of the cycle"])
    #expect(cycle?.links.count == 2)
  }

  // S1.7: a child's fetch waits for its parent without a word of it in the code.
  @Test func aChildsFetchTakesPartInTheCycle() throws {
    let stack = try TestStack()
    let parent = stack.context("parent of the cycle")
    let child = stack.child(of: parent, "child of the cycle")
    let (inParent, inChild) = (Gate(label: "in parent"), Gate(label: "in child"))
    let cycle = cycle {
      parent.perform {
        inParent.open()
        guard inChild.wait(atMost: Self.patienceSeconds) else { return }
        child.performAndWait {}
      }
      child.perform {
        inChild.open()
        guard inParent.wait(atMost: Self.patienceSeconds) else { return }
        _ = try? child.notes()
      }
    }
    #expect(cycle.map { Set($0.participants) } == ["parent of the cycle", "child of the cycle"])
  }

  // S1.7, S1.3: A → B → A on one thread is no cycle.
  @Test func nestedBlocksOfOneThreadAreNotReported() throws {
    let stack = try TestStack()
    let (first, second) = (stack.context("A of no cycle"), stack.context("B of no cycle"))
    let found = Locked(0)
    WaitForGraph.setHandler { _ in found.withLock { $0 += 1 } }
    defer { WaitForGraph.setHandler(nil) }
    let pool = WorkPool(label: "waits without a cycle", width: 4)
    for _ in 0..<200 {
      pool.submit("nest") { first.performAndWait { second.performAndWait { first.performAndWait {} } } }
    }
    pool.waitUntilAllFinished()
    #expect(found.withLock { $0 } == 0)
  }

  // S4.1: making a child asks nothing of the parent's queue.
  @Test func aParentIsSetWithoutWaitingForItsQueue() throws {
    let stack = try TestStack()
    let parent = stack.context("busy parent")
    let (busy, mayEnd, isSet) = (Gate(label: "busy"), Gate(label: "may end"), Gate(label: "parent is set"))
    parent.perform {
      busy.open()
      #expect(mayEnd.wait(atMost: Self.patienceSeconds))
    }
    #expect(busy.wait(atMost: Self.patienceSeconds))
    let pool = WorkPool(label: "maker", width: 1)
    pool.submit("make a child") {
      _ = stack.child(of: parent)
      isSet.open()
    }
    #expect(isSet.wait(atMost: 2))
    mayEnd.open()
    pool.waitUntilAllFinished()
  }
}
