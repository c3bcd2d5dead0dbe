import Checking
import CoreData
import Scheduling

// S1.3, S1.4, S6.2, S6.3, S7.1, S7.4, S7.5: every form in which one thing can be asked for gives one result, or one error.

extension RuleTrial {
  func forms() throws {
    let coordinator = try open()
    let owner = context(coordinator)
    try owner.performAndWait {
      populate(owner, items: 6)
      try save(owner)
    }
    for _ in 0..<2 { try fetchInForms(coordinator, owner) }
    try refuseForms(coordinator, owner)
    try listInForms(coordinator)
    try performInForms(coordinator)
    if !Simulation.isCurrent {
      try awaitForms(coordinator)
      try moveInForms()
    }
  }

  // MARK: Fetches

  /// One fetch in every form, in a context, a child or a context of the main queue, some of them with unsaved changes.
  private func fetchInForms(_ coordinator: NSPersistentStoreCoordinator, _ parent: NSManagedObjectContext) throws {
    let asker =
      switch draw(3) {
      case 0: context(coordinator)
      case 1: context(in: parent)
      default: mainContext(coordinator)
      }
    let (first, count) = (newNumber(), draw(3))
    let (limit, offset, isAscending, pending) = (draw(5), draw(3), chance(1, of: 2), chance(2, of: 3))
    note("a fetch in every form: limit \(limit), offset \(offset), \(count) new ones, which count: \(pending)")
    func make() -> NSFetchRequest<NSManagedObject> {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = NSPredicate(format: "number <= %ld", first + 100)
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: isAscending)]
      (request.fetchLimit, request.fetchOffset, request.includesPendingChanges) = (limit, offset, pending)
      return request
    }
    let done = Latch(label: "a fetch in the background")
    let later = Locked<[Int]>([])
    let expected = try asker.performAndWait {
      for _ in 0..<count { _ = insertNumbered("Item", asker) }
      let expected = try asker.fetch(make()).map(RulePicture.number)
      try requireForms(make, expected, asker, coordinator)
      let request = NSAsynchronousFetchRequest(fetchRequest: make()) { result in
        let numbers = (result.finalResult ?? []).map(RulePicture.number)
        later.withLock { $0 = numbers }
        done.open()
      }
      _ = try asker.execute(request)
      return expected
    }
    try require(done.wait(atMost: 30), true, .hang, "whether a fetch in the background ends")
    try require(later.withLock { $0 }, expected, .wrongValue, "a fetch in the background")
    asker.performAndWait { asker.reset() }
  }

  /// The forms that answer at once; in a block of the context.
  private func requireForms(
    _ make: () -> NSFetchRequest<NSManagedObject>, _ expected: [Int], _ asker: NSManagedObjectContext,
    _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(asker.persistentStoreCoordinator === coordinator, "all forms ask one store")
    func numbers(_ value: Any?) -> [Int]? { (value as? [NSManagedObject])?.map(RulePicture.number) }
    let finished = try asker.execute(make()) as? NSAsynchronousFetchResult<NSManagedObject>
    let byEntity = make()
    byEntity.entity = NSEntityDescription.entity(forEntityName: "Item", in: asker)
    let (request, context) = (NSExpression(forConstantValue: make()), NSExpression(forConstantValue: asker))
    let expression = NSFetchRequestExpression.expression(forFetch: request, context: context, countOnly: false)
    let counting = NSFetchRequestExpression.expression(forFetch: request, context: context, countOnly: true)
    let controller = NSFetchedResultsController(
      fetchRequest: make(), managedObjectContext: asker, sectionNameKeyPath: nil, cacheName: nil)
    try controller.performFetch()
    let forms: [(String, [Int]?)] = [
      ("fetch(_:)", numbers(try asker.fetch(make()))), ("execute() of the request", numbers(try make().execute())),
      ("execute(_:) of the context", numbers(finished?.finalResult)),
      ("execute(_:with:) of the coordinator", numbers(try coordinator.execute(make(), with: asker))),
      ("a request with an entity", numbers(try asker.fetch(byEntity))),
      ("a copy", numbers(try (make().copy() as? NSFetchRequest<NSManagedObject>)?.execute())),
      ("an expression", numbers(expression.expressionValue(with: nil, context: nil))),
      ("a controller", numbers(controller.fetchedObjects)),
    ]
    for (form, seen) in forms { try require(seen, expected, .wrongValue, "a fetch by \(form)") }
    let counts = [
      try asker.count(for: make()), (counting.expressionValue(with: nil, context: nil) as? NSNumber)?.intValue,
    ]
    try require(counts, [expected.count, expected.count], .wrongValue, "counts of a fetch, by two forms")
  }

  /// A fetch outside of a block, and one for a context of another coordinator, are refused in every form.
  private func refuseForms(_ coordinator: NSPersistentStoreCoordinator, _ owner: NSManagedObjectContext) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    try require(
      AnythingClient.error { _ = try request.execute() }?.code, NSPersistentStoreOperationError, .wrongValue,
      "the error of a fetch outside of a block")
    let other = try open(at: newURL())
    try owner.performAndWait {
      let requests: [NSPersistentStoreRequest] = [
        request, NSBatchUpdateRequest(entityName: "Item"), NSBatchInsertRequest(entityName: "Item", objects: []),
      ]
      for request in requests {
        try require(
          AnythingClient.error { _ = try other.execute(request, with: owner) }?.code, NSPersistentStoreOperationError,
          .wrongValue, "the error of a \(type(of: request)) by another coordinator")
      }
      let strange = NSFetchRequest<NSManagedObject>(entityName: "Stranger")
      let forms: [(String, () throws -> Void)] = [
        ("fetch(_:)", { _ = try owner.fetch(strange) }), ("execute()", { _ = try strange.execute() }),
        ("execute(_:)", { _ = try owner.execute(strange) }), ("count(for:)", { _ = try owner.count(for: strange) }),
        ("execute(_:with:)", { _ = try coordinator.execute(strange, with: owner) }),
        ("an asynchronous fetch", { _ = try owner.execute(NSAsynchronousFetchRequest(fetchRequest: strange)) }),
        ("a batch update", { [self] in _ = try owner.execute(update("Stranger")) }),
      ]
      for (form, body) in forms {
        try require(
          AnythingClient.error(body)?.code, NSCoreDataError, .wrongValue, "the error of an unknown entity by \(form)")
      }
    }
  }

  private func update(_ entity: String) -> NSBatchUpdateRequest {
    precondition(!entity.isEmpty, "a batch update names its entity")
    let request = NSBatchUpdateRequest(entityName: entity)
    request.propertiesToUpdate = ["rank": 1]
    return request
  }

  // MARK: Lists

  /// A controller's objects, by sections, by index paths of either form and by index titles.
  private func listInForms(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    try owner.performAndWait {
      for item in try all("Item", owner) { item.setValue(pick(["alpha", "Anton", "beta", "delta"]), forKey: "name") }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.sortDescriptors = ["name", "number"].map { NSSortDescriptor(key: $0, ascending: true) }
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: owner, sectionNameKeyPath: "name", cacheName: "a cache")
      try controller.performFetch()
      let before = controller.fetchedObjects?.map(RulePicture.number)
      NSFetchedResultsController<NSManagedObject>.deleteCache(withName: chance(1, of: 2) ? "a cache" : nil)
      try require(
        [controller.fetchedObjects?.map(RulePicture.number), try owner.fetch(request).map(RulePicture.number)],
        [before, before], .controllerDivergence, "a list after its cache was deleted, and the fetch of it")
      let sections = controller.sections ?? []
      try require(
        sections.flatMap { ($0.objects as? [NSManagedObject] ?? []).map(RulePicture.number) }, before ?? [],
        .controllerDivergence, "the objects of all sections")
      var titles: [String] = []
      for (number, section) in sections.enumerated() {
        let objects = section.objects as? [NSManagedObject] ?? []
        try require(section.numberOfObjects, objects.count, .controllerDivergence, "objects of \(section.name)")
        for (place, object) in objects.enumerated() {
          var moved = IndexPath(item: 90, section: 91)
          (moved.section, moved.row) = (number, place)
          let paths = [
            IndexPath(item: place, section: number), IndexPath(row: place, section: number), [number, place], moved,
          ]
          for path in paths {
            try require(
              [controller.object(at: path) === object, path.section == number, path.item == place, path.row == place],
              [true, true, true, true], .controllerDivergence, "the object at \(path), and the parts of its path")
          }
          try require(
            controller.indexPath(forObject: object), paths[0], .controllerDivergence, "the index path of an object")
        }
        let title = section.name.first.map { String($0).uppercased() } ?? ""
        try require(
          [section.indexTitle, controller.sectionIndexTitle(forSectionName: section.name)], [title, title],
          .controllerDivergence, "the index title of \(section.name)")
        if title != titles.last {
          titles.append(title)
          try require(
            controller.section(forSectionIndexTitle: title, at: titles.count - 1), number, .controllerDivergence,
            "the first section of an index title")
        }
      }
      try require(controller.sectionIndexTitles, titles, .controllerDivergence, "the index titles of a list")
      owner.rollback()
    }
  }
}
