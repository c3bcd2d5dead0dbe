import CoreData
import Foundation
import Testing

@testable import Arrangements
@testable import Cells

/// The printed skeletons leave nothing of a failed unit that the next one would save.
struct ArrangementSkeletonTests {
  private struct Interrupted: Error {}

  private func container(at url: URL? = nil) throws -> NSPersistentContainer {
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    // A save of an article without a name is refused.
    name.isOptional = false
    let article = NSEntityDescription()
    article.name = "Article"
    article.managedObjectClassName = "NSManagedObject"
    article.properties = [name]
    let model = NSManagedObjectModel()
    model.entities = [article]
    let container = NSPersistentContainer(name: "News", managedObjectModel: model)
    let description = NSPersistentStoreDescription()
    if let url {
      description.url = url
      HistoryMergeStack.prepare(description)
    } else {
      description.type = NSInMemoryStoreType
    }
    container.persistentStoreDescriptions = [description]
    let failure = Failure()
    container.loadPersistentStores { _, error in failure.error = error }
    if let error = failure.error { throw error }
    return container
  }

  // `@unchecked`: in-memory stores are loaded before the call returns.
  private final class Failure: @unchecked Sendable {
    var error: (any Error)?
  }

  @Sendable private static func insert(_ name: String?, into context: NSManagedObjectContext) {
    NSEntityDescription.insertNewObject(forEntityName: "Article", into: context).setValue(name, forKey: "name")
  }

  private static func names(in container: NSPersistentContainer) throws -> [String] {
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Article"))
        .compactMap { $0.value(forKey: "name") as? String }
    }
  }

  /// An edit that throws half way, one with a refused save, and a good one.
  private func expectOnlyWhole(
    of container: NSPersistentContainer,
    _ write: (@escaping @Sendable (NSManagedObjectContext) throws -> Void) async throws -> Void
  ) async throws {
    await #expect(throws: Interrupted.self) {
      try await write { context in
        Self.insert("half", into: context)
        throw Interrupted()
      }
    }
    await #expect(throws: (any Error).self) {
      try await write { context in
        Self.insert("beside a refused one", into: context)
        Self.insert(nil, into: context)
      }
    }
    try await write { context in Self.insert("whole", into: context) }
    #expect(try Self.names(in: container) == ["whole"])
  }

  @Test func aWriterThatTakesBlocksStoresWholeUnitsOnly() async throws {
    var container = try container()
    let single = SingleWriterStack(container)
    try await expectOnlyWhole(of: container) { try await single.write($0) }
    container = try self.container()
    let task = BackgroundTaskStack(container)
    try await expectOnlyWhole(of: container) { try await task.write($0) }
    container = try self.container()
    let main = MainOnlyStack(container)
    try await expectOnlyWhole(of: container) { try await main.write($0) }
    container = try self.container()
    let actor = ModelActorStack(container).makeImporter()
    try await expectOnlyWhole(of: container) { try await actor.write($0) }
    container = try self.container()
    let group = AsyncPerformStack(container)
    try await expectOnlyWhole(of: container) { try await group.write([$0]) }
  }

  /// One that saves an importer's context: the importer makes it empty when its own edit throws.
  private func expectOnlyWhole(
    of container: NSPersistentContainer, _ importer: NSManagedObjectContext,
    save: (NSManagedObjectContext) throws -> Void
  ) throws {
    try importer.performAndWait {
      Self.insert("beside a refused one", into: importer)
      Self.insert(nil, into: importer)
      #expect(throws: (any Error).self) { try save(importer) }
      Self.insert("whole", into: importer)
      try save(importer)
    }
    #expect(try Self.names(in: container) == ["whole"])
  }

  @Test @MainActor func whatIsRefusedIsInNoContextAbove() throws {
    var container = try container()
    let parent = ParentChildStack(container)
    try expectOnlyWhole(of: container, parent.makeImporter()) { try parent.save($0) }
    container = try self.container()
    let nested = NestedWriterStack(container)
    try expectOnlyWhole(of: container, nested.makeImporter()) { try nested.save($0) }
  }

  @Test func mainShowsWhatTheHistoryBrings() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("arrangements-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try container(at: folder.appendingPathComponent("store.sqlite"))
    let (main, history) = (container.viewContext, HistoryMergeStack(container))
    let importer = history.makeImporter(named: "importer")
    try await BatchImportStack(container).insert([["name": "first"]], of: "Article")
    let held = try await main.perform {
      let articles = try main.fetch(NSFetchRequest<NSManagedObject>(entityName: "Article"))
      return Handed(articles.map { ($0, $0.value(forKey: "name") as? String) })
    }
    #expect(held.value.map(\.1) == ["first"])
    try await importer.perform {
      for article in try importer.fetch(NSFetchRequest<NSManagedObject>(entityName: "Article")) {
        article.setValue("changed", forKey: "name")
      }
      try importer.save()
    }
    let shown = try await main.perform {
      try history.merge()
      try history.deleteHistory(before: Date(timeIntervalSinceNow: 60))
      return held.value.map { $0.0.value(forKey: "name") as? String }
    }
    #expect(shown == ["changed"])
  }

  @Test func aThreadsContextIsEmptyAfterARefusedSave() throws {
    let container = try container()
    let stack = ThreadConfinementStack(container)
    Self.insert("beside a refused one", into: stack.contextOfThisThread())
    Self.insert(nil, into: stack.contextOfThisThread())
    #expect(throws: (any Error).self) { try stack.save() }
    Self.insert("whole", into: stack.contextOfThisThread())
    try stack.save()
    let owned = try self.container()
    let thread = DedicatedThreadStack(onWriterThread: owned)
    #expect(throws: Interrupted.self) {
      try thread.write { context in
        Self.insert("half", into: context)
        throw Interrupted()
      }
    }
    try thread.write { context in Self.insert("whole", into: context) }
    #expect(try Self.names(in: container) == ["whole"] && Self.names(in: owned) == ["whole"])
  }
}
