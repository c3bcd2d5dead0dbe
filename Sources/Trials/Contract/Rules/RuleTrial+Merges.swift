import Cells
import Checking
import CoreData
import Scheduling

// S5.1 to S5.3: saves that arrive late, twice, out of order, in parts, as IDs or by themselves leave a context with the file's
// values; unsaved changes stay on top; and objects that show another value are named.

extension RuleTrial {
  func merges() throws {
    let coordinator = try open()
    let writers = [context(coordinator), context(chance(1, of: 3) ? try open() : coordinator)]
    try writers[0].performAndWait {
      populate(writers[0], items: 5 + draw(4))
      try save(writers[0])
    }
    let hasOne = writers[1].persistentStoreCoordinator === coordinator
    let readers = (0..<3).map { _ in
      context(coordinator, merges: hasOne && chance(1, of: 3), .mergeByPropertyObjectTrump)
    }
    var held: [[NSManagedObject]] = []
    for reader in readers {
      _ = try picture(reader)
      held.append(
        try reader.performAndWait { try RulePicture.entities.flatMap { try some(all($0, reader), atMost: 9) } })
    }
    precondition(held.count == readers.count, "each reader has the objects that it holds")
    let logs = writers.map { SaveLog(session.environment, of: $0) }
    defer { for log in logs { log.end() } }
    // A merge by IDs brings no derived values of rows that it does not name, and later ones do not either.
    var isNamed = readers.map { _ in true }
    for _ in 0..<(1 + draw(3)) {
      let own = try readers.map(edit)
      let namers = readers.map { RuleNamer(session.environment, $0) }
      defer { for namer in namers { namer.end() } }
      let before = try zip(readers, held).map { reader, held in try reader.performAndWait { try shown(held) } }
      var returned: Set<Int> = []
      for _ in 0..<(1 + draw(4)) {
        guard let writer = pick(writers) else { continue }
        try writer.performAndWait {
          if hasOne, chance(1, of: 5), let number = try bringBack(writer) { returned.insert(number) }
          writer.reset()
          for _ in 0..<(1 + draw(3)) { try changeSomething(writer) }
          try save(writer)
        }
      }
      let saves = logs.flatMap { $0.removeAll() }
      var isMerged = readers.map { _ in true }
      for (index, reader) in readers.enumerated() {
        isMerged[index] = try deliver(saves, to: reader)
        if !isMerged[index] { isNamed[index] = false }
      }
      let file = try stored(coordinator)
      for (index, reader) in readers.enumerated() {
        // Of a row that was deleted and came back the unsaved changes are gone.
        let kept = own[index].filter { !returned.contains($0.key) }
        try check(
          reader, held[index], before[index], kept, namers[index], file, returned, hasIDs: isMerged[index])
      }
      for (reader, isNamed) in zip(readers, isNamed) {
        reader.performAndWait { reader.rollback() }
        let (seen, what) = (try picture(reader), "after merges, in \(reader.name ?? "") without changes")
        try require(
          isNamed ? seen : seen.withoutDerived, isNamed ? file : file.withoutDerived, .staleRead, what)
      }
    }
    try hearWritersAtOnce()
  }

  /// Unsaved values of some objects, by their numbers.
  private func edit(_ reader: NSManagedObjectContext) throws -> [Int: [String: String]] {
    guard chance(1, of: 2) else { return [:] }
    return try reader.performAndWait {
      var own: [Int: [String: String]] = [:]
      for item in some(try all("Item", reader), atMost: 3) {
        let old = RulePicture.properties(of: item)
        for attribute in some(["name", "rank", "weight", "price"], atMost: 2) {
          set(attribute, of: item)
          let new = RulePicture.text(item.value(forKey: attribute))
          if new != old[attribute] { own[RulePicture.number(item), default: [:]][attribute] = new }
        }
      }
      if chance(1, of: 2) { reader.processPendingChanges() }
      return own
    }
  }

  /// The properties of the realised objects, by their IDs.
  private func shown(_ objects: [NSManagedObject]) throws -> [NSManagedObjectID: [String: String]] {
    var shown: [NSManagedObjectID: [String: String]] = [:]
    for object in objects where !object.isFault && !object.isDeleted && object.managedObjectContext != nil {
      shown[object.objectID] = RulePicture.properties(of: object)
    }
    return shown
  }

  /// Every save arrives, in a drawn way.
  ///
  /// - Returns: whether the reader hears of derived values, too: IDs name only changed objects.
  private func deliver(_ saves: [Notification], to reader: NSManagedObjectContext) throws -> Bool {
    guard !reader.automaticallyMergesChangesFromParent else {
      reader.performAndWait {}
      return true
    }
    var isNamed = true
    var arriving = saves
    if chance(1, of: 2) { arriving = chance(1, of: 2) ? arriving.reversed() : some(saves, atMost: saves.count) + saves }
    let coordinator = reader.persistentStoreCoordinator
    for save in arriving {
      let lists = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey]
      let ids = lists.map { key in
        (save.userInfo?[key] as? Set<NSManagedObject> ?? []).compactMap {
          coordinator?.managedObjectID(forURIRepresentation: $0.objectID.uriRepresentation())
        }
      }
      let writer = save.object as? NSManagedObjectContext
      if chance(1, of: 2) {
        // Derived values of others are read where they are named.
        if writer?.persistentStoreCoordinator !== coordinator { isNamed = false }
        note("\(reader.name ?? "") merges a save")
        reader.performAndWait { reader.mergeChanges(fromContextDidSave: save) }
        continue
      }
      note("\(reader.name ?? "") merges a save by its IDs")
      isNamed = false
      let new = reader.performAndWait { insertPlain(reader, rank: 1) }
      // The temporary ID of an unsaved object means nothing there.
      let temporary = reader.performAndWait { new.objectID }
      let named = ids.map { listed($0 + (chance(1, of: 2) ? [temporary] : [])) }
      var parts: [[String: Any]] = [Dictionary(uniqueKeysWithValues: zip(lists, named))]
      if chance(1, of: 3) { parts = zip(lists, named).map { [$0: $1] } }
      for part in parts { NSManagedObjectContext.mergeChanges(fromRemoteContextSave: part, into: [reader]) }
      let state = reader.performAndWait { [new.isInserted, new.isDeleted, new.isFault] }
      try require(
        state, [true, false, false], .lostUpdate, "what an unsaved object is, of which the temporary ID was merged")
    }
    return isNamed
  }

  /// IDs as a notification may list them: in a list or a set, as URIs, or both mixed.
  func listed(_ ids: [NSManagedObjectID]) -> Any {
    let mixed = ids.map { id -> AnyHashable in chance(1, of: 2) ? id.uriRepresentation() as AnyHashable : id }
    return switch draw(6) {
    case 0: ids
    case 1: NSSet(array: ids)
    case 2: ids.map { $0.uriRepresentation() }
    case 3: Set(mixed)
    default: mixed
    }
  }

  /// Unsaved values lie over the file's, and objects that show another value were named.
  private func check(
    _ reader: NSManagedObjectContext, _ held: [NSManagedObject], _ before: [NSManagedObjectID: [String: String]],
    _ own: [Int: [String: String]], _ namer: RuleNamer, _ file: RulePicture,
    _ returned: Set<Int>, hasIDs: Bool
  ) throws {
    try reader.performAndWait {
      reader.processPendingChanges()
      let named = namer.named
      try require(
        namer.hasTemporary, false, .temporaryIDEscaped, "whether a merge names the temporary ID of an unsaved object")
      for object in held {
        guard let old = before[object.objectID], !object.isFault, object.managedObjectContext != nil, !object.isDeleted
        else { continue }
        let new = RulePicture.properties(of: object)
        let changed = new.filter { old[$0.key] != $0.value }.keys.sorted()
        for (what, names) in [("did-change", named), ("merged IDs", namer.merged)]
        where !changed.isEmpty && !names.contains(object.objectID) {
          // The IDs of a merge are those of the objects that it has brought up to date.
          let isUpdated = !Set(changed).isDisjoint(with: ["name", "rank", "weight", "price"])
          guard what == "did-change" || hasIDs && isUpdated && !returned.contains(RulePicture.number(object)) else {
            continue
          }
          try report(
            .missedNotification, "\(changed) of \(RulePicture.number(object)) after merges",
            expected: "named by a notification of \(what)", seen: "not named")
        }
      }
      let items = try all("Item", reader)
      let numbers = file.objects.filter { $0.value["entity"] != "Box" && $0.value["entity"] != "Tag" }.keys.sorted()
      try require(items.map(RulePicture.number), numbers, .lostRecord, "the items after merges")
      for item in items where !returned.contains(RulePicture.number(item)) {
        let number = RulePicture.number(item)
        guard let row = file.objects[number] else { continue }
        for attribute in ["name", "rank", "weight", "price"] {
          try require(
            RulePicture.text(item.value(forKey: attribute)), own[number]?[attribute] ?? row[attribute] ?? "",
            .lostUpdate,
            "\(attribute) of item \(number) after merges")
        }
      }
    }
  }

  // MARK: Several writers at once

  /// Writers in threads of their own insert, change and delete the same rows as soon as they can read them: contexts that merge by
  /// themselves, and hold all that they hear of, have exactly the file's rows in the end.
  private func hearWritersAtOnce() throws {
    let coordinator = try open(at: newURL())
    // Neither policy inserts a row again.
    let writers = (0..<(2 + draw(2))).map { _ in
      context(coordinator, chance(1, of: 2) ? .mergeByPropertyStoreTrump : .rollback)
    }
    let receivers = (0..<(2 + draw(2))).map { _ in context(coordinator, merges: true) }
    CellReports.allowInaccessibleFaults(in: (writers + receivers).map { $0.name ?? "" })
    for receiver in receivers { receiver.performAndWait { receiver.retainsRegisteredObjects = true } }
    let (saves, seed) = (Simulation.isCurrent ? 6 : 60, UInt64(draw(1 << 30)))
    note("\(writers.count) writers at once, \(saves) saves each, and \(receivers.count) contexts that merge")
    precondition(writers.count <= 10 && saves * 10 < 1_000_000, "each save of each writer has a number of its own")
    let firstNumber = newNumber() * 1_000_000
    for (place, writer) in writers.enumerated() {
      writer.perform { [session] in
        var random = SeededRandom(seed: seed).split(UInt64(place))
        do {
          for save in 0..<saves {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
            request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: false)]
            request.fetchLimit = 3
            let newest = try writer.fetch(request)
            let number = firstNumber + save * 10 + place
            // The newest rows first: those that others have just come to know.
            if let row = newest.randomElement(using: &random), Int.random(in: 0..<4, using: &random) > 0 {
              if Bool.random(using: &random) { writer.delete(row) } else { row.setValue(number, forKey: "rank") }
            } else {
              let row = NSEntityDescription.insertNewObject(forEntityName: "Plain", into: writer)
              for key in [RuleModel.number, "rank"] { row.setValue(number, forKey: key) }
            }
            try writer.save()
          }
        } catch { if !session.faults.explains(error) { session.fail(error) } }
      }
    }
    for writer in writers { writer.performAndWait {} }
    let file = freshContext(coordinator)
    let rows = try file.performAndWait {
      Dictionary(uniqueKeysWithValues: try all("Plain", file).map { ($0.objectID, $0.value(forKey: "rank") as? Int) })
    }
    for receiver in receivers {
      try receiver.performAndWait {
        let alive = receiver.registeredObjects.filter { !$0.isDeleted }
          .sorted { "\($0.objectID.uriRepresentation())" < "\($1.objectID.uriRepresentation())" }
        let (known, gone) = (Set(alive.map(\.objectID)), alive.filter { rows[$0.objectID] == nil })
        try require(gone.count, 0, .resurrectedRecord, "rows that are gone, in a context that heard of all")
        let unheard = rows.keys.filter { !known.contains($0) }
        try require(unheard.count, 0, .missedNotification, "rows that a context which heard of all does not have")
        for object in alive {
          let rank = object.value(forKey: "rank") as? Int
          try require(rank, rows[object.objectID] ?? nil, .staleRead, "a rank in a context that heard of all")
        }
      }
    }
  }
}

/// The objects that a context's did-change notifications name.
private final class RuleNamer: Sendable {
  private let environment: StrategyEnvironment
  private let state = Locked<Set<NSManagedObjectID>>([])
  private let refreshed = Locked<Set<NSManagedObjectID>>([])
  private let temporaries = Locked(0)
  // Tokens are only kept to be handed back; the notification centre locks itself.
  nonisolated(unsafe) private let tokens: [any NSObjectProtocol]

  init(_ environment: StrategyEnvironment, _ context: NSManagedObjectContext) {
    self.environment = environment
    let lists = [
      NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey, NSInvalidatedObjectsKey,
    ]
    let merges = environment.addObserver(forName: .NSManagedObjectContextDidMergeChangesObjectIDs, object: context) {
      [refreshed, temporaries] notification in
      let ids = notification.userInfo?[NSRefreshedObjectIDsKey] as? Set<NSManagedObjectID> ?? []
      refreshed.withLock { $0.formUnion(ids) }
      let others = [NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey].flatMap {
        notification.userInfo?[$0] as? Set<NSManagedObjectID> ?? []
      }
      temporaries.withLock { $0 += others.count(where: \.isTemporaryID) }
    }
    let changes = environment.addObserver(forName: .NSManagedObjectContextObjectsDidChange, object: context) {
      [state] notification in
      let ids = lists.flatMap { notification.userInfo?[$0] as? Set<NSManagedObject> ?? [] }.map(\.objectID)
      state.withLock { $0.formUnion(ids) }
    }
    tokens = [merges, changes]
  }

  var named: Set<NSManagedObjectID> { state.withLock { $0 } }

  /// Whether a merge named a temporary ID.
  var hasTemporary: Bool { temporaries.withLock { $0 } > 0 }

  /// The refreshed ones of the IDs of merges.
  var merged: Set<NSManagedObjectID> { refreshed.withLock { $0 } }

  func end() { for token in tokens { environment.removeObserver(token) } }
}
