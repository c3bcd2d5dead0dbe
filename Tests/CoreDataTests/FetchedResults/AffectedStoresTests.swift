import Testing

@testable import CoreData

/// Requests to some of a coordinator's stores.
@Suite struct AffectedStoresTests {
  // S7.1, S7.5
  @Test func aControllerListsNoObjectOfAnotherStore() throws {
    let stack = try SeveralStores(model: Cards.model())
    let context = stack.context()
    try context.performAndWait {
      for (rank, store) in [(1, 0), (2, 1)] as [(Int64, Int)] {
        context.assign(context.insertCard(rank), to: stack.stores[store])
      }
      try context.save()
      let request = Cards.request()
      request.affectedStores = [stack.stores[0]]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let log = DelegateLog()
      controller.delegate = log
      try controller.performFetch()
      try #require(try context.all("Card", where: "rank", is: 2).first).setValue("changed", forKey: "text")
      context.assign(context.insertCard(3), to: stack.stores[1])
      context.assign(context.insertCard(4), to: stack.stores[0])
      context.processPendingChanges()
      #expect(controller.fetchedObjects?.map(\.rank) == [1, 4])
      try context.save()
      #expect(controller.fetchedObjects?.map(\.rank) == [1, 4])
      try controller.performFetch()
      #expect(controller.fetchedObjects?.map(\.rank) == [1, 4])
    }
  }

  // S7.1, S7.4: the stores of the asynchronous request count before those of its fetch request.
  @Test(arguments: [nil, 0, 1]) func anAsynchronousFetchAsksItsStores(store: Int?) async throws {
    let stack = try SeveralStores()
    try stack.seed(1...4)
    let context = stack.context()
    let fetch = NSFetchRequest<Note>(entityName: "Note")
    fetch.affectedStores = [stack.stores[0]]
    let (numbers, continuation) = AsyncStream.makeStream(of: [Int64].self)
    let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { result in
      continuation.yield(result.finalResult?.map(\.number).sorted() ?? [])
    }
    request.affectedStores = store.map { [stack.stores[$0]] }
    try context.performAndWait { _ = try context.execute(request) }
    for await found in numbers {
      #expect(found == (store == 1 ? [2, 4] : [1, 3]))
      break
    }
  }
}
