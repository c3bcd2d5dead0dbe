import CoreData
import Testing

/// S7.5: the contents of a controller.
@Suite(.everyStore) struct ControllerTests {
  /// A controller over cards in two boxes.
  private func sectioned(_ context: NSManagedObjectContext) throws -> NSFetchedResultsController<Card> {
    for (rank, box) in [(1, "apples"), (2, "apples"), (3, "pears"), (4, "plums")] {
      context.insertCard(Int64(rank), box: box)
    }
    let controller = Cards.controller(context, sections: true)
    try controller.performFetch()
    return controller
  }

  @Test func nothingIsThereBeforeTheFirstFetch() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let controller = Cards.controller(context)
      #expect(controller.fetchedObjects == nil)
      #expect(controller.sections == nil)
      #expect(controller.sectionIndexTitles == [])
      try controller.performFetch()
      #expect(controller.fetchedObjects == [])
    }
  }

  @Test func objectsComeInOrderAndByIndexPath() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      for rank in [3, 1, 2] { context.insertCard(Int64(rank)) }
      context.insertCard(0).isShown = false
      let controller = Cards.controller(context)
      try controller.performFetch()
      let objects = try #require(controller.fetchedObjects)
      #expect(objects.map(\.rank) == [1, 2, 3])
      #expect(controller.object(at: IndexPath(item: 1, section: 0)).rank == 2)
      #expect(controller.indexPath(forObject: objects[2]) == [0, 2])
      #expect(controller.indexPath(forObject: context.insertCard(9)) == nil)
      #expect(controller.managedObjectContext === context)
    }
  }

  @Test func aListWithoutSectionsHasOneThatStays() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let controller = Cards.controller(context)
      try controller.performFetch()
      let sections = try #require(controller.sections)
      #expect(sections.map(\.numberOfObjects) == [0])
      #expect(sections.map(\.name) == [""])
      #expect(sections[0].indexTitle == nil)
    }
  }

  @Test func sectionsFollowTheKeyPath() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let controller = try sectioned(context)
      let sections = try #require(controller.sections)
      #expect(sections.map(\.name) == ["apples", "pears", "plums"])
      #expect(sections.map(\.numberOfObjects) == [2, 1, 1])
      #expect((sections[0].objects as? [Card])?.map(\.rank) == [1, 2])
      #expect(controller.object(at: IndexPath(row: 0, section: 2)).rank == 4)
      #expect(controller.indexPath(forObject: try #require(controller.fetchedObjects)[2]) == [1, 0])
    }
  }

  @Test func indexTitlesAreFirstLettersOnceEach() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let controller = try sectioned(context)
      #expect(controller.sections?.map(\.indexTitle) == ["A", "P", "P"])
      #expect(controller.sectionIndexTitles == ["A", "P"])
      #expect(controller.section(forSectionIndexTitle: "A", at: 0) == 0)
      #expect(controller.section(forSectionIndexTitle: "P", at: 1) == 1)
    }
  }

  private final class Titles: NSObject, NSFetchedResultsControllerDelegate {
    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>, sectionIndexTitleForSectionName name: String
    ) -> String? { name == "pears" ? nil : String(name.suffix(2)) }
  }

  @Test func theDelegateMayNameIndexTitles() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let controller = try sectioned(context)
      let titles = Titles()
      controller.delegate = titles
      #expect(controller.sectionIndexTitles == ["es", "ms"])
      #expect(controller.section(forSectionIndexTitle: "ms", at: 1) == 2)
    }
  }

  private final class Numbered: NSFetchedResultsController<Card> {
    override func sectionIndexTitle(forSectionName sectionName: String) -> String? { "\(sectionName.count)" }
  }

  @Test func aSubclassMayNameIndexTitles() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      context.insertCard(1, box: "five5")
      let controller = Numbered(
        fetchRequest: Cards.request(sections: true), managedObjectContext: context, sectionNameKeyPath: "box",
        cacheName: "boxes")
      try controller.performFetch()
      #expect(controller.sectionIndexTitles == ["5"])
      #expect(controller.cacheName == "boxes")
      Numbered.deleteCache(withName: nil)
    }
  }

  @Test func namesOfSectionsAreTextsOfAllKinds() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let owner = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
      owner.setValue("Ann", forKey: "name")
      context.insertCard(7).owner = owner
      context.insertCard(8)
      func expect(_ path: String, _ names: [String]) throws {
        let request = NSFetchRequest<Card>(entityName: "Card")
        request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: false)]
        let controller = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: path, cacheName: nil)
        try controller.performFetch()
        #expect(controller.sections?.map(\.name) == names)
      }
      try expect("rank", ["8", "7"])
      try expect("isShown", ["1"])
      try expect("box", [""])
      try expect("owner.name", ["", "Ann"])
    }
  }

  // S7.5: the name is the number's description.
  @Test func sectionsOfFractionsAreNamedAsNumbersAre() throws {
    let context = try TestStack(model: Estate.model()).context()
    try context.performAndWait {
      for number in [1, 0.1, 1e20, -2.5, 1.0 / 3] {
        context.insert("House", ["price": number, "rating": Float(number)])
      }
      for _ in 0..<2 {
        for (key, names) in [
          ("price", ["-2.5", "0.1", "0.3333333333333333", "1", "1e+20"]),
          ("rating", ["-2.5", "0.1", "0.3333333", "1", "1e+20"]),
        ] {
          let request = NSFetchRequest<NSManagedObject>(entityName: "House")
          request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
          let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: key, cacheName: nil)
          try controller.performFetch()
          #expect(controller.sections?.map(\.name) == names)
        }
        try context.save()
        context.reset()
      }
    }
  }

  @Test func sectionsThatAreTornApartAreRefused() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      for (rank, box) in [(1, "a"), (2, "b"), (3, "a")] { context.insertCard(Int64(rank), box: box) }
      let controller = NSFetchedResultsController(
        fetchRequest: Cards.request(), managedObjectContext: context, sectionNameKeyPath: "box", cacheName: nil)
      let error = try #require(throws: NSError.self) { try controller.performFetch() }
      #expect(error.domain == NSCocoaErrorDomain && error.code == NSCoreDataError)
      #expect(
        (error.userInfo["reason"] as? String)?.hasPrefix(
          "The fetched object at index 2 has an out of order section name 'a'") == true)
      #expect(controller.fetchedObjects == nil)
    }
  }

  @Test func onlyObjectsAreShown() throws {
    let context = try TestStack(model: Cards.model()).context()
    context.performAndWait {
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Card")
      request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: true)]
      request.resultType = .managedObjectIDResultType
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      #expect(cocoaCode { try controller.performFetch() } == NSCoreDataError)
    }
  }

  /// A controller is an object of one layout, whatever its results are taken for.
  @Test func aControllerWorksThroughItsUntypedReference() throws {
    final class Reader: NSObject, NSFetchedResultsControllerDelegate {
      var seen: [String] = []
      var typed: NSFetchedResultsController<Card>?

      func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        let first = controller.object(at: [0, 0])
        seen.append("\(controller === typed) \(controller == typed) \((first as? Card)?.rank ?? -1)")
        seen.append("\(controller.indexPath(forObject: first) ?? [])")
        seen.append("\((controller.fetchedObjects as? [Card])?.map(\.rank) ?? [])")
        seen.append("\(controller.fetchRequest.entityName ?? "none")")
        let copy = (controller.fetchedObjects ?? []) + [first]
        seen.append("\(copy.count)")
      }
    }
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let controller = Cards.controller(context)
      let reader = Reader()
      reader.typed = controller
      controller.delegate = reader
      try controller.performFetch()
      context.insertCard(5)
      context.insertCard(4)
      context.processPendingChanges()
      reader.typed = nil
      #expect(reader.seen == ["true true 4", "[0, 0]", "[4, 5]", "Card", "3"])
    }
  }

  @Test func untypedRequestsAndControllersFetch() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      context.insertCard(5)
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Card")
      request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: true)]
      #expect((try context.fetch(request) as? [Card])?.map(\.rank) == [5])
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      try controller.performFetch()
      #expect((controller.object(at: [0, 0]) as? Card)?.rank == 5)
    }
  }

  /// S7.5: the object of the predicate has a temporary ID at the fetch, and another one once it is saved.
  @Test func aPredicateNamesANewObjectBeyondItsSave() throws {
    let context = try TestStack(model: Cards.model()).context()
    try context.performAndWait {
      let owner = context.insert("Owner", ["name": "a"])
      context.insertCard(10).owner = owner
      let request = Cards.request()
      request.predicate = NSPredicate(format: "owner == %@", owner)
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let log = DelegateLog()
      controller.delegate = log
      try controller.performFetch()
      try context.save()
      _ = log.take()
      controller.fetchedObjects?.first?.text = "changed"
      context.insertCard(20).owner = owner
      context.insertCard(30)
      context.processPendingChanges()
      #expect(log.take() == ["will", "insert 20 - 0.1", "update 10 0.0 0.0", "did"])
    }
  }

  /// S7.5: the store derives the value that the controller chooses by as the object is saved.
  @Test func whatASaveDerivesIsFollowed() throws {
    let entity = Notebook.entity("Item", NSManagedObject.self)
    let plain = NSDerivedAttributeDescription()
    (plain.name, plain.attributeType) = ("plain", .stringAttributeType)
    plain.derivationExpression = NSExpression(format: "canonical:(name)")
    entity.properties = [Notebook.attribute("name", .stringAttributeType), plain]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let context = try TestStack(model: model).context()
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = NSPredicate(format: "plain BEGINSWITH 'a'")
      request.sortDescriptors = [NSSortDescriptor(key: "plain", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let log = DelegateLog()
      controller.delegate = log
      try controller.performFetch()
      let item = context.insert("Item", ["name": "Ärger"])
      try context.save()
      #expect(controller.fetchedObjects == [item])
      item.setValue("Zorn", forKey: "name")
      try context.save()
      #expect(controller.fetchedObjects == [])
      #expect(log.take().count { $0 == "did" } >= 2)
    }
  }

  @Test func anIndexPathHasNamesForItsIndexes() {
    var path = IndexPath(item: 2, section: 1)
    #expect(path == [1, 2])
    #expect(path == IndexPath(row: 2, section: 1))
    #expect(path.section == 1 && path.item == 2 && path.row == 2)
    path.section = 3
    path.row = 4
    #expect(path == [3, 4])
    path.item = 5
    #expect(path == [3, 5])
  }
}
