import Cells
import Checking
import CoreData
import Scheduling

// S3.1, S3.2, S3.5: a save's steps come in their order, and what its observers do is part of it; it is refused for what leads to
// deleted objects before any conflict, and for nothing that the store computes; unique values are those of an entity and its heirs.

extension RuleTrial {
  func stages() throws {
    let coordinator = try open(StepModel.shared)
    let owner = context(coordinator)
    try owner.performAndWait {
      for _ in 0..<3 { addNode("Node", owner) }
      try save(owner)
    }
    for _ in 0..<3 { try performSteps(owner, coordinator) }
    for _ in 0..<3 { try collide(coordinator) }
    try changeWinner(coordinator)
    try keepEmpty(coordinator)
    let links = try open(at: newURL())
    try leadToDeleted(links)
    try saveNothingBesideWriter()
  }

  @discardableResult
  private func addNode(_ entity: String, _ context: NSManagedObjectContext) -> HookedObject {
    guard let node = insertNumbered(entity, context) as? HookedObject else {
      preconditionFailure("nodes are hooked objects")
    }
    return node
  }

  private func nodes(_ context: NSManagedObjectContext) throws -> [HookedObject] {
    try all("Node", context).compactMap { $0 as? HookedObject }
  }

  // MARK: Order

  /// Changes by an observer of will-save are saved as well; IDs are permanent when objects hear that they are saved, and others find
  /// the rows when observers do.
  private func performSteps(_ owner: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(owner.persistentStoreCoordinator === coordinator, "the file is read between the steps of its own save")
    let (log, plan) = (stepLog(), draw(4))
    let number = newNumber()
    let id = try owner.performAndWait { () -> NSManagedObjectID? in
      if try nodes(owner).isEmpty {
        addNode("Node", owner)
        try save(owner)
      }
      return pick(try nodes(owner))?.objectID
    }
    note("an observer of will-save \(["does nothing", "inserts", "changes a node", "deletes a node"][plan])")
    let willSave = once(.NSManagedObjectContextWillSave, owner) { context in
      log.note("will-save")
      guard let id else { return }
      switch plan {
      case 0: break
      case 1:
        NSEntityDescription.insertNewObject(forEntityName: "Leaf", into: context).setValue(
          number, forKey: RuleModel.number)
      case 2: context.object(with: id).setValue("by an observer \(number)", forKey: "remark")
      default: context.delete(context.object(with: id))
      }
    }
    let found = Locked<[Int]>([])
    let didSave = lookWhenSaved(owner, freshContext(coordinator), log, found)
    defer { for observer in [willSave, didSave] { session.environment.removeObserver(observer) } }
    try owner.performAndWait {
      try log.record(owner) {
        for _ in 0..<draw(3) {
          let parent = pick(try nodes(owner))
          addNode(pick(["Node", "Leaf"]) ?? "Node", owner).setValue(parent, forKey: "parent")
        }
        pick(try nodes(owner))?.remark = "\(newNumber())"
        log.clear()
        try save(owner)
      }
      try checkSteps(log)
      try require(owner.hasChanges, false, .failedSave, "hasChanges after a save")
    }
    let (expected, shown) = (
      try picture(freshContext(coordinator), StepModel.entities), try picture(owner, StepModel.entities)
    )
    try require(expected, shown, .unpersistedSave, "in the file after a save whose observers took part")
    try require(
      found.withLock { $0 }, [expected.objects.count, 0, 0], .wrongNotification,
      "rows that others find, temporary IDs, and changes, when a save is posted")
    let texts = expected.objects.values.compactMap { $0["remark"] }
    let isThere =
      plan == 1 ? expected.objects[number] != nil : plan == 2 ? texts.contains("by an observer \(number)") : true
    try require(isThere, true, .lostUpdate, "whether what an observer of will-save did is in the file")
  }

  /// Looks, when a save is posted, for rows, temporary IDs and changes.
  private func lookWhenSaved(
    _ owner: NSManagedObjectContext, _ reader: NSManagedObjectContext, _ log: HookLog, _ found: Locked<[Int]>
  ) -> any NSObjectProtocol {
    precondition(owner !== reader, "the file is read by another context than the one that saves")
    return session.environment.addObserver(forName: .NSManagedObjectContextDidSave, object: owner) {
      notification in
      log.note("did-save")
      let count = try? reader.performAndWait {
        reader.reset()
        return try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Node"))
      }
      let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
      let left = (notification.object as? NSManagedObjectContext)?.hasChanges == true ? 1 : 0
      found.withLock { $0 = [count ?? -1, inserted.filter { $0.objectID.isTemporaryID }.count, left] }
    }
  }

  private func stepLog() -> HookLog {
    HookLog([
      .didSave: { object in
        guard let log = HookLog.of(object.managedObjectContext) else { return }
        if object.objectID.isTemporaryID { log.note("a temporary ID in didSave") }
        if object.isInserted { log.note("an insertion in didSave") }
      }
    ])
  }

  private func checkSteps(_ log: HookLog) throws {
    let wanted = ["will-save", "willSave", "validation", "didSave", "did-save"]
    let seen = log.phases.filter { wanted.contains($0) || $0.contains(" in didSave") }
    let merged = seen.indices.filter { $0 == 0 || seen[$0] != seen[$0 - 1] }.map { seen[$0] }
    try require(merged, wanted, .wrongNotification, "the steps of a save")
  }

  // MARK: Unique values

  /// Values of an entity are unique among it and its heirs, those of an heir among its own: a save is refused exactly where two are
  /// equal, and says which.
  private func collide(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    let error = try owner.performAndWait { () -> NSError? in
      for _ in 0..<draw(4) { addNode(pick(["Node", "Leaf", "Twig"]) ?? "Node", owner) }
      for node in some(try nodes(owner), atMost: 5) {
        let key = node.entity.name != "Node" && chance(1, of: 2) ? "tag" : "code"
        let value = chance(1, of: 5) ? nil : pick(["a", "b", "c", "d", "e", "f"])
        note("\(key) of \(node.number) = \(value ?? "nil")")
        node.setValue(value, forKey: key)
      }
      if let node = pick(try nodes(owner)), chance(1, of: 4) {
        note("delete \(node.number)")
        owner.delete(node)
        owner.processPendingChanges()
      }
      return AnythingClient.error { try owner.save() }
    }
    try owner.performAndWait {
      var counts: [String: Int] = [:]
      for node in try nodes(owner) {
        for key in ["code", "tag"] {
          if let place = Self.place(node, key) { counts[place, default: 0] += 1 }
        }
      }
      let expected = counts.filter { $0.value > 1 }.keys.sorted()
      try require(
        error?.code, expected.isEmpty ? nil : NSManagedObjectConstraintMergeError,
        expected.isEmpty ? .failedSave : .duplicateRecord, "the error of a save with equal values \(expected)")
      guard let error else { return }
      try require(error.domain, NSCocoaErrorDomain, .wrongValue, "the domain of the error of equal values")
      let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? []
      let named = try conflicts.map { conflict -> String in
        let key = conflict.constraint.first ?? ""
        let objects = conflict.conflictingObjects + [conflict.databaseObject].compactMap { $0 }
        let places = Set(objects.map { Self.place($0, key) ?? "none" })
        try require(
          [objects.count > 1, places.count == 1], [true, true], .wrongValue,
          "whether a conflict of \(key) has more than one object, all of one value")
        let value = objects.first?.value(forKey: key) as? String
        try require(
          conflict.constraintValues[key] as? String, value, .wrongValue, "the value of a conflict of \(key)")
        if conflict.databaseObject != nil {
          try require(
            conflict.databaseSnapshot?[key] as? String, value, .wrongValue, "the row's value of a conflict of \(key)")
        }
        return places.sorted().joined()
      }
      try require(named.sorted(), expected, .wrongValue, "the values of the conflicts of a refused save")
      owner.rollback()
    }
    try require(
      try picture(owner, StepModel.entities), try picture(freshContext(coordinator), StepModel.entities), .staleRead,
      "in a context after a save with values that have to be unique")
  }

  /// Among whom a value has to be unique, and the value; nil of no value.
  private static func place(_ object: NSManagedObject, _ key: String) -> String? {
    guard object.entity.attributesByName[key] != nil, let value = object.value(forKey: key) as? String else {
      return nil
    }
    return "\(key == "code" ? "Node" : object.entity.name ?? "") \(key) \(value)"
  }

  /// A row takes over what an inserted object held: its willSave is called, and what that changes is saved.
  private func changeWinner(_ coordinator: NSPersistentStoreCoordinator) throws {
    let policy = pick([NSMergePolicy.mergeByPropertyObjectTrump, .overwrite]) ?? .overwrite
    let (owner, code) = (context(coordinator, policy), "winner \(newNumber())")
    let (entity, text) = (pick(["Node", "Leaf"]) ?? "Node", "by willSave \(newNumber())")
    let number = try owner.performAndWait { () -> Int64 in
      let winner = addNode(entity, owner)
      winner.setValue(code, forKey: "code")
      winner.remark = "old"
      try save(owner)
      if chance(1, of: 2) { owner.refresh(winner, mergeChanges: false) }
      let (id, number) = (winner.objectID, winner.number)
      let changes = chance(1, of: 2)
      let log = HookLog([
        .willSave: { object in if changes, object.objectID == id, object.remark != text { object.remark = text } }
      ])
      let saves = NoticeLog(session.environment, owner)
      defer { saves.end() }
      try log.record(owner) {
        let loser = addNode(entity, owner)
        loser.number = number
        loser.setValue(code, forKey: "code")
        loser.remark = "new"
        note("a row takes over what a new object of its code has, by policy \(policy.mergeType.rawValue)")
        try save(owner)
        let calls = log.calls(of: winner).map { String($0.prefix { $0 != " " }) }
        try require(
          [calls.contains("willSave"), calls.contains("didSave")], [true, true], .wrongNotification,
          "whether a row that takes over a new object's values hears of its save: \(calls)")
      }
      let saved = saves.removeAll().first { $0.name == "did-save" }
      try require(
        [saved?.ids["updated"] ?? [], saved?.ids["inserted"] ?? []], [[id], []], .wrongNotification,
        "what a save has updated and inserted, in which a row took over a new object's values")
      try require(winner.remark, changes ? text : "new", .lostUpdate, "a remark that a row took over")
      return number
    }
    let file = try picture(freshContext(coordinator), StepModel.entities)
    try require(file.objects.values.filter { $0["code"] == code }.count, 1, .duplicateRecord, "rows of one code")
    try require(
      file.objects[Int(number)]?["remark"], try picture(owner, StepModel.entities).objects[Int(number)]?["remark"],
      .unpersistedSave, "in the file a remark that a row took over")
  }

  /// A to-many relationship that is not optional may be empty, and a value that the store computes is not asked for.
  private func keepEmpty(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    try owner.performAndWait {
      func insert(_ entity: String) -> NSManagedObject { insertNumbered(entity, owner) }
      let shelf = insert("Shelf")
      let part = chance(1, of: 2) ? insert("Part") : nil
      note("a shelf with \(part == nil ? "no part" : "one part, which leaves it")")
      part?.setValue(shelf, forKey: "shelf")
      try save(owner)
      if let part {
        if chance(1, of: 2) { part.setValue(nil, forKey: "shelf") } else { owner.delete(part) }
        shelf.setValue("empty", forKey: "remark")
        try save(owner)
      }
      owner.refresh(shelf, mergeChanges: false)
      try require(
        [
          (shelf.value(forKey: "itemCount") as? NSNumber)?.intValue,
          (shelf.value(forKey: "parts") as? Set<NSManagedObject>)?.count,
        ],
        [0, 0], .wrongValue, "the parts of an empty shelf, counted by the store and by hand")
    }
  }
}

/// Nodes, each of which has a code that no other has, and two kinds of them with tags; shelves that may be empty.
private enum StepModel {
  static let entities = ["Node"]
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let node = RuleModel.hooked("Node")
    node.properties.append(text("code"))
    node.uniquenessConstraints = [["code"]]
    ModelParts.connect(
      ModelParts.many("nodes", node, .cascadeDeleteRule), of: node, ModelParts.one("parent", node), of: node)
    let heirs = ["Leaf", "Twig"].map { name in
      let heir = NSEntityDescription()
      heir.name = name
      heir.managedObjectClassName = _typeName(HookedObject.self)
      heir.properties = [text("tag")]
      heir.uniquenessConstraints = [["tag"]]
      return heir
    }
    node.subentities = heirs
    let (shelf, part) = (ModelParts.entity("Shelf"), ModelParts.entity("Part"))
    let count = RuleModel.deriving("itemCount", .integer64AttributeType, "parts.@count")
    count.isOptional = false
    shelf.properties += [text("remark"), count]
    let parts = ModelParts.many("parts", part, .nullifyDeleteRule)
    parts.isOptional = false
    ModelParts.connect(parts, of: shelf, ModelParts.one("shelf", shelf), of: part)
    let model = NSManagedObjectModel()
    precondition([node].compactMap(\.name) == entities, "an entity that is listed has those that inherit from it")
    model.entities = [node] + heirs + [shelf, part]
    return model
  }

  private static func text(_ name: String) -> NSAttributeDescription {
    ModelParts.attribute(name, .stringAttributeType, isOptional: true)
  }
}
