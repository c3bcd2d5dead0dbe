import CoreData
import Testing

/// S7.5: delegates that take collection differences.
@Suite struct ControllerDifferenceTests {
  @Test func aDelegateForDifferencesGetsNothingElse() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let cards = [Int64(10), 20, 30].map { context.insertCard($0) }
      try context.save()
      let controller = Cards.controller(context)
      let log = DifferenceLog()
      controller.delegate = log
      try controller.performFetch()
      let ids = cards.map(\.objectID)
      cards[0].rank = 25
      cards[2].text = "x"
      context.delete(cards[1])
      context.processPendingChanges()
      let steps = try #require(log.take().first)
      #expect(
        steps
          == CollectionDifference([
            .remove(offset: 1, element: ids[1], associatedWith: nil),
            .remove(offset: 0, element: ids[0], associatedWith: 0),
            .remove(offset: 2, element: ids[2], associatedWith: 1),
            .insert(offset: 0, element: ids[0], associatedWith: 0),
            .insert(offset: 1, element: ids[2], associatedWith: 2),
          ]))
      #expect(log.otherCalls == 0)
      context.insert(
        NSManagedObject(entity: try #require(ids[0].entity.managedObjectModel.entitiesByName["Owner"]), insertInto: nil)
      )
      context.processPendingChanges()
      #expect(log.take().isEmpty)
    }
  }

  @Test func withSectionsTheOtherCallsAreUsed() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let controller = Cards.controller(context, sections: true)
      let log = DifferenceLog()
      controller.delegate = log
      try controller.performFetch()
      context.insertCard(1)
      context.processPendingChanges()
      #expect(log.take().isEmpty)
      #expect(log.otherCalls == 2)
    }
  }

  /// A delegate that goes by IDs learns of permanent ones.
  @Test func aPermanentIDTakesThePlaceOfATemporaryOne() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      context.insertCard(1)
      let controller = Cards.controller(context)
      let log = DifferenceLog()
      controller.delegate = log
      try controller.performFetch()
      context.insertCard(2)
      context.insertCard(3)
      context.processPendingChanges()
      var shadow = try #require(controller.fetchedObjects).map(\.objectID)
      #expect(shadow.allSatisfy { $0.isTemporaryID })
      #expect(log.take().count == 1)
      try context.obtainPermanentIDs(for: [try #require(controller.fetchedObjects)[2]])
      try context.save()
      let differences = log.take()
      #expect(differences.map(\.count) == [2, 4])
      for difference in differences { shadow = try #require(shadow.applying(difference)) }
      #expect(shadow == controller.fetchedObjects?.map(\.objectID))
      #expect(!shadow.contains { $0.isTemporaryID })
      try context.save()
      #expect(log.take().isEmpty)
    }
  }

  /// The first change shows the delegate's list; until then it must not see the new list too early.
  @Test func aDelegateWithoutDifferencesSeesTheOldListFirst() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let controller = Cards.controller(context)
      let log = DelegateLog()
      var counts: [Int] = []
      log.onCall = { [weak controller] _ in counts.append(controller?.fetchedObjects?.count ?? -1) }
      controller.delegate = log
      try controller.performFetch()
      for rank in 1...2 {
        context.insertCard(Int64(rank))
        context.processPendingChanges()
      }
      #expect(counts == [0, 1, 1, 1, 2, 2])
    }
  }

  /// So it is with the sections, which were asked for in the first call.
  @Test func aDelegateWithoutDifferencesSeesTheNewSectionsAfterTheOldOnes() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let controller = Cards.controller(context)
      let log = DelegateLog()
      var counts: [Int] = []
      log.onCall = { [weak controller] _ in counts.append(controller?.sections?.first?.numberOfObjects ?? -1) }
      controller.delegate = log
      try controller.performFetch()
      context.insertCard(1)
      context.processPendingChanges()
      #expect(counts == [0, 1, 1])
      #expect(controller.sections?.first?.numberOfObjects == 1)
    }
  }

  /// The change is reported once, to the delegate at the time it came, and the next one to the new delegate.
  @Test func aDelegateMayGiveWayToAnotherInsideACall() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let controller = Cards.controller(context)
      let (first, second) = (DifferenceLog(), DifferenceLog())
      controller.delegate = first
      try controller.performFetch()
      for (rank, next) in [(Int64(1), second), (2, first)] {
        let last = controller.delegate as? DifferenceLog
        last?.onCall = { controller.delegate = next }
        context.insertCard(rank)
        context.processPendingChanges()
        last?.onCall = nil
        #expect(last?.take().count == 1 && last?.otherCalls == 0)
        #expect(next.take().isEmpty && next.otherCalls == 0)
        #expect(controller.fetchedObjects?.count == Int(rank))
      }
      context.insertCard(3)
      context.processPendingChanges()
      #expect(first.take().count == 1)
      #expect(controller.fetchedObjects?.map(\.rank) == [1, 2, 3])
    }
  }

  @Test func aFetchInsideACallLeavesTheNewList() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let controller = Cards.controller(context)
      let log = DifferenceLog()
      controller.delegate = log
      try controller.performFetch()
      log.onCall = { #expect(throws: Never.self) { try controller.performFetch() } }
      for rank in 1...2 {
        context.insertCard(Int64(rank))
        context.processPendingChanges()
        #expect(controller.fetchedObjects?.count == rank)
      }
      #expect(log.take().count == 2 && log.otherCalls == 0)
    }
  }

  /// A delegate for differences after one without them learns of permanent IDs all the same.
  @Test func aLaterDelegateLearnsOfPermanentIDs() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let controller = Cards.controller(context)
      let (plain, log) = (DelegateLog(), DifferenceLog())
      controller.delegate = plain
      try controller.performFetch()
      context.insertCard(1)
      context.processPendingChanges()
      controller.delegate = log
      try context.save()
      #expect(log.take().map(\.count) == [2])
    }
  }
}
