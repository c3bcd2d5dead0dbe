import Checking
import CoreData

// S7.1, S7.3: a fetch finds what the store has where the objects that a context holds are unchanged and older, also while unsaved
// changes of others have it evaluated in memory; and it gives them the newer values where the request wants that.

extension RuleTrial {
  /// Others change what a context has read; it asks beside an unsaved change that has nothing to do with the question.
  func askBesideOldValues(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (writer, reader) = (context(coordinator), context(coordinator))
    try writer.performAndWait {
      _ = insertNumbered("Box", writer)
      for _ in 0..<3 { _ = insertNumbered("Item", writer) }
      try save(writer)
    }
    let held = try reader.performAndWait { try all("Item", reader) }
    for _ in 0..<3 {
      try writer.performAndWait {
        for item in some(try all("Item", writer), atMost: 9) { item.setValue(draw(4), forKey: "rank") }
        try save(writer)
      }
      let limit = draw(4)
      try askOldValues(
        NSPredicate(format: "rank >= %ld AND (box == nil OR box.number > 0)", limit), includesChanges: true, reader)
      try askOldValues(
        NSPredicate(format: "rank >= %ld AND mark == nil", limit), includesChanges: false, reader)
      reader.performAndWait { reader.rollback() }
    }
    reader.performAndWait { withExtendedLifetime(held) {} }
  }

  /// The items that are found beside an unsaved box without items are those that a new context finds, as they are there.
  private func askOldValues(
    _ predicate: NSPredicate, includesChanges: Bool, _ reader: NSManagedObjectContext
  ) throws {
    guard let coordinator = reader.persistentStoreCoordinator else { return }
    precondition(reader.parent == nil, "a context that asks the store has its values to find")
    func ask(_ context: NSManagedObjectContext) throws -> [String] {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = predicate
      request.includesPendingChanges = includesChanges || context !== reader
      request.shouldRefreshRefetchedObjects = !includesChanges
      return try context.fetch(request).map { item in
        let rank = includesChanges ? "" : " of rank \(RulePicture.text(item.value(forKey: "rank")))"
        return "\(RulePicture.number(item))\(rank)"
      }.sorted()
    }
    note("items where \(predicate), with pending changes: \(includesChanges)")
    let fresh = freshContext(coordinator)
    let expected = try fresh.performAndWait { try ask(fresh) }
    let seen = try reader.performAndWait {
      let empty = try all("Box", reader).filter {
        ($0.value(forKey: "items") as? Set<NSManagedObject>)?.isEmpty ?? true
      }
      pick(empty)?.setValue(newNumber(), forKey: "size")
      return try ask(reader)
    }
    try require(
      seen, expected, .staleRead,
      "items where \(predicate), as the store has them, of a context that has read older ones")
  }
}
