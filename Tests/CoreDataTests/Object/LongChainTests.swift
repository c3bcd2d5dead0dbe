import Testing

@testable import CoreData

/// Graphs as deep as they are large: nothing needs stack for each object. S2.9
@Suite(.oneThread) struct LongChainTests {
  private static let length = 50_000

  private static func model() -> NSManagedObjectModel {
    let link = Notebook.entity("Link", NSManagedObject.self)
    let next = Notebook.relationship("next", to: link, maxCount: 1, rule: .cascadeDeleteRule)
    let others = Notebook.relationship("others", to: link, maxCount: 0, rule: .cascadeDeleteRule)
    link.properties = [Notebook.attribute("name", .stringAttributeType), next, others]
    let model = NSManagedObjectModel()
    model.entities = [link]
    return model
  }

  /// How one object leads to the next.
  enum Way: CaseIterable, Sendable {
    case toOne, toMany
  }

  private func chain(_ context: NSManagedObjectContext, _ way: Way) -> NSManagedObject {
    let last = context.insert("Link", [:])
    var first = last
    for _ in 1..<Self.length {
      let link = context.insert("Link", [:])
      link.setValue(way == .toOne ? first : Set([first]), forKey: way == .toOne ? "next" : "others")
      first = link
    }
    return first
  }

  // S2.9, S8.1
  @Test(arguments: Way.allCases) func aLongChainIsSavedLetGoDeletedAndReset(_ way: Way) throws {
    let stack = try TestStack(.memory, model: Self.model())
    let context = stack.context()
    try context.performAndWait {
      var first: NSManagedObject? = chain(context, way)
      try context.save()
      first = nil
      #expect(context.registeredObjects.isEmpty)
      let fetched = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Link"))
      #expect(fetched.count == Self.length)
      first = fetched.first { $0.objectID.uriRepresentation().lastPathComponent == "p1" }
      for link in fetched { _ = link.value(forKey: way == .toOne ? "next" : "others") }
      withExtendedLifetime(first) {}
    }
    try context.performAndWait {
      let newest = try #require(
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Link")).max {
          $0.rowKey < $1.rowKey
        })
      context.delete(newest)
      context.delete(try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Link")).first))
      context.processPendingChanges()
      #expect(context.deletedObjects.count == Self.length)
      context.rollback()
      #expect(context.deletedObjects.isEmpty)
      _ = chain(context, way)
      context.reset()
      #expect(context.registeredObjects.isEmpty)
    }
  }
}
