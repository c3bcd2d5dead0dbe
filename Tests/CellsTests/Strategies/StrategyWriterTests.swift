import Boundary
import Checking
import CoreData
import Scheduling
import Testing

@testable import Cells

@Suite struct StrategyWriterTests {
  private struct Refused: Error {}

  /// Those that write without main's queue, which is not served here.
  private static let withoutMain = [
    "notification-merge", "single-background-writer", "background-task", "thread-confinement", "dedicated-thread",
    "coordinator-per-thread", "history-merge", "batch-import", "model-actor", "async-perform",
  ]

  private let store: TestStore
  private let notebook = VocabularyNotebook(notes: 20, wordsPerNote: 2, seed: 1)

  init() throws { store = try TestStore() }

  private func storedNotes() throws -> [Int64] {
    try StoreContents(storeAt: store.path, layout: .notebook).rows[NotebookModel.EntityNumber.note]?.keys ?? []
  }

  @Test(arguments: withoutMain)
  func aUnitIsEditedThenDurable(strategy: String) throws {
    let type = try #require(StrategyRegistry.strategy(named: strategy))
    let writer = try type.init(store.makeEnvironment(for: type)).makeWriter(named: "client")
    var stages: [WriteStage] = []
    try writer.write {
      notebook.insert(notes: 1..<4, into: $0)
    } reached: {
      stages.append($0)
    }
    #expect(stages == [.edited, .durable])
    #expect(try storedNotes() == [1, 2, 3])
  }

  @Test(arguments: withoutMain)
  func nothingOfARefusedUnitIsLeft(strategy: String) throws {
    let type = try #require(StrategyRegistry.strategy(named: strategy))
    let writer = try type.init(store.makeEnvironment(["reset_after_save": "false"], for: type)).makeWriter(
      named: "client")
    var stages: [WriteStage] = []
    #expect(throws: Refused.self) {
      try writer.write { context in
        notebook.insert(notes: 1..<4, into: context)
        throw Refused()
      } reached: {
        stages.append($0)
      }
    }
    #expect(stages.isEmpty)
    try writer.write {
      notebook.insert(notes: 10..<11, into: $0)
    } reached: { _ in
    }
    #expect(try storedNotes() == [10])
  }

  @Test func clientsOfTheSingleWriterShareIt() throws {
    let strategy = try SingleBackgroundWriterStrategy(store.makeEnvironment())
    #expect(strategy.makeWriter(named: "a") === strategy.makeWriter(named: "b"))
  }

  @Test func eachClientOfNotificationMergeHasItsOwnWriter() throws {
    let strategy = try NotificationMergeStrategy(store.makeEnvironment())
    #expect(strategy.makeWriter(named: "a") !== strategy.makeWriter(named: "b"))
  }

  @Test func clientsOfTheDedicatedThreadShareIt() throws {
    let strategy = try DedicatedThreadStrategy(store.makeEnvironment())
    let (a, b) = (strategy.makeWriter(named: "a"), strategy.makeWriter(named: "b"))
    let threads = Locked<Set<ObjectIdentifier>>([])
    for writer in [a, b] {
      try writer.write { _ in
        threads.withLock { _ = $0.insert(ObjectIdentifier(ThreadRecord.current)) }
      } reached: { _ in
      }
    }
    #expect(threads.withLock { $0.count } == 1)
  }

  @Test func eachThreadHasAConfinedContextOfItsOwn() throws {
    let strategy = try ThreadConfinementStrategy(store.makeEnvironment())
    let writer = strategy.makeWriter(named: "client")
    func context() throws -> ObjectIdentifier {
      var seen: ObjectIdentifier?
      try writer.write { context in
        #expect(context.concurrencyType == .confinementConcurrencyType)
        seen = ObjectIdentifier(context)
      } reached: { _ in
      }
      return try #require(seen)
    }
    let own = try context()
    #expect(try context() == own)
    #expect(try RunLoopThread(label: "other").run("write") { try context() } != own)
  }

  @Test func eachTaskHasAContextOfItsOwnThatEnds() throws {
    let environment = try store.makeEnvironment()
    let writer = BackgroundTaskStrategy(environment).makeWriter(named: "client")
    weak var first: NSManagedObjectContext?
    try writer.write {
      first = $0
      notebook.insert(notes: 1..<2, into: $0)
    } reached: { _ in
    }
    try writer.write {
      #expect($0 !== first)
      notebook.insert(notes: 2..<3, into: $0)
    } reached: { _ in
    }
    #expect(try storedNotes() == [1, 2])
  }

  @Test func eachWorkerHasACoordinatorOfItsOwnOnTheOneFile() throws {
    let environment = try store.makeEnvironment()
    let strategy = try CoordinatorPerThreadStrategy(environment)
    // Held: one that is gone leaves its address to the next.
    var seen = [environment.container.persistentStoreCoordinator]
    for number in 1...3 {
      try strategy.makeWriter(named: "client \(number)").write {
        seen.append(try #require($0.persistentStoreCoordinator))
        notebook.insert(notes: number..<number + 1, into: $0)
      } reached: { _ in
      }
    }
    #expect(Set(seen.map { ObjectIdentifier($0) }).count == 4)
    #expect(try storedNotes() == [1, 2, 3])
  }

  @Test func aCoordinatorPerThreadCannotMergeAutomatically() throws {
    let environment = try store.makeEnvironment(["merge": "automatic"])
    #expect(throws: HarnessFailure.self) { try CoordinatorPerThreadStrategy(environment) }
  }

  @Test func adoptedContextsHaveTheirNameAndPolicy() throws {
    let environment = try store.makeEnvironment(["merge_policy": "object-trump"])
    let context = SingleBackgroundWriterStrategy(environment).makeReader(named: "reader")
    #expect(context.name == "reader")
    #expect(context.mergePolicy as? NSMergePolicy === NSMergePolicy.mergeByPropertyObjectTrump)
  }

  @Test func everyStrategyIsRegisteredUnderItsOwnName() {
    let names = StrategyRegistry.all.map { $0.name }
    #expect(
      names == [
        "notification-merge", "parent-child", "single-background-writer", "main-only", "nested-writer",
        "background-task", "thread-confinement", "dedicated-thread", "coordinator-per-thread", "history-merge",
        "batch-import", "model-actor", "async-perform",
      ])
    #expect(StrategyRegistry.strategy(named: "nowhere") == nil)
  }
}
