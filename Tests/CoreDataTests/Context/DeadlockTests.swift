import CoreData
import Scheduling
import Testing

// Deadlocks that nothing can end: each in a child process, which the handler ends.
@Suite struct DeadlockTests {
  private static let patienceSeconds = 20.0

  /// Ends the child with success at the first cycle, if it has these participants, and with failure after the deadline.
  private static func expectCycle(_ participants: Set<String>) {
    alarm(UInt32(patienceSeconds))
    WaitForGraph.setHandler { cycle in
      print(cycle.description)
      let areThreadsNamed = cycle.links.allSatisfy { $0.hasPrefix("thread ") || $0.hasPrefix("main thread ") }
      let isRight = Set(cycle.participants) == participants && cycle.links.count == participants.count
      exit(isRight && areThreadsNamed ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  private static func waitForTheHandler() -> Never {
    Latch(label: "the handler ends the process").wait()
    exit(EXIT_FAILURE)
  }

  /// Two blocks that begin together: each continues when the other has begun.
  private static func together(
    _ first: NSManagedObjectContext, _ firstBody: @escaping @Sendable () -> Void, _ second: NSManagedObjectContext,
    _ secondBody: @escaping @Sendable () -> Void
  ) -> Never {
    let (inFirst, inSecond) = (Latch(label: "in first"), Latch(label: "in second"))
    first.perform {
      inFirst.open()
      inSecond.wait()
      firstBody()
    }
    second.perform {
      inSecond.open()
      inFirst.wait()
      secondBody()
    }
    waitForTheHandler()
  }

  // S1.7
  // first                         second
  // waits for second              waits for first
  @Test func twoContextsThatWaitForEachOtherAreReported() async {
    await #expect(processExitsWith: .success) {
      DeadlockTests.expectCycle(["first", "second"])
      let stack = try TestStack()
      let (first, second) = (stack.context("first"), stack.context("second"))
      DeadlockTests.together(first, { second.performAndWait {} }, second, { first.performAndWait {} })
    }
  }

  // S1.7: a child waits for its parent without a word of it in the code.
  // parent                        child
  // waits for child               fetches
  @Test func aChildsFetchTakesPartInTheCycle() async {
    await #expect(processExitsWith: .success) {
      DeadlockTests.expectCycle(["parent", "child"])
      let parent = try TestStack().context("parent")
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.name = "child"
      child.parent = parent
      DeadlockTests.together(parent, { child.performAndWait {} }, child, { _ = try? child.notes() })
    }
  }

  // S1.7
  // parent                        child
  // waits for child               fires a fault
  @Test func aChildsFaultTakesPartInTheCycle() async {
    await #expect(processExitsWith: .success) {
      DeadlockTests.expectCycle(["parent", "child"])
      let stack = try TestStack()
      let id = try stack.seed(1...1)[0]
      let parent = stack.context("parent")
      let child = stack.child(of: parent)
      DeadlockTests.together(
        parent, { child.performAndWait {} }, child, { _ = (child.object(with: id) as? Note)?.title })
    }
  }

  // S1.7
  // parent                        child
  // waits for child               saves
  @Test func aChildsSaveTakesPartInTheCycle() async {
    await #expect(processExitsWith: .success) {
      DeadlockTests.expectCycle(["parent", "child"])
      let stack = try TestStack()
      let parent = stack.context("parent")
      let child = stack.child(of: parent)
      child.performAndWait { _ = child.insertNote(1) }
      DeadlockTests.together(parent, { child.performAndWait {} }, child, { try? child.save() })
    }
  }

  // S1.7: the coordinator lets one context write at a time.
  // first                         second
  // saves
  // writes, waits for second      saves: waits for the coordinator
  @Test func theCoordinatorTakesPartInTheCycle() async {
    await #expect(processExitsWith: .success) {
      DeadlockTests.expectCycle(["second", "coordinator"])
      let stack = try TestStack()
      let (first, second) = (stack.context("first"), stack.context("second"))
      let isWriting = Latch(label: "first writes")
      let isSecondInside = Latch(label: "second is inside")
      second.perform {
        second.insertNote(2)
        isSecondInside.open()
        isWriting.wait()
        try? second.save()
      }
      Checkpoint.watching { place, subject in
        guard place.name == "save.beforeCommit", subject == "first" else { return }
        isSecondInside.wait()
        isWriting.open()
        second.performAndWait {}
      } _: {
        first.performAndWait {
          first.insertNote(1)
          try? first.save()
        }
      }
      exit(EXIT_FAILURE)
    }
  }

  // S1.7, S1.3: A → B → A on one thread is no cycle.
  @Test func nestedBlocksOfOneThreadAreNotReported() async {
    await #expect(processExitsWith: .success) {
      WaitForGraph.setHandler { _ in exit(EXIT_FAILURE) }
      let stack = try TestStack()
      let (first, second) = (stack.context("A"), stack.context("B"))
      let pool = WorkPool(label: "waits without a cycle", width: 4)
      for _ in 0..<200 {
        pool.submit("nest") { first.performAndWait { second.performAndWait { first.performAndWait {} } } }
      }
      pool.waitUntilAllFinished()
    }
  }

  // S4.1: making a child asks nothing of the parent's queue.
  @Test func aParentIsSetWithoutWaitingForItsQueue() throws {
    let stack = try TestStack()
    let parent = stack.context("busy parent")
    let (busy, mayEnd, isSet) = (Latch(label: "busy"), Latch(label: "may end"), Latch(label: "parent is set"))
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
    #expect(isSet.wait(atMost: Self.patienceSeconds))
    mayEnd.open()
    pool.waitUntilAllFinished()
  }
}
