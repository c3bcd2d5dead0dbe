import Boundary
import Checking
import CoreData
import Scenarios
import Scheduling
import Testing

@testable import Cells

/// Strategies that follow a store's persistent history, and units in batch insert requests.
@Suite struct HistoryFollowingTests {
  private let store: TestStore
  private let notebook = VocabularyNotebook(notes: 20, wordsPerNote: 0, seed: 1)

  init() throws { store = try TestStore() }

  /// Main, its notes by number, and its records, once it has everything.
  private func whenCurrent<Value: Sendable>(
    _ strategy: any Strategy, _ body: @escaping @Sendable (NSManagedObjectContext) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      strategy.whenMainIsCurrent { continuation.resume(with: Result { try body(strategy.mainContext) }) }
    }
  }

  private static func revisions(_ main: NSManagedObjectContext) throws -> [Int64] {
    let request = Note.request()
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    return try main.fetch(request).map(\.revision)
  }

  @Test(arguments: [("history-merge", [:]), ("batch-import", ["batch_merge": "history"])])
  func mainShowsWhatWritersAnywhereSaved(strategy: String, options: [String: String]) async throws {
    let type = try #require(StrategyRegistry.strategy(named: strategy))
    let environment = try store.makeEnvironment(options, for: type)
    let records = RecordsInMemory()
    environment.historyLog = HistoryLog(records.makeHistory(process: 0)) { _ in 1 }
    let strategy = try type.init(environment)
    let writer = try strategy.makeWriter(named: "client")
    try writer.write {
      notebook.insert(notes: 1..<4, into: $0)
    } reached: { _ in
    }
    let held = try await whenCurrent(strategy) { Handed((try Self.notes($0), try Self.revisions($0))) }
    #expect(held.value.1 == [1, 1, 1])
    try writer.write { context in
      for note in try Self.notes(context) where note.number == 2 { note.revision = 7 }
    } reached: { _ in
    }
    // Its own is not merged.
    try await strategy.mainContext.perform {
      held.value.0[0].revision = 5
      try strategy.mainContext.save()
    }
    #expect(try await whenCurrent(strategy) { _ in held.value.0.map(\.revision) } == [5, 7, 1])
    let history = try await whenCurrent(strategy) { _ in try records.history() }
    #expect(history.operations.filter { $0.function == .merge }.map(\.type) == [.ok, .ok, .info])
    #expect(history.operations.last?.key == 3)
  }

  private static func notes(_ context: NSManagedObjectContext) throws -> [Note] {
    let request = Note.request()
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    request.returnsObjectsAsFaults = false
    return try context.fetch(request)
  }

  @Test func historyThatMainHasIsDeleted() async throws {
    let environment = try store.makeEnvironment(["history_purge_every": "2"], for: HistoryMergeStrategy.self)
    let strategy = try HistoryMergeStrategy(environment)
    let writer = try strategy.makeWriter(named: "client")
    for number in 1...3 {
      try writer.write {
        notebook.insert(notes: number..<number + 1, into: $0)
      } reached: { _ in
      }
    }
    let numbers = try await whenCurrent(strategy) { main in
      try main.historyTransactions(after: nil, .transactionsOnly).map(\.transactionNumber)
    }
    // How many transactions are taken at a time is a matter of how fast main is.
    #expect(numbers == [3] || numbers == [2, 3])
  }

  /// A unit, and whether it is one batch insert request: its context does not save then.
  @Test(arguments: ["dictionaries", "objects"])
  func newRowsWithoutRelationshipsAreOneRequest(rows: String) throws {
    let environment = try store.makeEnvironment(["batch_rows": rows, "batch_merge": "ids"])
    let strategy = try BatchImportStrategy(environment)
    // Others save beside this test.
    let name = "client with \(rows)"
    let writer = strategy.makeWriter(named: name)
    let saves = Locked(0)
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
    ) { notification in
      guard (notification.object as? NSManagedObjectContext)?.name == name else { return }
      saves.withLock { $0 += 1 }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try writer.write {
      notebook.insert(notes: 1..<4, into: $0)
    } reached: { _ in
    }
    #expect(saves.current == 0)
    let withWords = VocabularyNotebook(notes: 9, wordsPerNote: 2, seed: 1)
    try writer.write {
      withWords.insert(notes: 7..<8, into: $0)
    } reached: { _ in
    }
    try writer.write { context in
      try Self.notes(context)[0].revision = 9
    } reached: { _ in
    }
    #expect(saves.current == 2)
    let stored = try StoreContents(storeAt: store.path, layout: .notebook)
    let notes = try #require(stored.rows[NotebookModel.EntityNumber.note])
    #expect(notes.keys == [1, 2, 3, 7] && notes.revisions == [9, 1, 1, 1])
    #expect(stored.rows[NotebookModel.EntityNumber.word]?.keys.count == 2)
  }

  @Test func aRequestDoesNotLetThroughWhatASaveRefuses() throws {
    let strategy = try BatchImportStrategy(store.makeEnvironment(["batch_rows": "dictionaries", "batch_merge": "ids"]))
    let writer = strategy.makeWriter(named: "client")
    #expect(throws: (any Error).self) {
      try writer.write { context in
        notebook.insert(notes: 1..<2, into: context)
        for note in context.insertedObjects { note.setValue(nil, forKey: "title") }
      } reached: { _ in
      }
    }
    #expect(try StoreContents(storeAt: store.path, layout: .notebook).rows[NotebookModel.EntityNumber.note]?.keys == [])
  }

  /// The mains of several processes share their tokens in files; transactions that one of them has not read stay.
  @Test func theOldestTokenOfAllProcessesCounts() throws {
    let container = try NotebookStore.open(
      in: store.directory, ScenarioSettings(["merge_policy": "error"]), for: HistoryMergeStrategy.self)
    func environment(_ index: Int) -> StrategyEnvironment {
      StrategyEnvironment(
        container: container, settings: ScenarioSettings(["merge_policy": "error"]), meter: MainThreadMeter(),
        share: ProcessShare(index: index, count: 2))
    }
    let (first, second) = (HistoryTokens(environment(0)), HistoryTokens(environment(1)))
    let context = container.newBackgroundContext()
    var transactions: [NSPersistentHistoryTransaction] = []
    for number in 1...3 {
      transactions = try context.performAndWait {
        notebook.insert(notes: number..<number + 1, into: context)
        try context.save()
        return try context.historyTransactions(after: nil)
      }
    }
    first.keep(transactions[2])
    #expect(first.oldest == nil)
    second.keep(transactions[0])
    #expect(first.oldest == transactions[0].token && second.oldest == transactions[0].token)
    second.keep(transactions[1])
    #expect(first.oldest == transactions[1].token)
  }
}
