import ContextTesting
import CoreData
import Foundation
import Scheduling
import Testing

/// A test that is explored fails by the first order in which its body fails.
@Suite(.serialized) struct ExploreTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  private actor Account {
    private(set) var balance = 0
    func set(_ new: Int) { balance = new }
    func add(_ amount: Int) { balance += amount }
  }

  /// Where the test would be, beside which orders are kept.
  private var path: String { folder.appendingPathComponent("Tests.swift").path }

  private struct Wrong: Error {}

  private static func deposit(_ isMended: Bool) async throws {
    let account = Account()
    @Sendable func deposit() async {
      guard !isMended else { return await account.add(1) }
      let balance = await account.balance
      await account.set(balance + 1)
    }
    async let first: Void = deposit()
    async let second: Void = deposit()
    _ = await (first, second)
    if await account.balance != 2 { throw Wrong() }
  }

  /// The error of an exploration, and the file of its order.
  private func failure(
    test: String = #function, _ body: @escaping @Sendable () async throws -> Void
  ) async -> (any Error)? {
    do {
      try await explore(schedules: 1_000, seconds: 60, file: path, test: test, body)
      return nil
    } catch {
      return error
    }
  }

  @Test func aLostUpdateIsFoundInOnePreemption() async throws {
    let error = try #require(await failure { try await Self.deposit(false) } as? FailingOrder)
    #expect(error.description.hasPrefix("failure: Wrong()"))
    #expect(error.description.contains("; 1 preemption, "))
    #expect(error.description.contains("task #2"))
  }

  @Test func theMendedFormPasses() async throws {
    #expect(await failure { try await Self.deposit(true) } == nil)
  }

  @Test func anOrderIsKeptAndTriedFirst() async throws {
    let first = try #require(await failure { try await Self.deposit(false) } as? FailingOrder)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(files == ["Tests-anOrderIsKeptAndTriedFirst.schedule"])
    #expect(first.description.contains("Repeat: CONTEXTBENCH_REPLAY=\(folder.path)/\(files[0])"))
    let again = try #require(await failure { try await Self.deposit(false) } as? FailingOrder)
    #expect(again.description.contains("Order: the order that was kept in"))
    #expect(await failure { try await Self.deposit(true) } == nil)
  }

  @Test func anExpectationThatFailsIsAFinding() async throws {
    let error = try #require(
      await failure {
        let account = Account()
        Task { await account.add(1) }
        await Task.yield()
        #expect(await account.balance == 0)
      } as? FailingOrder)
    #expect(error.description.hasPrefix("failure: Expectation failed"))
  }

  @Test func aDeadlockTellsWhoWaits() async throws {
    let error = try #require(
      await failure {
        let first = NSLock()
        let second = NSLock()
        DispatchQueue(label: "one").async { first.withLock { second.withLock {} } }
        DispatchQueue(label: "two").async { second.withLock { first.withLock {} } }
      } as? FailingOrder)
    #expect(error.description.hasPrefix("deadlock: "))
    #expect(error.description.contains("one waits for a lock"))
    #expect(error.description.contains("two waits for a lock"))
  }

  @Test func whatNeverComesIsAHang() async throws {
    let error = try #require(
      await failure { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } } as? FailingOrder)
    #expect(error.description.hasPrefix("hang: the test waits for what never comes"))
  }

  /// It may wait for another process.
  @Test func whatOnlyAFileWouldSayIsNotSimulated() async throws {
    let error = try #require(
      await failure {
        let container = NSPersistentContainer(name: "Watched", managedObjectModel: NSManagedObjectModel())
        let description = NSPersistentStoreDescription(url: temporaryStore())
        description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, _ in }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      } as? NotExplored)
    #expect(error.description.hasPrefix("not simulated: the test waits, perhaps for a commit past every store"))
  }

  @Test func aBodyWithoutEndIsAHang() async throws {
    let error = try #require(await failure { while true { await Task.yield() } } as? FailingOrder)
    #expect(error.description.hasPrefix("hang: the test does "))
  }

  @Test func aBodyThatLooksAgainAndAgainComesToAnEnd() async {
    #expect(
      await failure {
        let account = Account()
        Task { await account.add(1) }
        while await account.balance == 0 { await Task.yield() }
      } == nil)
  }

  @Test func aTimerThatRepeatsIsWaitedFor() async {
    #expect(
      await failure {
        let ticks = Locked(0)
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticks"))
        timer.schedule(deadline: .now(), repeating: 0.1)
        await withCheckedContinuation { done in
          timer.setEventHandler {
            ticks.withLock { $0 += 1 }
            if ticks.current == 3 { done.resume() }
          }
          timer.resume()
        }
        timer.cancel()
      } == nil)
  }

  @Test func anObjectOffItsQueueIsAFinding() async throws {
    let error = try #require(
      await failure {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        _ = context.hasChanges
      } as? FailingOrder)
    #expect(error.description.hasPrefix("context-off-queue: "))
  }

  @Test func itCannotBeNested() async throws {
    let error = try #require(await failure { try await explore {} } as? FailingOrder)
    #expect(error.description.hasPrefix("failure: explore() cannot be called inside explore()."))
  }

  @Test @MainActor func aBodyIsIsolatedAsItsTestIs() async throws {
    try await explore(schedules: 5, file: path) {
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
    }
  }

  /// Run by a process that looks at how this one ends.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["CONTEXTBENCH_TRAPS"] != nil)) func aBodyThatTraps() async {
    _ = await failure { preconditionFailure("a body that traps") }
  }

  private let attempts = Locked(0)

  /// Known issues are none of the test's.
  @Test func aKnownIssueIsNoFinding() async {
    #expect(await failure { withKnownIssue { Issue.record("known") } } == nil)
  }

  @Test func noOrderIsTriedTwice() async throws {
    let count = Locked(0)
    let wrong = Locked(0)
    try await explore(schedules: 100_000, seconds: 60, file: path) {
      count.withLock { $0 += 1 }
      let account = Account()
      Task { await account.add(1) }
      if await account.balance == 1 { wrong.withLock { $0 += 1 } }
    }
    // All that there are, and one before them.
    #expect(count.current > 2 && count.current < 20_000)
    #expect(wrong.current > 0)
  }

  @Test(.explored(schedules: 50)) func aTraitExploresTheWholeTest() async throws {
    attempts.withLock { $0 += 1 }
    #expect(attempts.current == 1, "the suite is made anew")
    try await Self.deposit(true)
  }

  /// Run by a process that looks at how this one ends.
  @Test(
    .enabled(if: ProcessInfo.processInfo.environment["CONTEXTBENCH_FAILS"] != nil), .explored(schedules: 50),
    arguments: [false, true]) func aTraitFails(isDeadlock: Bool) async throws
  {
    guard isDeadlock else { return try await Self.deposit(false) }
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  @Test func temporaryStoresAreEmptyEachTime() async throws {
    #expect(
      await failure {
        let store = temporaryStore()
        if FileManager.default.fileExists(atPath: store.path) { throw Wrong() }
        try Data("row".utf8).write(to: store)
        async let other: Void = Task.yield()
        await Task.yield()
        await other
      } == nil)
  }
}
