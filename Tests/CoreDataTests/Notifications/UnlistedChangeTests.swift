import Scheduling
import Testing

@testable import CoreData

/// S5.1: objects that no list of a save has, and that it has changed in the context that saved.
@Suite(.everyStore) struct UnlistedChangeTests {
  private static func model() -> NSManagedObjectModel {
    let (list, item) = (Notebook.entity("List", NSManagedObject.self), Notebook.entity("Item", NSManagedObject.self))
    let items = Notebook.relationship("items", to: item, maxCount: 0)
    let itsList = Notebook.relationship("list", to: list, maxCount: 1)
    (items.inverseRelationship, itsList.inverseRelationship) = (itsList, items)
    let derived = NSDerivedAttributeDescription()
    (derived.name, derived.attributeType) = ("listName", .stringAttributeType)
    derived.derivationExpression = NSExpression(format: "uppercase:(list.name)")
    list.properties = [Notebook.attribute("name", .stringAttributeType), items]
    item.properties = [Notebook.attribute("name", .stringAttributeType), itsList, derived]
    let model = NSManagedObjectModel()
    model.entities = [list, item]
    return model
  }

  /// Calls `seen` with each object that the context reports as updated or refreshed while `body` runs.
  private func observing(
    _ context: NSManagedObjectContext, _ seen: @escaping @Sendable (NSManagedObject) -> Void, _ body: () throws -> Void
  ) rethrows {
    let token = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
    ) { notification in
      for key in [NSUpdatedObjectsKey, NSRefreshedObjectsKey] {
        (notification.userInfo?[key] as? Set<NSManagedObject>)?.forEach(seen)
      }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    try body()
  }

  // S5.1, S7.5, S9.2: a controller that sorts by a derived attribute moves its objects, faults too.
  @Test(arguments: [false, true]) func derivedValuesAreReported(areFaults: Bool) throws {
    let context = try TestStack(model: Self.model()).context()
    try context.performAndWait {
      let lists = ["a", "b"].map { name in
        let list = context.insert("List", ["name": name])
        context.insert("Item", ["name": "of \(name)", "list": list])
        return list
      }
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.sortDescriptors = [NSSortDescriptor(key: "listName", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let log = DelegateLog()
      controller.delegate = log
      try controller.performFetch()
      let items = controller.fetchedObjects ?? []
      #expect(items.map { $0.string("listName") } == ["A", "B"])
      if areFaults { for item in items { context.refresh(item, mergeChanges: false) } }
      let names = Locked<[String]>([])
      try observing(context, { object in names.withLock { $0.append(object.string("name") ?? "") } }) {
        lists[0].setValue("z", forKey: "name")
        try context.save()
      }
      #expect(controller.fetchedObjects?.map { $0.string("listName") } == ["B", "Z"])
      if !areFaults { #expect(names.withLock { $0.contains("of a") }) }
      #expect(!context.hasChanges)
    }
  }

  // S5.1: owners of a deleted member by a relationship without an inverse.
  @Test func ownersWithoutTheirMemberAreReported() throws {
    let context = try TestStack(model: Warehouse.model()).context()
    try context.performAndWait {
      let thing = context.insert("Thing", ["n": 1])
      let stamps = (0..<2).map { _ in context.insert("Stamp") }
      thing.setValue(Set(stamps), forKey: "stamps")
      try context.save()
      #expect(thing.objects("stamps").count == 2)
      let counts = Locked<[Int]>([])
      let id = thing.objectID
      let seen: @Sendable (NSManagedObject) -> Void = { object in
        if object.objectID == id { counts.withLock { $0.append(object.objects("stamps").count) } }
      }
      try observing(context, seen) {
        context.delete(stamps[0])
        try context.save()
      }
      #expect(thing.objects("stamps") == [stamps[1]])
      #expect(counts.withLock { $0.last } == 1)
      #expect(!context.hasChanges)
    }
  }
}
