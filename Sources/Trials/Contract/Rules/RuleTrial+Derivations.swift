import Cells
import Checking
import CoreData

// S6.11, S9.2, S10.1: what the store derives is right in the file, in the row cache and in contexts that have heard of it: of every
// form, over every kind of relationship, for inherited properties and own ones, after saves that failed and after batch requests;
// it raises no version, and the history names it.

extension RuleTrial {
  func derivations() throws {
    let coordinator = try open(DerivingModel.shared, at: newURL(), history: true)
    let root = context(coordinator)
    let writer = chance(1, of: 3) ? context(in: root) : root
    let listener = context(coordinator, merges: true, .mergeByPropertyObjectTrump)
    try root.performAndWait {
      for _ in 0..<3 { deriveFrom(insertNumbered(pick(["Crate", "BigCrate"]) ?? "Crate", root)) }
      for _ in 0..<5 { deriveFrom(insertNumbered(pick(["Part", "BigPart"]) ?? "Part", root)) }
      try root.save()
    }
    // The row cache and the listener have every row.
    let held = try listener.performAndWait { try DerivingModel.roots.flatMap { try all($0, listener) } }
    _ = try texts(listener)
    let heldIDs = listener.performAndWait { Set(held.map { $0.objectID.uriRepresentation() }) }
    let log = NoticeLog(session.environment, listener)
    defer { log.end() }
    for _ in 0..<(3 + draw(4)) {
      let (before, shown) = (try texts(freshContext(coordinator)), try texts(listener))
      _ = log.removeAll()
      let isSave = draw(3) > 0
      let hasWritten = try isSave ? saveParts(writer, root) : batchParts(root)
      try checkDerived(freshContext(coordinator), "in the file")
      let after = try texts(freshContext(coordinator))
      try checkCached(after, coordinator)
      if hasWritten { try checkRecorded(before, after, coordinator) }
      if !isSave { tellAll(before, after, listener, coordinator) }
      let now = try texts(listener)
      let named = Set(log.removeNamed().map { $0.uriRepresentation() })
      let changed = heldIDs.filter { now[$0] != nil && now[$0] != shown[$0] && !named.contains($0) }
      try require(
        changed.map(\.lastPathComponent).sorted(), [], .missedNotification,
        "objects with other values, derived ones too, that a merge has not named")
      try checkDerived(listener, "in a context that has heard of it")
      for context in [root, writer] { context.performAndWait { context.refreshAllObjects() } }
    }
    listener.performAndWait { withExtendedLifetime(held) {} }
    try nameDerived(coordinator)
    try saveOverDerived(coordinator)
    try deriveNumbers()
    try deriveAfar(coordinator)
    try listByDerived(coordinator)
  }

  // MARK: Steps

  /// Gives an object a drawn value that something is derived from; in a block of its context.
  func deriveFrom(_ object: NSManagedObject) {
    let keys = ["text", "size", "weight", "label"].filter { object.entity.attributesByName[$0] != nil }
    precondition(keys.count > 1, "something is derived from each object")
    for key in some(keys, atMost: 3) {
      let value: Any? =
        switch key {
        case "size": pick([nil, -3, 0, 1, 1, 70_000])?.flatMap { $0 }
        case "weight": pick([nil, 0.5, -2.25, 8])?.flatMap { $0 }
        default: pick([nil, "", "alpha", "Beta", "GAMMA", "caf\u{e9}"])?.flatMap { $0 }
        }
      note("\(key) of \(RulePicture.number(object)) = \(RulePicture.text(value))")
      object.setValue(value, forKey: key)
    }
  }

  /// A save, of a child now and then, which is refused inside its transaction now and then.
  ///
  /// - Returns: whether there was something to write.
  private func saveParts(_ writer: NSManagedObjectContext, _ root: NSManagedObjectContext) throws -> Bool {
    precondition(writer === root || writer.parent === root, "who writes is the root, or its child")
    try writer.performAndWait {
      for _ in 0..<(1 + draw(4)) { try changeParts(writer) }
      if chance(1, of: 3), let object = pick(try all("Crate", writer)) {
        note("a value is set that the store derives")
        object.setValue("not derived", forKey: "upper")
        object.setValue(-99, forKey: "partSum")
        object.setValue("label \(newNumber())", forKey: "label")
      }
    }
    let isRefused = chance(1, of: 4)
    if isRefused {
      writer.performAndWait {
        note("two crates with one code")
        for _ in 0..<2 { insertNumbered("Crate", writer).setValue("twice", forKey: "code") }
      }
    }
    var hasWritten = false
    for context in writer === root ? [root] : [writer, root] {
      try context.performAndWait {
        hasWritten = context.hasChanges
        note("save")
        if context === root, isRefused {
          let code = AnythingClient.error { try context.save() }?.code
          try require(
            code, NSManagedObjectConstraintMergeError, .duplicateRecord, "the error of a code that two crates have")
          hasWritten = false
        } else {
          try context.save()
        }
      }
    }
    if isRefused { for context in [root, writer] { context.performAndWait { context.rollback() } } }
    return hasWritten
  }

  /// One change of values, members or objects; in a block of the context.
  private func changeParts(_ context: NSManagedObjectContext) throws {
    let (crates, parts) = (try all("Crate", context), try all("Part", context))
    guard let crate = pick(crates), let part = pick(parts) else {
      return deriveFrom(insertNumbered(pick(["BigCrate", "BigPart"]) ?? "BigPart", context))
    }
    let (one, other) = (RulePicture.number(crate), RulePicture.number(part))
    switch draw(10) {
    case 0, 1: deriveFrom(part)
    case 2: deriveFrom(crate)
    case 3, 4:
      let owner = chance(1, of: 4) ? nil : crate
      note("part \(other) in crate \(owner.map(RulePicture.number) ?? 0)")
      part.setValue(owner, forKey: "crate")
    case 5:
      note("part \(other) in the row of crate \(one)")
      part.setValue(chance(1, of: 4) ? nil : crate, forKey: "line")
    case 6, 7:
      let friends = some(parts, atMost: 3)
      note("friends of crate \(one): \(friends.map(RulePicture.number))")
      crate.setValue(Set(friends), forKey: "friends")
    case 8:
      let doomed = chance(1, of: 3) ? crate : part
      note("delete \(RulePicture.number(doomed))")
      context.delete(doomed)
    default:
      let new = insertNumbered(pick(["Part", "BigPart"]) ?? "Part", context)
      deriveFrom(new)
      new.setValue(crate, forKey: "crate")
    }
  }

  /// A batch request that changes what something is derived from.
  ///
  /// - Returns: whether it found something.
  private func batchParts(_ owner: NSManagedObjectContext) throws -> Bool {
    precondition(owner.parent == nil, "a batch request goes to the store")
    return try owner.performAndWait {
      let (crates, parts) = (try all("Crate", owner), try all("Part", owner))
      let limit = newNumber() - draw(9)
      let entity = pick(["Part", "BigPart", "Crate"]) ?? "Part"
      switch draw(5) {
      case 0, 1, 2:
        let request = NSBatchUpdateRequest(entityName: entity)
        request.predicate = NSPredicate(format: "number < %ld", limit)
        let isMove = entity != "Crate" && !crates.isEmpty && chance(1, of: 3)
        let value: Any = isMove ? crates[draw(crates.count)].objectID : chance(1, of: 2) ? draw(40) as Any : NSNull()
        request.propertiesToUpdate =
          isMove ? ["crate": value] : chance(1, of: 3) ? ["text": "batch \(draw(9))"] : ["size": value]
        request.resultType = .updatedObjectsCountResultType
        note("batch update of \(entity) before \(limit): \(isMove ? "crate" : RulePicture.text(value))")
        return ((try owner.execute(request) as? NSBatchUpdateResult)?.result as? Int ?? 0) > 0
      case 3:
        var rows = (0..<(1 + draw(3))).map { _ in
          [RuleModel.number: newNumber(), "text": "Batch", "size": draw(9)] as [String: Any]
        }
        // One may have the code of a row, which takes its values over or not.
        let code = pick(crates.compactMap { $0.value(forKey: "code") as? String }) ?? "code \(newNumber())"
        if entity == "Crate" { rows[0]["code"] = code }
        owner.mergePolicy =
          pick([.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback]) ?? NSMergePolicy.error
        defer { owner.mergePolicy = NSMergePolicy.error }
        note("batch insert of \(rows)")
        _ = try owner.execute(NSBatchInsertRequest(entityName: entity, objects: rows))
        return true
      default:
        guard let doomed = pick(chance(1, of: 4) ? crates : parts) else { return false }
        note("batch delete of \(RulePicture.number(doomed))")
        _ = try owner.execute(NSBatchDeleteRequest(objectIDs: [doomed.objectID]))
        return true
      }
    }
  }

  /// The context that saves names what has other values by that, also where the store alone has written them; its controller follows.
  private func nameDerived(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    let held = try owner.performAndWait { try DerivingModel.roots.flatMap { try all($0, owner) } }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Crate")
    let key = pick(["partSum", "friendSum", "upper"]) ?? "partSum"
    request.sortDescriptors = [key, RuleModel.number].map { NSSortDescriptor(key: $0, ascending: chance(1, of: 2)) }
    let follower = try owner.performAndWait { try ControllerFollower(owner, request) }
    let log = NoticeLog(session.environment, owner)
    defer {
      log.end()
      owner.performAndWait { withExtendedLifetime(held) { follower.end() } }
    }
    for _ in 0..<6 {
      guard let object = pick(held) else { return }
      let before = try texts(owner)
      _ = log.removeAll()
      try owner.performAndWait {
        deriveFrom(object)
        try save(owner)
      }
      let named = Set(log.removeNamed().map { $0.uriRepresentation() })
      let after = try texts(owner)
      try require(
        after.keys.filter { before[$0] != after[$0] && !named.contains($0) }.map(\.lastPathComponent).sorted(), [],
        .missedNotification, "objects with other values, derived ones too, that the context which saved has not named")
      let problem = try owner.performAndWait { try follower.problemNow() }
      try require(
        problem, nil, .controllerDivergence, "a controller by \(key), after a save of what it is derived from")
    }
  }

  /// A derived value raises no version: who has read the row before saves it without a conflict, and what is derived is right at once:
  /// in the row cache, in the context that saves and in the file.
  private func saveOverDerived(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (writer, root) = (context(coordinator), context(coordinator))
    let late = chance(1, of: 3) ? context(in: root) : root
    for context in [writer, root] { context.performAndWait { context.stalenessInterval = 0 } }
    // Its reads list nothing in the row cache that is looked at.
    let file = try open(DerivingModel.shared, at: coordinator.persistentStores[0].url, history: true)
    let made = try writer.performAndWait {
      let crate = insertNumbered(pick(["Crate", "BigCrate"]) ?? "Crate", writer)
      let part = insertNumbered(pick(["Part", "BigPart"]) ?? "Part", writer)
      part.setValue(crate, forKey: "crate")
      crate.setValue(Set([part]), forKey: "friends")
      try writer.save()
      return [crate, part]
    }
    let ids = writer.performAndWait { made.map(\.objectID) }
    let seen = try late.performAndWait { try ids.map(late.existingObject) }
    let above = try root.performAndWait { try ids.map(root.existingObject) }
    for _ in 0..<(2 + draw(3)) {
      let (theirs, isBatch, size) = (draw(2), chance(1, of: 3), 31 + draw(99))
      let (key, value): (String, Any) = theirs == 0 && chance(1, of: 2) ? ("text", "text \(size)") : ("size", size)
      note(
        "\(key) of the \(["crate", "part"][theirs]) = \(value)\(isBatch ? " by batch" : ""); others save the other late"
      )
      for (context, objects) in [(root, above), (late, seen)] {
        context.performAndWait { for object in objects { context.refresh(object, mergeChanges: true) } }
        _ = context.performAndWait { objects.map(RulePicture.number) }
      }
      try writer.performAndWait { try change(made[theirs], key, to: value, isBatch: isBatch, writer) }
      for context in late === root ? [root] : [late, root] {
        let error = context.performAndWait {
          if context === late {
            seen[1 - theirs].setValue("late \(newNumber())", forKey: theirs == 0 ? "text" : "label")
          }
          return AnythingClient.error { try context.save() }
        }
        try require(error?.code, nil, .failedSave, "the error of a save of a row of which a derived value has changed")
      }
      let rows = try texts(freshContext(file))
      let uri = ids[1 - theirs].uriRepresentation()
      // Other rows that a batch request has changed may be old there.
      try checkCached(rows.filter { $0.key == uri }, coordinator)
      try root.performAndWait {
        let saved = above[1 - theirs]
        for (key, text) in (rows[uri] ?? [:]).sorted(by: { $0.key < $1.key }) {
          try require(
            RulePicture.text(saved.value(forKey: key)), text, .staleRead,
            "\(key) in a context that has saved its row late")
        }
      }
    }
    for reader in [context(coordinator), freshContext(file)] {
      try checkDerived(reader, "in \(reader.name ?? ""), after a save of what was read before")
    }
  }

  private func change(
    _ object: NSManagedObject, _ key: String, to value: Any, isBatch: Bool, _ writer: NSManagedObjectContext
  ) throws {
    guard isBatch else {
      writer.refresh(object, mergeChanges: false)
      object.setValue(value, forKey: key)
      return try writer.save()
    }
    let request = NSBatchUpdateRequest(entityName: object.entity.name ?? "")
    request.predicate = NSPredicate(format: "self == %@", argumentArray: [object.objectID])
    request.propertiesToUpdate = [key: value]
    _ = try writer.execute(request)
  }

  // MARK: Checks

  private typealias Texts = [URL: [String: String]]

  /// The attributes of every object, by its ID.
  private func texts(_ reader: NSManagedObjectContext) throws -> Texts {
    try reader.performAndWait {
      var texts: Texts = [:]
      for object in try DerivingModel.roots.flatMap({ try all($0, reader) }) {
        let names = object.entity.attributesByName.keys
        texts[object.objectID.uriRepresentation()] = Dictionary(
          uniqueKeysWithValues: names.map { ($0, RulePicture.text(object.value(forKey: $0))) })
      }
      return texts
    }
  }

  /// Everything derived is what a loop derives of the objects of one context.
  private func checkDerived(_ reader: NSManagedObjectContext, _ what: String) throws {
    try reader.performAndWait {
      reader.processPendingChanges()
      for object in try DerivingModel.roots.flatMap({ try all($0, reader) }) {
        for (key, expected) in DerivingModel.derived(object) {
          try require(
            RulePicture.text(object.value(forKey: key)), RulePicture.text(expected), .wrongValue,
            "\(key) of \(object.entity.name ?? "") \(RulePicture.number(object)) \(what)")
        }
      }
    }
  }

  /// The values in the row cache, without a fetch, which would ask the file.
  private func checkCached(_ rows: Texts, _ coordinator: NSPersistentStoreCoordinator) throws {
    let reader = context(coordinator)
    let found = try reader.performAndWait {
      try rows.keys.sorted { $0.absoluteString < $1.absoluteString }.compactMap { uri in
        try coordinator.managedObjectID(forURIRepresentation: uri).map { id in
          let object = try reader.existingObject(with: id)
          for (key, text) in (rows[uri] ?? [:]).sorted(by: { $0.key < $1.key })
          where DerivingModel.isDerived(object, key) {
            try require(
              RulePicture.text(object.value(forKey: key)), text, .staleRead,
              "\(key) of \(object.entity.name ?? "") \(RulePicture.number(object)) by what the row cache has")
          }
          return object
        }
      }
    }
    reader.performAndWait { withExtendedLifetime(found) {} }
  }

  /// The last transaction names every row with another attribute, and the attribute.
  private func checkRecorded(_ before: Texts, _ after: Texts, _ coordinator: NSPersistentStoreCoordinator) throws {
    let reader = context(coordinator)
    let all = try reader.performAndWait {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none)
      return (try reader.execute(request) as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction]
        ?? []
    }
    var names: [URL: Set<String>] = [:]
    for change in all.last?.changes ?? [] {
      names[change.changedObjectID.uriRepresentation()] = Set((change.updatedProperties ?? []).map(\.name))
    }
    for (row, new) in after.sorted(by: { $0.key.absoluteString < $1.key.absoluteString }) {
      guard let old = before[row] else { continue }
      let changed = new.keys.filter { old[$0] != new[$0] }.sorted()
      let missing = changed.filter { names[row]?.contains($0) != true }
      try require(
        missing, [], .historyDivergence, "changed attributes of \(row.lastPathComponent) that the history does not name"
      )
    }
  }

  private func tellAll(
    _ before: Texts, _ after: Texts, _ listener: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) {
    precondition(listener.persistentStoreCoordinator === coordinator, "the listener hears of rows of its own store")
    func ids(_ rows: Set<URL>) -> [NSManagedObjectID] {
      rows.sorted { $0.absoluteString < $1.absoluteString }.compactMap {
        coordinator.managedObjectID(forURIRepresentation: $0)
      }
    }
    let (old, new) = (Set(before.keys), Set(after.keys))
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [
        NSInsertedObjectsKey: ids(new.subtracting(old)), NSUpdatedObjectsKey: ids(new.intersection(old)),
        NSDeletedObjectsKey: ids(old.subtracting(new)),
      ], into: [listener])
  }
}
