import CoreData
import Testing

/// S7.5: the notifications of the delegate, call by call.
@Suite(.everyStore) struct ControllerDelegateTests {
  /// A controller that fetched these cards, and its delegate.
  private struct Bench {
    let stack: TestStack
    let context: NSManagedObjectContext
    let controller: NSFetchedResultsController<Card>
    let log = DelegateLog()

    /// On the context's queue; a card of rank n·10 for each box.
    init(_ boxes: [String?], sections: Bool, saved: Bool = false, in stack: TestStack? = nil) throws {
      let stack = try stack ?? TestStack(model: Cards.model())
      self.stack = stack
      context = stack.context()
      controller = Cards.controller(context, sections: sections)
      controller.delegate = log
      try context.performAndWait { [context, controller] in
        for (index, box) in boxes.enumerated() { context.insertCard(Int64(index + 1) * 10, box: box) }
        if saved { try context.save() }
        context.processPendingChanges()
        try controller.performFetch()
      }
    }

    func card(_ rank: Int64) throws -> Card {
      // Without a fetch, which would report unsaved objects.
      let known = context.registeredObjects.compactMap { $0 as? Card }
      if let card = known.first(where: { !$0.isDeleted && $0.rank == rank }) { return card }
      let request = NSFetchRequest<Card>(entityName: "Card")
      request.predicate = NSPredicate(format: "rank == %d", rank)
      return try #require(try context.fetch(request).first)
    }

    /// Checks the delegate's notifications of these changes.
    func expect(
      _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation,
      of body: (NSManagedObjectContext) throws -> Void
    ) throws {
      let reported = try reported(body)
      #expect(reported == lines, sourceLocation: sourceLocation)
    }

    /// The delegate's notifications of these changes.
    func reported(_ body: (NSManagedObjectContext) throws -> Void) throws -> [String] {
      try context.performAndWait {
        try body(context)
        context.processPendingChanges()
        return log.take()
      }
    }
  }

  @Test func anInsertionIsReportedWithItsNewPlace() throws {
    let bench = try Bench([nil, nil], sections: false)
    try bench.expect(["will", "insert 15 - 0.1", "did"]) { $0.insertCard(15) }
  }

  @Test func aDeletionIsReportedWithItsOldPlace() throws {
    let bench = try Bench([nil, nil], sections: false)
    try bench.expect(["will", "delete gone 0.0 -", "did"]) { $0.delete(try bench.card(10)) }
  }

  @Test func aChangeThatLeavesTheOrderIsAnUpdate() throws {
    let bench = try Bench([nil, nil], sections: false)
    try bench.expect(["will", "update 20 0.1 0.1", "did"]) { _ in try bench.card(20).text = "x" }
    try bench.expect(["will", "update 25 0.1 0.1", "did"]) { _ in try bench.card(20).rank = 25 }
  }

  @Test func aChangeOfTheOrderIsAMove() throws {
    let bench = try Bench([nil, nil, nil], sections: false)
    try bench.expect(["will", "move 25 0.0 0.1", "did"]) { _ in try bench.card(10).rank = 25 }
  }

  /// An update has the place before, and the place after.
  @Test func anUpdateBesideAnInsertionHasBothPlaces() throws {
    let bench = try Bench([nil, nil, nil], sections: false)
    try bench.expect(["will", "delete gone 0.1 -", "insert 5 - 0.0", "update 30 0.2 0.2", "did"]) { context in
      context.insertCard(5)
      context.delete(try bench.card(20))
      try bench.card(30).text = "x"
    }
  }

  @Test func everyKindAtOnceComesInOneOrder() throws {
    let bench = try Bench(Array(repeating: nil, count: 6), sections: false)
    try bench.expect([
      "will", "delete gone 0.1 -", "delete gone 0.0 -", "insert 35 - 0.0", "insert 45 - 0.2", "move 55 0.2 0.4",
      "update 50 0.4 0.3", "did",
    ]) { context in
      try bench.card(50).text = "x"
      try bench.card(30).rank = 55
      context.delete(try bench.card(10))
      context.delete(try bench.card(20))
      context.insertCard(45)
      context.insertCard(35)
    }
  }

  @Test func thePredicateDecidesWhoComesAndLeaves() throws {
    let bench = try Bench([nil, nil], sections: false)
    try bench.expect(["will", "delete 10 0.0 -", "did"]) { _ in try bench.card(10).isShown = false }
    try bench.expect([]) { _ in try bench.card(10).text = "not seen" }
    try bench.expect(["will", "insert 10 - 0.0", "did"]) { _ in try bench.card(10).isShown = true }
    try bench.expect([]) { $0.insertCard(1).isShown = false }
  }

  @Test func otherEntitiesAreNotReported() throws {
    let bench = try Bench([nil], sections: false)
    try bench.expect([]) {
      NSEntityDescription.insertNewObject(forEntityName: "Owner", into: $0).setValue("x", forKey: "name")
    }
  }

  // MARK: Sections

  @Test func aNewSectionComesBeforeItsObject() throws {
    let bench = try Bench(["a", "c"], sections: true)
    try bench.expect(["will", "section insert 1 b of 1", "insert 5 - 1.0", "did"]) { $0.insertCard(5, box: "b") }
  }

  @Test func aSectionLeavesWithItsLastObject() throws {
    let bench = try Bench(["a", "a", "c"], sections: true)
    try bench.expect(["will", "delete gone 0.1 -", "did"]) { $0.delete(try bench.card(20)) }
    try bench.expect(["will", "section delete 0 a of 0", "delete gone 0.0 -", "did"]) { $0.delete(try bench.card(10)) }
  }

  @Test func anObjectMovesBetweenSections() throws {
    let bench = try Bench(["a", "a", "c"], sections: true)
    try bench.expect(["will", "move 10 0.0 1.0", "did"]) { _ in try bench.card(10).box = "c" }
    try bench.expect([
      "will", "section delete 0 a of 0", "section insert 0 b of 1", "move 20 0.0 0.0", "did",
    ]) { _ in try bench.card(20).box = "b" }
    try bench.expect([
      "will", "section insert 2 d of 1", "move 30 1.1 2.0", "did",
    ]) { _ in try bench.card(30).box = "d" }
  }

  @Test func deletedSectionsHaveOldIndexesAndInsertedOnesNew() throws {
    let bench = try Bench(["b", "d", "f"], sections: true)
    try bench.expect([
      "will", "section delete 1 d of 0", "section delete 0 b of 0", "section insert 0 a of 1",
      "section insert 1 e of 1",
      "section insert 3 g of 1", "delete gone 1.0 -", "delete gone 0.0 -", "insert 1 - 0.0", "insert 2 - 1.0",
      "insert 3 - 3.0",
      "did",
    ]) { context in
      context.delete(try bench.card(10))
      context.delete(try bench.card(20))
      context.insertCard(1, box: "a")
      context.insertCard(2, box: "e")
      context.insertCard(3, box: "g")
    }
  }

  @Test func aSectionWithOnlyNewObjectsStays() throws {
    let bench = try Bench(["a", "b", "c"], sections: true)
    try bench.expect(["will", "delete gone 1.0 -", "insert 7 - 1.0", "did"]) { context in
      context.delete(try bench.card(20))
      context.insertCard(7, box: "b")
    }
  }

  // MARK: The controller's list meanwhile

  @Test func theListIsTheOldOneInWillAndTheNewOneAfterwards() throws {
    let bench = try Bench(["a", "a"], sections: true)
    var seen: [String] = []
    bench.log.onCall = { [controller = bench.controller] line in
      let ranks = controller.fetchedObjects?.map { "\($0.rank)" } ?? []
      seen.append("\(line.prefix(7)): \(ranks.joined(separator: " ")) in \(controller.sections?.count ?? 0)")
    }
    _ = try bench.reported { $0.insertCard(5, box: "b") }
    bench.log.onCall = nil
    #expect(seen == ["will: 10 20 in 1", "section: 10 20 5 in 2", "insert : 10 20 5 in 2", "did: 10 20 5 in 2"])
  }

  @Test func changesMadeInsideACallAreReportedAfterIt() throws {
    let bench = try Bench([nil], sections: false)
    bench.log.onCall = { [log = bench.log, context = bench.context] line in
      guard line == "will" else { return }
      log.onCall = nil
      context.insertCard(1)
      context.processPendingChanges()
    }
    try bench.expect(["will", "insert 20 - 0.1", "did", "will", "insert 1 - 0.0", "did"]) { $0.insertCard(20) }
  }

  @Test func aFetchInsideACallIsTheNewList() throws {
    let bench = try Bench([nil], sections: false)
    bench.log.onCall = { [controller = bench.controller] line in
      if line == "will" { try? controller.performFetch() }
    }
    try bench.expect(["will", "did"]) { $0.insertCard(20) }
    bench.log.onCall = nil
    #expect(bench.controller.fetchedObjects?.count == 2)
  }

  // MARK: Where changes come from

  @Test func savingTellsNothingMore() throws {
    let bench = try Bench([nil], sections: false)
    _ = try bench.reported { $0.insertCard(20) }
    try bench.expect([]) { try $0.save() }
    try bench.expect(["will", "update 20 0.1 0.1", "did"]) { _ in try bench.card(20).text = "x" }
  }

  @Test func rollbackAndResetAreFollowed() throws {
    let bench = try Bench([nil, nil, nil], sections: false, saved: true)
    _ = try bench.reported { context in
      context.insertCard(5)
      try bench.card(10).rank = 40
      context.delete(try bench.card(20))
    }
    try bench.expect([
      "will", "delete gone 0.0 -", "insert 20 - 0.1", "move 10 0.2 0.0", "did",
    ]) { $0.rollback() }
    try bench.expect([]) { $0.reset() }
    // The next fetch begins anew.
    try bench.expect([]) { $0.insertCard(1) }
    try bench.context.performAndWait { try bench.controller.performFetch() }
    #expect(bench.controller.fetchedObjects?.count == 4)
    try bench.expect(["will", "insert 2 - 0.1", "did"]) { $0.insertCard(2) }
  }

  /// The objects of the list are gone, whether there was a delegate at the reset or not.
  @Test func aDelegateThatComesAfterAResetWaitsForTheNextFetch() throws {
    let bench = try Bench([nil], sections: false, saved: true)
    bench.controller.delegate = nil
    bench.context.performAndWait { bench.context.reset() }
    bench.controller.delegate = bench.log
    try bench.expect([]) { $0.insertCard(20) }
    try bench.context.performAndWait { try bench.controller.performFetch() }
    try bench.expect(["will", "insert 30 - 0.2", "did"]) { $0.insertCard(30) }
  }

  @Test func undoAndRedoAreFollowed() throws {
    let bench = try Bench([nil, nil], sections: false)
    bench.context.performAndWait { bench.context.undoManager = UndoManager() }
    try bench.expect(["will", "move 30 0.0 0.1", "did"]) { _ in try bench.card(10).rank = 30 }
    try bench.expect(["will", "move 10 0.1 0.0", "did"]) { $0.undo() }
    try bench.expect(["will", "move 30 0.0 0.1", "did"]) { $0.redo() }
    try bench.expect(["will", "delete gone 0.0 -", "did"]) { $0.delete(try bench.card(20)) }
    try bench.expect(["will", "insert 20 - 0.0", "did"]) { $0.undo() }
  }

  @Test func aRefreshedObjectIsUpdated() throws {
    let bench = try Bench([nil, nil], sections: false, saved: true)
    try bench.expect(["will", "update 20 0.1 0.1", "did"]) { $0.refresh(try bench.card(20), mergeChanges: true) }
    try bench.expect(["will", "update 10 0.0 0.0", "did"]) { $0.refresh(try bench.card(10), mergeChanges: false) }
  }

  /// Objects that were not read, and objects that were not listed, are followed as well.
  @Test func mergesAreFollowedWhetherObjectsAreInUseOrNot() throws {
    let bench = try Bench([nil, nil, nil], sections: false, saved: true)
    try bench.stack.change { try $0.card(30).isShown = false }
    try bench.context.performAndWait {
      bench.context.reset()
      try bench.controller.performFetch()
      #expect(bench.controller.fetchedObjects?.count == 2)
      bench.context.automaticallyMergesChangesFromParent = true
    }
    try bench.stack.change { context in
      try context.card(10).rank = 25
      try context.card(30).isShown = true
      context.insertCard(15)
    }
    try bench.expect([
      "will", "insert 15 - 0.0", "insert 30 - 0.3", "move 25 0.0 0.2", "did",
    ]) { _ in }
    try bench.stack.change { context in
      context.delete(try context.card(20))
      context.delete(try context.card(15))
    }
    try bench.expect(["will", "delete 20 0.1 -", "delete 15 0.0 -", "did"]) { _ in }
  }

  @Test func whatAChildSavesIsFollowedInItsParent() throws {
    let bench = try Bench([nil], sections: false, saved: true)
    let child = bench.stack.child(of: bench.context)
    try child.performAndWait {
      child.insertCard(5)
      try child.card(10).rank = 3
      try child.save()
    }
    try bench.expect(["will", "insert 5 - 0.1", "update 3 0.0 0.0", "did"]) { _ in }
  }

  @Test func aChildFollowsWhatItsParentSaves() throws {
    let stack = try TestStack(model: Cards.model())
    let parent = stack.context("parent")
    try parent.performAndWait {
      for rank in [Int64(10), 20, 30] { parent.insertCard(rank) }
      try parent.card(30).isShown = false
      try parent.save()
    }
    let child = stack.child(of: parent)
    let log = DelegateLog()
    let controller = Cards.controller(child)
    controller.delegate = log
    try child.performAndWait {
      child.automaticallyMergesChangesFromParent = true
      try controller.performFetch()
    }
    try parent.performAndWait {
      try parent.card(10).rank = 25
      try parent.card(30).isShown = true
      try parent.save()
    }
    child.performAndWait {
      #expect(log.take() == ["will", "insert 30 - 0.2", "move 25 0.0 0.1", "did"])
    }
  }

  @Test func withoutADelegateNothingIsFollowed() throws {
    let bench = try Bench([nil], sections: false)
    bench.controller.delegate = nil
    try bench.expect([]) { $0.insertCard(20) }
    #expect(bench.controller.fetchedObjects?.count == 1)
    bench.controller.delegate = bench.log
    try bench.expect(["will", "insert 30 - 0.1", "did"]) { $0.insertCard(30) }
  }

  /// As on Apple's systems a limit holds for the fetch only.
  @Test func whatChangesJoinsWhateverTheLimitIs() throws {
    let bench = try Bench([nil, nil, nil], sections: false)
    bench.controller.fetchRequest.fetchLimit = 2
    try bench.context.performAndWait { try bench.controller.performFetch() }
    #expect(bench.controller.fetchedObjects?.map(\.rank) == [10, 20])
    try bench.expect(["will", "insert 5 - 0.0", "did"]) { $0.insertCard(5) }
    #expect(bench.controller.fetchedObjects?.map(\.rank) == [5, 10, 20])
  }

  /// Only the fetched objects are watched; a refresh makes the controller look again.
  @Test func aRelatedObjectsChangeIsSeenWithTheObjectsOwn() throws {
    let stack = try TestStack(model: Cards.model())
    let context = stack.context()
    try context.performAndWait {
      let owners = ["b", "c"].map { name in
        let owner = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
        owner.setValue(name, forKey: "name")
        return owner
      }
      let cards = [Int64(10), 20].map { context.insertCard($0) }
      for (card, owner) in zip(cards, owners) { card.owner = owner }
      try context.save()
      let request = NSFetchRequest<Card>(entityName: "Card")
      request.sortDescriptors = [NSSortDescriptor(key: "owner.name", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let log = DelegateLog()
      controller.delegate = log
      try controller.performFetch()
      owners[1].setValue("a", forKey: "name")
      context.processPendingChanges()
      #expect(log.take() == [])
      try context.save()
      context.refresh(cards[1], mergeChanges: true)
      #expect(log.take() == ["will", "move 20 0.1 0.0", "did"])
    }
  }
}

extension NSManagedObjectContext {
  fileprivate func card(_ rank: Int64) throws -> Card {
    let request = NSFetchRequest<Card>(entityName: "Card")
    request.predicate = NSPredicate(format: "rank == %d", rank)
    return try #require(try fetch(request).first)
  }
}
