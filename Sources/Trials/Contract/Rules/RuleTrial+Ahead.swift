import Cells
import Checking
import CoreData

// S2.3, S2.6, S5.2, S7.1: whatever a context has read ahead, by fetches, batches, prefetched relationships, members or faults of one
// block, is the newest when it is looked at, though others have saved meanwhile, through this coordinator or another one, and whether
// or not the context has heard of that.

extension RuleTrial {
  /// How rows come to a context that looks at few of them.
  private enum Ahead: CaseIterable { case fetch, whole, batch, prefetch, members, chain, ids }

  func ahead() throws {
    let coordinator = try open()
    let others = chance(1, of: 4) ? try open() : coordinator
    let writer = context(others, .mergeByPropertyObjectTrump)
    try writer.performAndWait {
      populate(writer, items: 6 + draw(8))
      try cover(writer)
      try save(writer)
    }
    for _ in 0..<2 { try lookLate(coordinator, writer) }
  }

  /// Leads a box and an item to each other; in a block of the context.
  private func cover(_ context: NSManagedObjectContext) throws {
    guard let box = pick(try all("Box", context)), let item = pick(try all("Item", context)) else { return }
    note("cover of \(RulePicture.number(box)) = \(RulePicture.number(item))")
    box.setValue(item, forKey: "cover")
  }

  /// One context reads ahead, others save, and it looks: perhaps all of that in one block, in which no row may be of before.
  private func lookLate(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    let isElsewhere = writer.persistentStoreCoordinator !== coordinator
    let merges = !isElsewhere && chance(1, of: 4)
    precondition(!(merges && isElsewhere), "contexts merge saves of their own coordinator by themselves")
    // The row cache of another coordinator may answer with an older row.
    let reader = isElsewhere ? freshContext(coordinator) : context(coordinator, merges: merges)
    CellReports.allowInaccessibleFaults(in: [reader.name ?? ""])
    let saves = SaveLog(session.environment, of: writer)
    defer { saves.end() }
    func readAndLook() throws {
      let held = try reader.performAndWait { try readAhead(reader) }
      // Those that have shown no value when the first save comes of which the context hears nothing.
      var late: [NSManagedObject] = []
      var isCurrent = true
      for _ in 0..<(1 + draw(2)) {
        if isCurrent { late = reader.performAndWait { held.filter(\.isFault) } }
        try writeBehind(writer)
        let saved = saves.removeAll()
        if merges {
          reader.performAndWait {}
        } else if chance(1, of: 3) {
          note("it is merged")
          reader.performAndWait { for save in saved { reader.mergeChanges(fromContextDidSave: save) } }
        } else {
          isCurrent = false
        }
      }
      let (file, ids) = try rows(coordinator)
      try reader.performAndWait {
        let isRefreshed = try bringRows(reader, held)
        let objects = isCurrent || isRefreshed ? held : late
        try look(objects, file, ids, "read ahead of a \(isCurrent ? "merge" : isRefreshed ? "refresh" : "save")")
        // Of another coordinator's rows a merge brings those that the context has.
        if isCurrent, !isElsewhere {
          try saveUnseen(reader, held.filter { $0.isFault && ids.contains($0.objectID) })
        }
        withExtendedLifetime(held) {}
      }
    }
    // Inside a block nothing is merged by itself.
    guard !merges, chance(1, of: 2) else { return try readAndLook() }
    note("in one block:")
    try reader.performAndWait { try readAndLook() }
  }

  /// Newer rows come to objects that are not looked at; in a block of the context.
  ///
  /// - Returns: whether they have come to all objects, also those that have shown their values.
  private func bringRows(_ reader: NSManagedObjectContext, _ held: [NSManagedObject]) throws -> Bool {
    let way = draw(5)
    guard way > 1 else { return false }
    note(["", "", "rows are fetched again", "all is refreshed", "each is refreshed"][way])
    switch way {
    case 2: _ = try readAhead(reader, looks: false)
    case 3: reader.refreshAllObjects()
    default:
      let merges = chance(1, of: 2)
      for object in held where !object.isDeleted { reader.refresh(object, mergeChanges: merges) }
    }
    return way > 2
  }

  /// A fault is deleted or changed in the newest version that a merge has brought: its save meets no conflict; in a block of the context.
  private func saveUnseen(_ reader: NSManagedObjectContext, _ faults: [NSManagedObject]) throws {
    guard let fault = pick(faults), chance(1, of: 2) else { return }
    let isDeletion = chance(2, of: 3)
    note(
      "\(isDeletion ? "delete" : "change") \(fault.objectID.uriRepresentation().lastPathComponent), which was not looked at"
    )
    if isDeletion { reader.delete(fault) } else { fault.setValue(newNumber() + 1_000, forKey: RuleModel.number) }
    guard let error = AnythingClient.error({ try save(reader) }) else { return }
    if error.code != NSManagedObjectMergeError { throw error }
    try report(.wrongWinner, "a save of a fault, once all was merged", expected: "no conflict", seen: "\(error)")
  }

  /// The rows of the file, and their IDs.
  private func rows(_ coordinator: NSPersistentStoreCoordinator) throws -> (RulePicture, Set<NSManagedObjectID>) {
    let file = try stored(coordinator).withoutDerived
    let fresh = freshContext(coordinator)
    let ids = try fresh.performAndWait {
      try RulePicture.entities.flatMap { try fresh.fetch(NSFetchRequest<NSManagedObject>(entityName: $0)) }.map(
        \.objectID)
    }
    try require(ids.count, file.objects.count, .lostRecord, "how many rows the file has")
    return (file, Set(ids))
  }

  /// Reads ahead in some ways; in a block of the context.
  ///
  /// - Returns: all objects that the context has of it.
  private func readAhead(_ reader: NSManagedObjectContext, looks: Bool = true) throws -> [NSManagedObject] {
    var held: [NSManagedObject] = []
    for way in some(Ahead.allCases, atMost: 3) + [pick(Ahead.allCases) ?? .fetch] {
      let entity = pick(RulePicture.entities) ?? "Item"
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: chance(1, of: 2))]
      request.includesPropertyValues = chance(2, of: 3)
      request.shouldRefreshRefetchedObjects = chance(1, of: 4)
      if [.prefetch, .batch].contains(way) {
        let paths = [
          "Item": ["box", "shelf", "tags", "covered", "tags.items"], "Box": ["items", "list", "cover", "items.tags"],
        ]
        request.relationshipKeyPathsForPrefetching = some(paths[entity] ?? ["items", "items.box"], atMost: 3)
      }
      if way == .batch { request.fetchBatchSize = 1 + draw(5) }
      if way == .whole { request.returnsObjectsAsFaults = false }
      note("\(way) of \(entity), prefetching \(request.relationshipKeyPathsForPrefetching ?? [])")
      var found = try reader.fetch(request)
      if way == .ids {
        let ids = found.map(\.objectID)
        found = []
        if chance(1, of: 2) { reader.refreshAllObjects() }
        found = ids.map { reader.object(with: $0) }
      }
      guard looks else { continue }
      // Of a batch one, of others some.
      for object in some(found, atMost: way == .batch ? 1 : way == .chain ? 4 : 0) { _ = RulePicture.number(object) }
      if way == .members, let object = pick(found) {
        // It holds them.
        for name in object.entity.relationshipsByName.keys.sorted() where name != "shown" {
          _ = object.value(forKey: name)
        }
      }
      held += found
    }
    defer { withExtendedLifetime(held) {} }
    return reader.registeredObjects.sorted {
      $0.objectID.uriRepresentation().path < $1.objectID.uriRepresentation().path
    }
  }

  /// Others change, move, insert and delete something, and save.
  private func writeBehind(_ writer: NSManagedObjectContext) throws {
    note("others:")
    try writer.performAndWait {
      writer.refreshAllObjects()
      for _ in 0..<(1 + draw(4)) { try changeSomething(writer) }
      if chance(1, of: 2) { try cover(writer) }
      if chance(1, of: 3), let box = pick(try all("Box", writer)) {
        note("list of \(RulePicture.number(box)) is reversed")
        box.setValue((box.value(forKey: "list") as? NSOrderedSet)?.reversed, forKey: "list")
      }
      try save(writer)
    }
  }

  /// Each object shows its row, or is found to have none; in a block of the context.
  private func look(
    _ objects: [NSManagedObject], _ file: RulePicture, _ ids: Set<NSManagedObjectID>, _ what: String
  ) throws {
    for object in some(objects, atMost: objects.count) {
      let (number, id) = (RulePicture.number(object), object.objectID)
      try require(
        object.isDeleted, !ids.contains(id), ids.contains(id) ? .lostRecord : .resurrectedRecord,
        "whether \(id) is gone, \(what)")
      guard !object.isDeleted else { continue }
      let seen = RulePicture([number: RulePicture.properties(of: object)]).withoutDerived
      try require(seen, file.part([number]), .staleRead, what)
    }
  }
}
