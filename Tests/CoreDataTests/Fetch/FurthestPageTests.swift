import Testing

@testable import CoreData

/// S7.1: an offset and a limit may be any numbers that are not negative.
@Suite(.everyStore) struct FurthestPageTests {
  private func request(offset: Int, limit: Int) -> NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    (request.fetchOffset, request.fetchLimit) = (offset, limit)
    return request
  }

  // S7.1, S7.3: their sum, and that with the number of changed objects, may be more than a number can be.
  @Test(arguments: [(0, Int.max, 4), (1, Int.max, 3), (Int.max, 2, 0), (Int.max, Int.max, 0)])
  func pagesBesideUnsavedObjects(offset: Int, limit: Int, count: Int) throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      context.insertNote(4)
      let found = try context.fetch(request(offset: offset, limit: limit))
      #expect(found.map(\.number) == [1, 2, 3, 4].suffix(count))
      #expect(try context.count(for: request(offset: offset, limit: limit)) == count)
    }
  }

  // S6.3, S7.1
  @Test func pagesOfSeveralStores() throws {
    let stack = try SeveralStores()
    try stack.seed(1...4)
    let context = stack.context()
    try context.performAndWait {
      let found = try context.fetch(request(offset: 1, limit: .max))
      #expect(found.map(\.number) == [2, 3, 4])
      #expect(try context.count(for: request(offset: 1, limit: .max)) == 3)
    }
  }
}
