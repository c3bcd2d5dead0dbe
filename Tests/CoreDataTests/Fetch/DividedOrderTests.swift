import Testing

@testable import CoreData

/// S7.1: a fetch of several stores is in the order of their rows, as that of one store is.
@Suite struct DividedOrderTests {
  private func numbers(
    _ context: NSManagedObjectContext, limit: Int, includesPendingChanges: Bool = true
  ) throws -> [Int64] {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    (request.fetchLimit, request.includesPendingChanges) = (limit, includesPendingChanges)
    return try context.fetch(request).map(\.number)
  }

  @Test(arguments: [0, 1]) func rowsAreNewerThanTheObjects(limit: Int) throws {
    let stores = try SeveralStores()
    try stores.seed(1...2)
    let (context, other) = (stores.context(), stores.context())
    try context.performAndWait {
      let notes = try context.notes()
      #expect(notes.map(\.title) == ["note 1", "note 2"])
      try other.performAndWait {
        try other.note(1).title = "note 3"
        try other.save()
      }
      #expect(try numbers(context, limit: limit) == (limit == 1 ? [2] : [2, 1]))
      #expect(notes.map(\.title) == ["note 1", "note 2"])
    }
  }

  // S7.3
  @Test(arguments: [0, 1]) func changesThatAreNotToBeSeenChangeNoOrder(limit: Int) throws {
    let stores = try SeveralStores()
    try stores.seed(1...2)
    let context = stores.context()
    try context.performAndWait {
      try context.note(1).title = "note 3"
      #expect(try numbers(context, limit: limit, includesPendingChanges: false) == (limit == 1 ? [1] : [1, 2]))
      #expect(try numbers(context, limit: limit) == (limit == 1 ? [2] : [2, 1]))
    }
  }
}
