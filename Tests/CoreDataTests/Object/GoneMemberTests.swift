import RowStore
import Testing

@testable import CoreData

/// An object that was found gone is still listed where it was a member, and another object may be back under its ID.
@Suite struct GoneMemberTests {
  // S2.6: the process ended in such a save, of a root and of a child.
  @Test(arguments: [false, true]) func whoCameBackHasAPlaceAndWhoIsGoneHasNone(isChild: Bool) throws {
    let stack = try TestStack(model: Library.model())
    let root = stack.context()
    let context = isChild ? NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType) : root
    if isChild { context.parent = root }
    try root.performAndWait { _ = try root.seedShelf("abc") }
    try context.performAndWait {
      let shelf = try context.named("Shelf", "shelf")
      shelf.arrange("cba")
      let books = ContiguousArray(shelf.list("books"))
      let (gone, row) = (books[1], try #require(books[1].snapshot))
      gone.state = .gone
      context.registry?.objects.remove(gone.identity, ifItIs: gone)
      let back = context.object(of: row)
      #expect(back !== gone && back.key == gone.key)
      let property = try #require(shelf.layout.propertiesByName["books"])
      shelf.toManyState(property).members = ObjectList([books[0], gone, books[2], back])
      try context.save()
    }
    try root.performAndWait { try root.save() }
    #expect(try stack.stored("Shelf", "shelf") == "cab")
  }
}
