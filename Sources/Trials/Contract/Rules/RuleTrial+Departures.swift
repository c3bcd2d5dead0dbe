import Checking
import CoreData
import Scheduling

// S6.3, S6.12, S6.17, S7.4, S7.5: a store that is removed or moved is closed for all who use it, and its objects are read and saved no
// more: by contexts with a query generation and those with their token, by children, batches of fetches, controllers and asynchronous
// fetches, also once the same file, another one or a new one is open in its place; what was read stays.

extension RuleTrial {
  private enum Departure: CaseIterable { case removed, moved, readded, replaced, destroyed }

  func departures() throws {
    for departure in shuffled(Departure.allCases).prefix(3) { try leaveStore(departure) }
  }

  /// Someone who uses the store that goes.
  private struct StoreUser {
    let context: NSManagedObjectContext
    let what: String
    /// Objects that were read, with what they had.
    var read: [(object: NSManagedObject, text: String)] = []
    /// Objects of which nothing was read, and the lists that they are of.
    var held: [NSManagedObject] = []
    var controller: NSFetchedResultsController<NSManagedObject>?
  }

  private func leaveStore(_ departure: Departure) throws {
    let url = newURL()
    let coordinator = try open(at: url)
    let writer = context(coordinator)
    try writer.performAndWait {
      populate(writer, items: 6 + draw(4))
      try save(writer)
    }
    guard let store = coordinator.persistentStores.first else { return }
    let file = try stored(coordinator)
    if chance(1, of: 2) { try addBeside(coordinator) }
    note("\(coordinator.persistentStores.count) stores, of which one is \(departure)")
    let before = try picture(freshContext(coordinator))
    let written = try writer.performAndWait { try all("Item", writer) }
    let items = writer.performAndWait { written.map(\.objectID) }
    let users = try makeUsers(coordinator, items)
    let fetch = DepartedFetch(context(coordinator))
    try fetch.begin()
    let place = departure == .moved ? newURL() : url
    if departure == .moved {
      try coordinator.migratePersistentStore(store, to: place, options: nil, withType: NSSQLiteStoreType)
    } else {
      try coordinator.remove(store)
    }
    try require(
      [0, items.count].contains(fetch.count()), true, .tornRead,
      "whether an asynchronous fetch beside the removal of a store finds all or nothing")
    if !Simulation.isCurrent {
      // A read that was under way in another thread may be on its way out.
      for _ in 0..<200 where try openFiles(url) > 0 { SerialQueue.main.sync {} }
      try require(try openFiles(url), 0, .storeCorruption, "open files of a store that was \(departure)")
    }
    try requireLeft(users, Set(items), departure)
    try refuseDeparted(writer, written, departure)
    let after = try follow(departure, url, coordinator, before)
    guard !coordinator.persistentStores.isEmpty else { return }
    if departure != .readded { try requireLeft(users, Set(items), departure) }
    try require(
      try picture(freshContext(coordinator)), after, .wrongValue, "in what is open after a store was \(departure)")
    for user in users where user.context.parent == nil {
      try user.context.performAndWait {
        user.context.reset()
        if user.context.queryGenerationToken != nil { try user.context.setQueryGenerationFrom(.current) }
      }
      try require(
        try picture(user.context), after, .staleRead, "in \(user.what), after its store was \(departure) and a reset")
    }
    if departure == .moved { try requireOld(url, file, coordinator) }
    try close(coordinator)
  }

  /// A store of one box, beside the one that goes.
  private func addBeside(_ coordinator: NSPersistentStoreCoordinator) throws {
    let second = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: newURL())
    let writer = context(coordinator)
    try writer.performAndWait {
      writer.assign(insert("Box", writer), to: second)
      try save(writer)
    }
  }

  // MARK: Before

  private func makeUsers(
    _ coordinator: NSPersistentStoreCoordinator, _ items: [NSManagedObjectID]
  ) throws -> [StoreUser] {
    precondition(!items.isEmpty, "users have something to read")
    let (pinned, heir, plain, lists) = (
      context(coordinator), context(coordinator), context(coordinator), context(coordinator)
    )
    let token = try pinned.performAndWait {
      try pinned.setQueryGenerationFrom(.current)
      _ = try pinned.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      return pinned.queryGenerationToken
    }
    try heir.performAndWait { try heir.setQueryGenerationFrom(token) }
    var users = [
      StoreUser(context: pinned, what: "a context with a query generation"),
      StoreUser(context: heir, what: "a context with another one's query generation"),
      StoreUser(context: plain, what: "a context"), StoreUser(context: lists, what: "a context with a controller"),
      StoreUser(context: context(in: pinned), what: "a child of a context with a query generation"),
      StoreUser(context: context(in: plain), what: "a child"),
    ]
    for index in users.indices {
      let user = users[index].context
      try user.performAndWait {
        // A child's objects are those of its parent, which may have read them.
        guard user.parent == nil else { return }
        for id in some(items, atMost: 3) {
          let object = try user.existingObject(with: id)
          users[index].read.append((object, Self.departed(object)))
        }
        if chance(2, of: 3) {
          let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
          request.fetchBatchSize = chance(1, of: 2) ? 2 : 0
          request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: true)]
          users[index].held = try user.fetch(request)
          if chance(1, of: 2), let first = users[index].held.first { _ = first.value(forKey: "name") }
        }
        guard user === lists else { return }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Box")
        request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: true)]
        let controller = NSFetchedResultsController(
          fetchRequest: request, managedObjectContext: user, sectionNameKeyPath: nil, cacheName: nil)
        try controller.performFetch()
        users[index].controller = controller
      }
    }
    return users
  }

  private static func departed(_ object: NSManagedObject) -> String {
    [RuleModel.number, "name", "rank"].map { RulePicture.text(object.value(forKey: $0)) }.joined(separator: " ")
  }

  // MARK: Afterwards

  /// No user finds an object of the store; those that were read are as they were. A fault of one is not read: that ends a program.
  private func requireLeft(_ users: [StoreUser], _ gone: Set<NSManagedObjectID>, _ departure: Departure) throws {
    precondition(!gone.isEmpty, "some objects are gone with their store")
    for user in shuffled(users) {
      let (context, what) = (user.context, "in \(user.what), after its store was \(departure)")
      try context.performAndWait {
        for (object, text) in user.read {
          try require(Self.departed(object), text, .wrongValue, "an object that was read, \(what)")
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        let found = (try? context.fetch(request)) ?? []
        try require(
          found.filter { gone.contains($0.objectID) }.count, 0, .resurrectedRecord, "objects that a fetch finds \(what)"
        )
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
        ids.resultType = .managedObjectIDResultType
        let listed = (try? context.fetch(ids)) ?? []
        try require(listed.filter(gone.contains).count, 0, .resurrectedRecord, "IDs that a fetch finds \(what)")
        let count = (try? context.count(for: request)) ?? 0
        try require(count, found.count, .resurrectedRecord, "the count of what a fetch finds \(what)")
        for id in gone.sorted(by: { $0.uriRepresentation().absoluteString < $1.uriRepresentation().absoluteString }) {
          // One that was read is registered, and found without its store; a child's may be so by its parent.
          guard context.registeredObject(for: id)?.isFault ?? true else { continue }
          if let parent = context.parent {
            let isKnown = parent.performAndWait { parent.registeredObject(for: id) != nil }
            if isKnown { continue }
          }
          let error = AnythingClient.error { _ = try context.existingObject(with: id) }
          try require(error == nil, false, .resurrectedRecord, "whether existingObject succeeds \(what)")
        }
        guard let controller = user.controller else { return }
        let error = AnythingClient.error { try controller.performFetch() }
        let shown = error == nil ? controller.fetchedObjects ?? [] : []
        let open = context.persistentStoreCoordinator?.persistentStores ?? []
        try require(
          shown.allSatisfy { object in open.contains { $0 === object.objectID.persistentStore } }, true,
          .controllerDivergence, "whether a controller shows what is in open stores \(what)")
      }
    }
  }

  /// A change of an object of the store is not saved, nowhere, and is there still.
  private func refuseDeparted(
    _ writer: NSManagedObjectContext, _ written: [NSManagedObject], _ departure: Departure
  ) throws {
    try writer.performAndWait {
      // A fault that is read ends the program.
      guard let item = pick(written.filter { !$0.isFault }) else { return }
      item.setValue("departed \(newNumber())", forKey: "name")
      let error = AnythingClient.error { try writer.save() }
      try require(
        error == nil, false, .unpersistedSave, "whether an object is saved of which the store was \(departure)")
      try require(
        [item.hasChanges, writer.updatedObjects.contains(item)], [true, true], .lostUpdate,
        "whether what could not be saved is there, after its store was \(departure)")
      writer.reset()
    }
  }

  /// The same file, another one, or a new one is opened.
  ///
  /// - Returns: what is to be read then.
  private func follow(
    _ departure: Departure, _ url: URL, _ coordinator: NSPersistentStoreCoordinator, _ before: RulePicture
  ) throws -> RulePicture {
    precondition(!before.objects.isEmpty, "a store that goes has objects")
    switch departure {
    case .moved: return before
    case .removed: break
    case .readded:
      try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
      return before
    case .replaced:
      let source = newURL()
      let maker = try open(at: source)
      let owner = context(maker)
      try owner.performAndWait {
        populate(owner, items: 4)
        try save(owner)
      }
      try close(maker)
      try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: source, ofType: NSSQLiteStoreType)
      try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    case .destroyed:
      try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
      let new = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
      let owner = context(coordinator)
      try owner.performAndWait {
        for _ in 0..<4 { owner.assign(insert("Item", owner), to: new) }
        try save(owner)
      }
    }
    guard !coordinator.persistentStores.isEmpty else { return RulePicture([:]) }
    return try picture(freshContext(coordinator))
  }

  /// The file that a store was moved from is as it was, whatever is saved at its new place.
  private func requireOld(_ url: URL, _ file: RulePicture, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(!file.objects.isEmpty, "the store that was moved had objects")
    let writer = context(coordinator)
    try writer.performAndWait {
      for item in try all("Item", writer).prefix(3) { item.setValue(newNumber(), forKey: "rank") }
      try save(writer)
    }
    let old = try open(at: url)
    try require(try stored(old), file, .wrongValue, "in the file from which a store was moved")
    try close(old)
  }
}

/// An asynchronous fetch beside which a store goes.
private struct DepartedFetch {
  let context: NSManagedObjectContext
  private let done = Latch(label: "asynchronous fetch beside a departure")
  private let found = Locked(0)

  init(_ context: NSManagedObjectContext) { self.context = context }

  func begin() throws {
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      let later = NSAsynchronousFetchRequest(fetchRequest: request) { [found, done] result in
        found.withLock { $0 = result.finalResult?.count ?? 0 }
        done.open()
      }
      _ = try context.execute(later)
    }
  }

  /// How many objects it finds; nothing where it fails.
  func count() -> Int {
    done.wait()
    return found.withLock { $0 }
  }
}
