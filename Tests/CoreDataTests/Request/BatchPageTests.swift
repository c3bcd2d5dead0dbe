import Testing

@testable import CoreData

/// S6.3, S7.4: batch requests whose fetch has a limit, or stores of its own.
@Suite struct BatchPageTests {
  /// Two stores, with the notes 2 and 4, and 1 and 3.
  private func seeded() throws -> SeveralStores {
    let stack = try SeveralStores()
    let context = stack.context()
    try context.performAndWait {
      for number in 1...4 { context.assign(context.insertNote(Int64(number)), to: stack.stores[number % 2]) }
      try context.save()
    }
    return stack
  }

  private func delete(_ fetch: NSFetchRequest<any NSFetchRequestResult>, _ stack: SeveralStores) throws -> Int? {
    let context = stack.context()
    return try context.performAndWait {
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      request.resultType = .resultTypeCount
      return try context.result(request) as? Int
    }
  }

  private func numbers(_ stack: SeveralStores) throws -> [[String]] {
    try (0..<2).map { try stack.sql($0, "SELECT ZNUMBER FROM ZNOTE ORDER BY 1") }
  }

  // S7.4: a page is one of all stores together, as it is for a fetch.
  @Test(arguments: [(0, 1, [["2", "4"], ["3"]]), (1, 2, [["4"], ["1"]]), (3, 0, [["2"], ["1", "3"]])])
  func aPageIsOneOfAllStores(offset: Int, limit: Int, left: [[String]]) throws {
    let stack = try seeded()
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    fetch.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    (fetch.fetchOffset, fetch.fetchLimit) = (offset, limit)
    #expect(try delete(fetch, stack) == 4 - left.joined().count)
    #expect(try numbers(stack) == left)
  }

  // S6.3: the stores that the fetch request names are those whose objects it finds.
  @Test func onlyTheStoresOfTheFetchAreWritten() throws {
    let stack = try seeded()
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
    fetch.affectedStores = [stack.stores[1]]
    #expect(try delete(fetch, stack) == 2)
    #expect(try numbers(stack) == [["2", "4"], []])
  }
}
