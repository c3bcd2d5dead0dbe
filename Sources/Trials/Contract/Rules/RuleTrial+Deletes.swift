import Cells
import Checking
import CoreData

// S8.1, S8.3: the reach of a deletion, through trees, rings and shared objects, saved or not, faults or moved; the objects that
// deny it, and how; and that contexts which hear of it show the same.

extension RuleTrial {
  func deletes() throws {
    let coordinator = try open(DeletedModel.shared)
    let root = context(coordinator)
    let editor = chance(1, of: 3) ? context(in: root) : root
    let waits = chance(1, of: 4)
    if waits { note("delete rules wait for the save") }
    editor.performAndWait { editor.propagatesDeletesAtEndOfEvent = !waits }
    let listener = context(coordinator, merges: true)
    var links = RuleLinks(DeletedModel.shared)
    editor.performAndWait {
      for entity in ["Node", "Node", "Leaf", "Node", "Node", "Leaf", "Part", "Part", "Part", "Guard", "Guard"] {
        add(entity, editor, &links)
      }
    }
    var held: [NSManagedObject] = []
    for _ in 0..<(3 + draw(3)) {
      try editor.performAndWait {
        for _ in 0..<(waits ? 1 : 1 + draw(3)) { try deleteEvent(editor, &links, waits) }
        guard !waits else { return }
        try require(
          try RulePicture(editor, DeletedModel.entities), links.picture, .wrongValue, "after delete rules were followed"
        )
      }
      try saveDown(editor, root, &links)
      for reader in [editor, root, listener, freshContext(coordinator)] {
        try require(
          try picture(reader, DeletedModel.entities), links.picture,
          reader === listener ? .staleRead : .unpersistedSave,
          "after a save, in \(reader.name ?? "")")
      }
      if chance(1, of: 2) { editor.performAndWait { editor.reset() } }
      held = try listener.performAndWait {
        try DeletedModel.entities.flatMap { try some(all($0, listener), atMost: 6) }
      }
    }
    if editor === root { try deleteBesideMerge(root, coordinator, &links) }
    try denyWithoutInverse(root, coordinator)
    try freeElsewhere(coordinator)
    try readDeleted()
    // A view holds its objects while others delete them.
    listener.performAndWait { withExtendedLifetime(held) {} }
  }

  /// An object that leads to a denying one cannot be deleted while that has a row, and can once only a fault is left of it.
  private func denyWithoutInverse(_ owner: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(owner.persistentStoreCoordinator === coordinator, "the owner's file is read by another context")
    let (guardian, pass): (NSManagedObjectID, NSManagedObjectID) = try owner.performAndWait {
      let objects = ["Guard", "Pass"].map { NSEntityDescription.insertNewObject(forEntityName: $0, into: owner) }
      for object in objects { object.setValue(newNumber(), forKey: RuleModel.number) }
      objects[1].setValue(objects[0], forKey: "issuer")
      try save(owner)
      return (objects[0].objectID, objects[1].objectID)
    }
    func delete(_ id: NSManagedObjectID) -> Int? {
      let other = context(coordinator)
      CellReports.allowInaccessibleFaults(in: [other.name ?? ""])
      return other.performAndWait {
        AnythingClient.error {
          other.delete(try other.existingObject(with: id))
          try other.save()
        }?.code
      }
    }
    note("delete a pass, its issuer, and the pass")
    try require(
      delete(pass), NSValidationRelationshipDeniedDeleteError, .orphanRecord, "the error where an issuer denies")
    try require(delete(guardian), nil, .failedSave, "the error of deleting an issuer, to which nothing leads back")
    try require(delete(pass), nil, .failedSave, "the error of deleting a pass after its issuer is gone")
    owner.performAndWait { owner.reset() }
  }

  /// A deletion that is denied is saved as it is once those in the way have left by others' saves, and not before.
  private func freeElsewhere(_ coordinator: NSPersistentStoreCoordinator) throws {
    let way = draw(5)
    let (other, owner) = (context(coordinator), context(coordinator, merges: way > 2, .mergeByPropertyObjectTrump))
    CellReports.allowInaccessibleFaults(in: [owner.name ?? ""])
    let saves = SaveLog(session.environment, of: other)
    defer { saves.end() }
    var links = RuleLinks(DeletedModel.shared)
    let (made, ids, numbers) = try other.performAndWait {
      let made = (["Node", "Leaf", "Node"] + (0...draw(3)).map { _ in "Guard" }).map { add($0, other, &links) }
      // The second node goes with the first, and the third stays.
      for (index, object) in made.enumerated() where index != 0 && index != 2 {
        let (key, owner) = index == 1 ? ("parent", made[0]) : ("ward", made[draw(2)])
        object.setValue(owner, forKey: key)
        links.set(key, of: RulePicture.number(object), to: [RulePicture.number(owner)])
        note("\(key) of \(RulePicture.number(object)) = \(RulePicture.number(owner))")
      }
      try save(other)
      return (made, made.map(\.objectID), made.map(RulePicture.number))
    }
    let gone = links.reached(from: [numbers[0]])
    note("delete \(numbers[0]), which is denied; others free it, way \(way)")
    let held = try owner.performAndWait {
      let held = try ids.map(owner.existingObject)
      owner.delete(held[0])
      if chance(1, of: 2) { owner.processPendingChanges() }
      return held
    }
    for _ in 0...made.count {
      let expected = gone.filter { !links.deniers(of: [$0]).subtracting(gone).isEmpty }.sorted()
      let (error, denied) = owner.performAndWait {
        let error = AnythingClient.error { try owner.save() }
        return (error, self.denied(error))
      }
      try require(denied, expected, .orphanRecord, "the objects that may not be deleted, beside others' saves")
      let deniers = links.deniers(of: gone).sorted()
      if deniers.isEmpty, let error { throw error }
      guard let first = deniers.first else { break }
      let freed = [first] + some(Array(deniers.dropFirst()), atMost: 2)
      try other.performAndWait {
        let known = Dictionary(uniqueKeysWithValues: zip(numbers, made))
        for number in freed { free([number], gone, known.filter { $0.key == number || $0.key == numbers[2] }, &links) }
        try save(other)
      }
      let others = zip(numbers, held).filter { freed.contains($0.0) || gone.contains($0.0) }.map(\.1)
      owner.performAndWait { hear(saves.removeAll(), way, others, owner) }
    }
    links.delete([numbers[0]])
    for reader in [freshContext(coordinator), owner] {
      try require(
        try picture(reader, DeletedModel.entities).part(Set(numbers)), links.picture, .orphanRecord,
        "after a deletion that others have freed, in \(reader.name ?? "")")
    }
    owner.performAndWait { withExtendedLifetime(held) {} }
  }

  /// A context merges saves, or reads objects again; in a block of it.
  private func hear(
    _ saves: [Notification], _ way: Int, _ objects: [NSManagedObject], _ owner: NSManagedObjectContext
  ) {
    switch way {
    case 0: for save in saves { owner.mergeChanges(fromContextDidSave: save) }
    case 1: owner.refreshAllObjects()
    case 2:
      for object in objects {
        owner.refresh(object, mergeChanges: object.isDeleted || chance(1, of: 2))
        // One that is gone is found gone.
        _ = object.value(forKey: RuleModel.number)
      }
    default: precondition(owner.automaticallyMergesChangesFromParent, "what is not heard by call is merged")
    }
  }

  /// Others change objects that are deleted and not saved yet: with their newer rows the rules are followed again.
  private func deleteBesideMerge(
    _ editor: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ links: inout RuleLinks
  ) throws {
    precondition(editor.parent == nil, "a deletion is saved to the file, where others changed rows")
    let other = context(coordinator)
    let way = draw(3)
    editor.performAndWait {
      editor.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      editor.automaticallyMergesChangesFromParent = way == 0
    }
    let victim: NSManagedObject? = try editor.performAndWait {
      guard let victim = pick(try all("Node", editor)) else { return nil }
      let gone = links.reached(from: [RulePicture.number(victim)])
      free(links.deniers(of: gone).sorted(), gone, try known(editor), &links)
      try save(editor)
      guard !victim.isDeleted, victim.managedObjectContext != nil else { return nil }
      note("delete \(RulePicture.number(victim)), way \(way)")
      editor.delete(victim)
      editor.processPendingChanges()
      return victim
    }
    guard let victim else { return }
    let number = editor.performAndWait { RulePicture.number(victim) }
    let saves = SaveLog(session.environment, of: other)
    defer { saves.end() }
    try comeElsewhere(other, to: number, &links)
    let saved = saves.removeLast()
    let deniers = links.deniers(of: links.reached(from: [number]))
    try editor.performAndWait {
      if way == 1, let saved { editor.mergeChanges(fromContextDidSave: saved) }
      if way == 2 { editor.refreshAllObjects() }
      editor.processPendingChanges()
      if !deniers.isEmpty {
        let denied = denied(AnythingClient.error { try editor.save() })
        try require(denied.isEmpty, false, .orphanRecord, "whether who came meanwhile denies a deletion")
        note("delete \(deniers.sorted()), which came and deny")
        let guardians = try known(editor)
        for number in deniers.sorted() { if let guardian = guardians[number] { editor.delete(guardian) } }
        links.delete(deniers.sorted())
      }
      try save(editor)
    }
    links.delete([number])
    for reader in [freshContext(coordinator), editor] {
      reader.performAndWait { reader.refreshAllObjects() }
      try require(
        try picture(reader, DeletedModel.entities), links.picture, .orphanRecord,
        "after a deletion to which others came, in \(reader.name ?? "")")
    }
  }

  /// Objects that no rule reaches from another one come to it, in another context.
  private func comeElsewhere(_ other: NSManagedObjectContext, to number: Int, _ links: inout RuleLinks) throws {
    try other.performAndWait {
      let known = try known(other)
      let gone = links.reached(from: [number])
      guard let owner = known[number] else { return }
      for _ in 0..<(1 + draw(2)) {
        let kind = pick(["Node", "Part", "Guard"]) ?? "Node"
        let key = ["Node": "parent", "Part": "whole", "Guard": "ward"][kind] ?? ""
        let candidates = known.keys.sorted().filter { links.kind(of: $0) == kind && !gone.contains($0) }
        guard let comer = pick(candidates) else { continue }
        note("others: \(key) of \(comer) = \(number)")
        known[comer]?.setValue(owner, forKey: key)
        links.set(key, of: comer, to: [number])
      }
      try save(other)
    }
  }

  /// The objects by their numbers; in a block of the context.
  private func known(_ context: NSManagedObjectContext) throws -> [Int: NSManagedObject] {
    let objects = try DeletedModel.entities.flatMap { try all($0, context) }
    return Dictionary(uniqueKeysWithValues: objects.map { (RulePicture.number($0), $0) })
  }

  @discardableResult
  private func add(
    _ entity: String, _ context: NSManagedObjectContext, _ links: inout RuleLinks
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    let number = newNumber()
    object.setValue(number, forKey: RuleModel.number)
    note("insert \(entity) \(number)")
    links.insert(number, entity)
    return object
  }

  /// Some changes and some deletions, processed at its end; in a block of the context.
  private func deleteEvent(_ context: NSManagedObjectContext, _ links: inout RuleLinks, _ waits: Bool) throws {
    if chance(1, of: 2) { add(pick(["Node", "Leaf", "Part", "Guard"]) ?? "Node", context, &links) }
    let known = try known(context)
    for _ in 0..<(2 + draw(6)) { relateSomething(known, &links) }
    if !waits, chance(1, of: 2) { context.processPendingChanges() }
    let victims = some(known.keys.sorted().filter { links.kind(of: $0) != "Guard" || chance(1, of: 4) }, atMost: 2)
    guard !victims.isEmpty else { return }
    // Denying objects are moved or deleted first; now and then only once the save was refused.
    let gone = links.reached(from: victims)
    let deniers = links.deniers(of: gone).sorted()
    precondition(gone.isDisjoint(with: deniers), "who denies stays")
    // An object that was never saved denies nothing.
    let denied = gone.filter { !links.deniers(of: [$0]).subtracting(gone).isEmpty }
    let refused = chance(1, of: 2) && !denied.isEmpty && denied.allSatisfy { known[$0]?.isInserted == false }
    if !refused { free(deniers, gone, known, &links) }
    for number in victims {
      guard let object = known[number] else { continue }
      if chance(1, of: 3), !object.hasChanges { context.refresh(object, mergeChanges: false) }
      note("delete \(number)")
      context.delete(object)
      try require(
        object.isDeleted || object.managedObjectContext == nil, true, .wrongValue, "isDeleted of \(number) after delete"
      )
    }
    if !waits { context.processPendingChanges() }
    if refused {
      let error = AnythingClient.error { try context.save() }
      try require(self.denied(error), denied.sorted(), .orphanRecord, "the objects that may not be deleted")
      free(deniers, gone, known, &links)
    }
    links.delete(victims)
    if !waits { context.processPendingChanges() }
  }

  /// The objects that an error names as those that may not be deleted; in a block of their context.
  private func denied(_ error: NSError?) -> [Int] {
    let details = Self.parts(of: error)
    return details.filter { $0.code == NSValidationRelationshipDeniedDeleteError }.compactMap {
      ($0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject).map(RulePicture.number)
    }.sorted()
  }

  /// Objects that deny a deletion leave, or are deleted as well.
  private func free(
    _ deniers: [Int], _ gone: Set<Int>, _ known: [Int: NSManagedObject], _ links: inout RuleLinks
  ) {
    for number in deniers {
      guard let denier = known[number] else { continue }
      if chance(1, of: 2) {
        let other = pick(known.keys.sorted().filter { links.kind(of: $0) == "Node" && !gone.contains($0) })
        note("ward of \(number) = \(other.map { "\($0)" } ?? "nil")")
        denier.setValue(other.flatMap { known[$0] }, forKey: "ward")
        links.set("ward", of: number, to: other.map { [$0] } ?? [])
      } else {
        note("delete \(number), which denies")
        denier.managedObjectContext?.delete(denier)
        links.delete([number])
      }
    }
  }

  /// One change of a relationship, from either side; in a block of the objects' context.
  private func relateSomething(_ known: [Int: NSManagedObject], _ links: inout RuleLinks) {
    let names = [
      ("Node", "parent"), ("Node", "children"), ("Node", "next"), ("Node", "previous"), ("Node", "friends"),
      ("Part", "whole"),
      ("Guard", "ward"), ("Node", "parts"), ("Node", "guards"), ("Node", "parent"),
    ]
    guard let (kind, name) = pick(names), let owner = pick(known.keys.sorted().filter { links.kind(of: $0) == kind }),
      let object = known[owner], let relationship = object.entity.relationshipsByName[name]
    else { return }
    let candidates = known.keys.sorted().filter { links.kind(of: $0) == relationship.destinationEntity?.name }
    let members =
      relationship.isToMany
      ? some(candidates, atMost: 3).sorted() : (chance(1, of: 5) ? [] : [pick(candidates)].compactMap { $0 })
    note("\(name) of \(owner) = \(members)")
    let value: Any? =
      relationship.isToMany ? Set(members.compactMap { known[$0] }) : members.first.flatMap { known[$0] }
    object.setValue(value, forKey: name)
    links.set(name, of: owner, to: members)
  }

  private func saveDown(
    _ editor: NSManagedObjectContext, _ root: NSManagedObjectContext, _ links: inout RuleLinks
  ) throws {
    try editor.performAndWait { try save(editor) }
    if editor !== root { try root.performAndWait { try save(root) } }
    precondition(!editor.performAndWait { editor.hasChanges }, "a context that saved has no changes")
  }
}

/// Trees, rings, friends, parts that go with their wholes and wholes that go with their parts, and guards that deny.
private enum DeletedModel {
  static let entities = ["Node", "Part", "Guard"]
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let (node, part, guardian) = (ModelParts.entity("Node"), ModelParts.entity("Part"), ModelParts.entity("Guard"))
    let leaf = NSEntityDescription()
    precondition([node, part, guardian].compactMap(\.name) == entities, "the entities are in the order of the list")
    leaf.name = "Leaf"
    node.subentities = [leaf]
    ModelParts.connect(
      ModelParts.many("children", node, .cascadeDeleteRule), of: node, ModelParts.one("parent", node), of: node)
    ModelParts.connect(
      ModelParts.one("next", node, .cascadeDeleteRule), of: node, ModelParts.one("previous", node), of: node)
    ModelParts.connect(
      ModelParts.many("friends", node, .nullifyDeleteRule), of: node,
      ModelParts.many("friendOf", node, .nullifyDeleteRule),
      of: node)
    ModelParts.connect(
      ModelParts.many("parts", part, .cascadeDeleteRule), of: node, ModelParts.one("whole", node, .cascadeDeleteRule),
      of: part)
    ModelParts.connect(
      ModelParts.many("guards", guardian, .denyDeleteRule), of: node, ModelParts.one("ward", node), of: guardian)
    let pass = ModelParts.entity("Pass")
    pass.properties.append(ModelParts.one("issuer", guardian, .denyDeleteRule))
    let model = NSManagedObjectModel()
    model.entities = [node, leaf, part, guardian, pass]
    return model
  }
}
