import CoreData
import Scheduling
import Testing

@Suite struct QueueTests {
  private static let patienceSeconds = 20.0

  // S1.3
  @Test func performReturnsBeforeItsBlockRan() throws {
    let context = try TestStack().context()
    let (mayRun, ran) = (Latch(label: "may run"), Latch(label: "ran"))
    context.perform {
      #expect(mayRun.wait(atMost: Self.patienceSeconds))
      ran.open()
    }
    mayRun.open()
    #expect(ran.wait(atMost: Self.patienceSeconds))
  }

  // S1.3
  @Test func performRunsBlocksInTheOrderTheyCame() throws {
    let context = try TestStack().context()
    let order = Locked<[Int]>([])
    for number in 0..<100 { context.perform { order.withLock { $0.append(number) } } }
    context.performAndWait {}
    #expect(order.withLock { $0 } == Array(0..<100))
  }

  // S1.3
  @Test func performAndWaitRunsOnTheCallersThread() throws {
    let context = try TestStack().context()
    let caller = ThreadRecord.current
    #expect(context.performAndWait { ThreadRecord.current === caller })
  }

  private struct Refusal: Error {}

  // S1.3
  @Test func performAndWaitReturnsTheValueAndRethrows() throws {
    let context = try TestStack().context()
    #expect(context.performAndWait { 7 } == 7)
    #expect(throws: Refusal.self) { try context.performAndWait { throw Refusal() } }
    #expect(context.performAndWait { 8 } == 8, "a block that threw has left the queue")
  }

  // S1.3
  @Test func nestedPerformAndWaitRunsInlineToAnyDepth() throws {
    let context = try TestStack().context()
    func nest(_ depth: Int) -> Int { depth == 0 ? 0 : context.performAndWait { 1 + nest(depth - 1) } }
    #expect(nest(200) == 200)
  }

  // S1.3
  @Test func performAndWaitFromAThroughBToARunsInline() throws {
    let stack = try TestStack()
    let (first, second) = (stack.context("A"), stack.context("B"))
    let note = first.performAndWait { first.insertNote(1, title: "mine") }
    let violations = Hooks.violations(of: first) {
      first.performAndWait {
        second.performAndWait {
          // A is held by this thread: its objects may be touched in B's block.
          #expect(note.title == "mine")
          first.performAndWait { note.title = "changed" }
        }
      }
    }
    #expect(first.performAndWait { note.title } == "changed")
    #expect(violations.isEmpty)
  }

  // S1.3
  @Test func performInsideABlockRunsLater() throws {
    let context = try TestStack().context()
    let order = Locked<[String]>([])
    context.performAndWait {
      context.perform { order.withLock { $0.append("enqueued") } }
      order.withLock { $0.append("inline") }
    }
    context.performAndWait {}
    #expect(order.withLock { $0 } == ["inline", "enqueued"])
  }

  // S1.3
  @Test func asynchronousPerformGivesTheValueAndThrowsTheError() async throws {
    let context = try TestStack().context()
    let values = (await context.perform { 7 }, await context.perform(schedule: .enqueued) { 8 })
    #expect(values == (7, 8))
    await #expect(throws: Refusal.self) { try await context.perform { throw Refusal() } }
  }

  // S1.4
  @Test func performEndsWithProcessingChanges() throws {
    let context = try TestStack().context()
    let log = NotificationLog(context)
    context.perform { context.insertNote(1) }
    context.performAndWait {}
    #expect(log.takeText() == ["changed inserted=note 1"])
  }

  // S1.4
  @Test func asynchronousPerformEndsWithProcessingChanges() async throws {
    let context = try TestStack().context()
    let log = NotificationLog(context)
    await context.perform(schedule: .enqueued) { _ = context.insertNote(1) }
    context.performAndWait {}
    #expect(log.takeText() == ["changed inserted=note 1"])
  }

  // S1.4
  @Test func performAndWaitLeavesChangesUnprocessed() throws {
    let context = try TestStack().context()
    let log = NotificationLog(context)
    context.performAndWait { _ = context.insertNote(1) }
    #expect(log.take().isEmpty)
    context.perform {}
    context.performAndWait {}
    #expect(log.takeText() == ["changed inserted=note 1"])
  }

  // S1.4
  @Test func processingChangesByCallPostsThemOnce() throws {
    let context = try TestStack().context()
    let log = NotificationLog(context)
    context.performAndWait {
      context.insertNote(1)
      context.processPendingChanges()
      context.processPendingChanges()
    }
    #expect(log.takeText() == ["changed inserted=note 1"])
  }

  // S1.2
  @Test func twoContextsRunAtTheSameTime() throws {
    let stack = try TestStack()
    let (first, second) = (stack.context("A"), stack.context("B"))
    let (fromFirst, fromSecond) = (Latch(label: "A is in its block"), Latch(label: "B is in its block"))
    let done = WaitGroup(label: "both")
    done.enter()
    first.perform {
      fromFirst.open()
      #expect(fromSecond.wait(atMost: Self.patienceSeconds))
      done.leave()
    }
    done.enter()
    second.perform {
      fromSecond.open()
      #expect(fromFirst.wait(atMost: Self.patienceSeconds))
      done.leave()
    }
    done.wait()
  }

  // S1.2
  @Test func oneContextNeverRunsTwoBlocksAtATime() throws {
    let context = try TestStack().context()
    let pool = WorkPool(label: "callers", width: 4)
    // Sendable: only the context's blocks touch it, one at a time; ThreadSanitizer would see a second one.
    nonisolated(unsafe) var (inside, count) = (false, 0)
    for _ in 0..<400 {
      pool.submit("call") {
        context.performAndWait {
          #expect(!inside)
          inside = true
          count += 1
          inside = false
        }
      }
    }
    pool.waitUntilAllFinished()
    #expect(count == 400)
  }
}
