import Foundation
import Testing

@testable import Scheduling

/// The search is the process's and stays on, so that each test looks only for the queues of its own.
struct LockOrderTests {
  private static let cycles = Locked<[LockOrder.Cycle]>([])

  private static let isInstalled: Void = {
    LockOrder.setHandler { cycle in cycles.withLock { $0.append(cycle) } }
    LockOrder.setEnabled(true)
  }()

  private let mark = UUID().uuidString
  private let a: SerialQueue
  private let b: SerialQueue
  private let c: SerialQueue

  init() {
    Self.isInstalled
    a = SerialQueue(label: "A \(mark)")
    b = SerialQueue(label: "B \(mark)")
    c = SerialQueue(label: "C \(mark)")
  }

  /// The cycles so far that queues of this test take part in, each by the first letters of its names.
  private var found: [Set<String>] {
    Self.cycles.withLock { $0 }
      .filter { cycle in cycle.participants.contains { $0.hasSuffix(mark) } }
      .map { Set($0.participants.map { String($0.prefix(1)) }) }
  }

  private func onThread(_ body: @escaping @Sendable () -> Void) { TestThread(body).join() }

  // first                         second, later
  // in A, B
  //                               in B, A
  @Test func bothOrdersInTwoThreadsAreReportedOnceWithNamesAndPlaces() throws {
    for _ in 0..<3 {
      onThread { [a, b] in a.sync { b.sync {} } }
      onThread { [a, b] in b.sync { a.sync {} } }
    }
    #expect(found == [["A", "B"]])
    let cycle = try #require(Self.cycles.withLock { $0 }.first { $0.participants.contains(a.name) })
    #expect(
      Set(cycle.links.map { "\($0.inner) in \($0.outer)" }) == ["\(a.name) in \(b.name)", "\(b.name) in \(a.name)"])
    #expect(cycle.links.allSatisfy { $0.thread.contains("thread") && !$0.backtrace.isEmpty })
    #expect(cycle.links[0].thread != cycle.links[1].thread)
    #expect(cycle.description.hasPrefix("lock order: "))
  }

  @Test func oneThreadInBothOrdersIsNotReported() {
    onThread { [a, b] in
      a.sync { b.sync {} }
      b.sync { a.sync {} }
    }
    #expect(found.isEmpty)
  }

  @Test func ordersUnderACommonQueueAreNotReported() {
    onThread { [a, b, c] in c.sync { a.sync { b.sync {} } } }
    onThread { [a, b, c] in c.sync { b.sync { a.sync {} } } }
    #expect(found.isEmpty)
    // Without the common queue the same order counts.
    onThread { [a, b] in b.sync { a.sync {} } }
    #expect(found == [["A", "B"]])
  }

  @Test func aQueueThatIsHeldAlreadyIsNoOrder() {
    onThread { [a, b] in a.sync { b.sync { a.sync { b.sync {} } } } }
    onThread { [a, b] in a.sync { b.sync { a.sync {} } } }
    #expect(found.isEmpty)
  }

  // A's block: into B             B's block, later: into A
  @Test func enqueuedBlocksInBothOrdersAreReported() {
    a.async { [b] in b.sync {} }
    a.drain()
    b.async { [a] in a.sync {} }
    b.drain()
    #expect(found == [["A", "B"]])
  }

  @Test func jobsOfAPoolMayRunAtTheSameTime() {
    let pool = WorkPool(label: "pool", width: 2)
    pool.submit("one") { [a, b] in a.sync { b.sync {} } }
    pool.waitUntilAllFinished()
    pool.submit("other") { [a, b] in b.sync { a.sync {} } }
    pool.waitUntilAllFinished()
    #expect(found == [["A", "B"]])
  }

  @Test func jobsOfOneThreadFollowEachOther() {
    let pool = WorkPool(label: "pool", width: 1)
    pool.submit("one") { [a, b] in a.sync { b.sync {} } }
    pool.submit("other") { [a, b] in b.sync { a.sync {} } }
    pool.waitUntilAllFinished()
    #expect(found.isEmpty)
  }

  @Test func aRingOfThreeIsReportedWithAllItsNames() {
    onThread { [a, b] in a.sync { b.sync {} } }
    onThread { [b, c] in b.sync { c.sync {} } }
    #expect(found.isEmpty)
    onThread { [a, c] in c.sync { a.sync {} } }
    #expect(found == [["A", "B", "C"]])
  }

  // first                         second, later
  // in A, waits for main's block, which comes into B
  //                               in B, A
  @Test func whatMainDoesForAThreadIsDoneInsideWhatTheThreadHolds() {
    onThread { [a, b] in a.sync { SerialQueue.main.sync { b.sync {} } } }
    #expect(found.isEmpty)
    onThread { [a, b] in b.sync { a.sync {} } }
    #expect(found == [["A", "B"]])
  }

  @Test func mainAndAPrivateQueueInBothOrdersAreReported() {
    onThread { [a] in a.sync { SerialQueue.main.sync {} } }
    onThread { [a] in SerialQueue.main.sync { a.sync {} } }
    #expect(found == [["A", "m"]])
  }

  @Test func nestedEntriesAreCounted() {
    let before = LockOrder.nestedEntries
    onThread { [a, b] in a.sync { b.sync { a.sync {} } } }
    #expect(LockOrder.nestedEntries > before)
  }
}
