import Checking
import CoreData
import Testing

@testable import HarnessKit

@Suite struct StrategyWriterTests {
  private struct Refused: Error {}

  private let store: TestStore
  private let notebook = VocabularyNotebook(notes: 20, wordsPerNote: 2, seed: 1)

  init() throws { store = try TestStore() }

  private func storedNotes() throws -> [Int64] {
    try StoreContents(storeAt: store.path, layout: .notebook).rows[NotebookModel.EntityNumber.note]?.keys ?? []
  }

  @Test(arguments: ["notification-merge", "single-background-writer", "background-task"])
  func aUnitIsEditedThenDurable(strategy: String) throws {
    let type = try #require(StrategyRegistry.strategy(named: strategy))
    let writer = try type.init(store.makeEnvironment()).makeWriter(named: "client")
    var stages: [WriteStage] = []
    try writer.write {
      notebook.insert(notes: 1..<4, into: $0)
    } reached: {
      stages.append($0)
    }
    #expect(stages == [.edited, .durable])
    #expect(try storedNotes() == [1, 2, 3])
  }

  @Test(arguments: ["notification-merge", "single-background-writer", "background-task"])
  func nothingOfARefusedUnitIsLeft(strategy: String) throws {
    let type = try #require(StrategyRegistry.strategy(named: strategy))
    let writer = try type.init(store.makeEnvironment(["reset_after_save": "false"])).makeWriter(named: "client")
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
        "background-task",
      ])
    #expect(StrategyRegistry.strategy(named: "nowhere") == nil)
  }
}
