import Cells
import Checking
import CoreData

// S2.4, S2.6, S2.7, S7.1, S8.1, S8.3, S9.2: what an entity inherits is its own: attributes with defaults and rules, relationships to
// and from each level of a family of entities, delete rules, and transient values.

extension RuleTrial {
  func kinds() throws {
    let coordinator = try open(KindModel.shared)
    let root = context(coordinator)
    let editor = chance(1, of: 3) ? context(in: root) : root
    try editor.performAndWait {
      for entity in ["Group", "Group", "Mid", "Leaf", "Side", "Tip", "Mid", "Side", "Leaf", "Tip"] {
        try insertKind(entity, editor)
      }
    }
    for _ in 0..<(2 + draw(2)) {
      try editor.performAndWait {
        for _ in 0..<(3 + draw(6)) { try changeKind(editor) }
        if chance(1, of: 3) { editor.processPendingChanges() }
        try requireBothSides(editor)
      }
      try saveKinds(editor, coordinator)
      if chance(1, of: 3) { editor.performAndWait { editor.refreshAllObjects() } }
      try fetchKinds(pick([editor, root, freshContext(coordinator)]) ?? root)
      try editor.performAndWait { try refuseKind(editor) }
      try deleteKind(editor, coordinator)
    }
    try keepTransientDefaults(editor, coordinator)
  }

  /// An object with the defaults of its entity and of those that this inherits from; in a block of the context.
  @discardableResult
  private func insertKind(_ entity: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
    let object = insertNumbered(entity, context)
    for (key, value) in KindModel.defaults(of: entity) {
      try require(RulePicture.text(object.value(forKey: key)), value, .wrongValue, "the default of \(key) of \(entity)")
    }
    return object
  }

  /// The objects of all entities, by their numbers; in a block of the context.
  private func kindObjects(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try all("Base", context) + all("Group", context)
  }

  /// Draws one change of a value or a relationship, inherited or not; in a block of the context.
  private func changeKind(_ context: NSManagedObjectContext) throws {
    let objects = try kindObjects(context)
    if chance(1, of: 6) { try insertKind(pick(KindModel.concrete) ?? "Leaf", context) }
    guard let object = pick(objects) else { return }
    let number = RulePicture.number(object)
    if object.entity.name != "Group", chance(1, of: 2) {
      guard let (key, values) = pick(KindModel.values(of: object.entity.name ?? "")), let value = pick(values) else {
        return
      }
      note("\(key) of \(number) = \(RulePicture.text(value))")
      object.setValue(value, forKey: key)
      return
    }
    let names = object.entity.relationshipsByName.keys.sorted()
    guard let name = pick(names), let relationship = object.entity.relationshipsByName[name],
      let destination = relationship.destinationEntity
    else { return }
    let members = some(
      objects.filter { $0.entity.isKindOf(entity: destination) }, atMost: relationship.isToMany ? 3 : 1)
    note("\(name) of \(number) = \(members.map(RulePicture.number))")
    guard relationship.isToMany else { return object.setValue(members.first, forKey: name) }
    object.setValue(relationship.isOrdered ? NSOrderedSet(array: members) : Set(members), forKey: name)
    let shown = RulePicture.members(of: object, relationship)
    let expected = members.map(RulePicture.number)
    try require(
      shown, relationship.isOrdered ? expected : expected.sorted(), .wrongValue, "\(name) of \(number) that was set")
  }

  /// Both sides of every relationship say the same; in a block of the context.
  private func requireBothSides(_ context: NSManagedObjectContext) throws {
    for object in try kindObjects(context) {
      for name in object.entity.relationshipsByName.keys.sorted() {
        guard let relationship = object.entity.relationshipsByName[name],
          let inverse = relationship.inverseRelationship
        else { continue }
        for member in objects(of: object, relationship) {
          let seen = RulePicture.members(of: member, inverse).contains(RulePicture.number(object))
          try require(
            seen, true, .asymmetricInverse,
            "whether \(inverse.name) of \(RulePicture.number(member)) has \(RulePicture.number(object)), as \(name) says"
          )
        }
      }
    }
  }

  private func objects(
    of object: NSManagedObject, _ relationship: NSRelationshipDescription
  ) -> [NSManagedObject] {
    let value = object.value(forKey: relationship.name)
    if relationship.isOrdered { return (value as? NSOrderedSet)?.array as? [NSManagedObject] ?? [] }
    let members = value as? Set<NSManagedObject> ?? Set([value as? NSManagedObject].compactMap { $0 })
    return members.sorted { RulePicture.number($0) < RulePicture.number($1) }
  }

  /// Saves down to the file, which then has what the context shows.
  private func saveKinds(_ editor: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(editor.persistentStoreCoordinator === coordinator, "the kinds are saved to this file")
    let shown = try picture(editor, KindModel.roots)
    try editor.performAndWait { try save(editor) }
    if let parent = editor.parent {
      try require(
        try picture(parent, KindModel.roots), shown, .lostUpdate, "in the parent after a save of its child")
      try parent.performAndWait { try save(parent) }
    }
    try require(try picture(editor, KindModel.roots), shown, .lostUpdate, "in a context after its save")
    let fresh = freshContext(coordinator)
    try require(try picture(fresh, KindModel.roots), shown, .unpersistedSave, "in the file after a save")
    try fresh.performAndWait { try requireBothSides(fresh) }
  }

  /// A fetch of an entity finds its objects and those of the entities below it.
  private func fetchKinds(_ reader: NSManagedObjectContext) throws {
    let shown = try picture(reader, KindModel.roots).objects
    try reader.performAndWait {
      for (entity, kinds) in KindModel.kinds {
        let own = shown.filter { kinds.contains($0.value["entity"] ?? "") }
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: true)]
        func requireFound(_ expected: [Int], _ what: String) throws {
          let found = try reader.fetch(request)
          try require(found.map(RulePicture.number), expected, .wrongValue, "a fetch of \(entity), \(what)")
          try require(
            try reader.count(for: request), expected.count, .wrongValue, "a count of \(entity), \(what)")
          for object in found {
            try require(
              object.entity.name, shown[RulePicture.number(object)]?["entity"], .wrongValue,
              "the entity of \(RulePicture.number(object))")
          }
        }
        try requireFound(own.keys.sorted(), "all")
        request.includesSubentities = false
        try requireFound(own.filter { $0.value["entity"] == entity }.keys.sorted(), "without sub-entities")
        request.includesSubentities = true
        guard let rank = pick(["-7", "0", "2"]), let least = Int(rank) else { continue }
        request.predicate = NSPredicate(format: "rank >= %ld AND label != nil", least)
        let ranked = own.filter { (Int($0.value["rank"] ?? "") ?? Int.min) >= least && $0.value["label"] != "null" }
        try requireFound(ranked.keys.sorted(), "by inherited attributes")
        guard kinds.contains("Tip"), entity != "Base" else { continue }
        request.predicate = NSPredicate(format: "ANY pals.rank >= %ld", least)
        let palled = own.filter { object in
          RulePicture.numbers(object.value["pals"]).contains {
            (Int(shown[$0]?["rank"] ?? "") ?? Int.min) >= least
          }
        }
        try requireFound(palled.keys.sorted(), "by an inherited relationship")
      }
    }
  }

  /// A rule that is inherited refuses as one of the entity's own does; in a block of a context that has saved.
  private func refuseKind(_ context: NSManagedObjectContext) throws {
    let rules = KindModel.rules
    guard let (entities, key, value, code) = pick(rules) else { return }
    precondition(!entities.isEmpty, "a rule is one of some entity")
    let old = try all("Base", context).filter { entities.contains($0.entity.name ?? "") }
    let object = chance(1, of: 3) ? nil : pick(old)
    let broken = try object ?? insertKind(pick(entities) ?? "Leaf", context)
    note("\(key) of \(RulePicture.number(broken)) = \(RulePicture.text(value))")
    let valid = broken.value(forKey: key)
    broken.setValue(value, forKey: key)
    let error = AnythingClient.error { try context.save() }
    let what = "of \(broken.entity.name ?? "") whose \(key) is \(RulePicture.text(value))"
    try require(error?.code, code, .wrongValue, "the error of a save \(what)")
    try require(
      error?.userInfo[NSValidationKeyErrorKey] as? String, key, .wrongValue, "the key in the error \(what)")
    try require(
      error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === broken, true, .wrongValue,
      "whether the error names the object \(what)")
    broken.setValue(valid, forKey: key)
    let still = AnythingClient.error {
      try broken.isInserted ? broken.validateForInsert() : broken.validateForUpdate()
    }
    try require(still?.code, nil, .wrongValue, "the error of the validation of one that was mended")
    context.rollback()
  }

  /// A deletion reaches what inherited delete rules reach, and is denied where one denies.
  private func deleteKind(_ editor: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(editor.persistentStoreCoordinator === coordinator, "what is deleted is in this file")
    let before = try picture(editor, KindModel.roots)
    let left: RulePicture? = try editor.performAndWait {
      let objects = try kindObjects(editor)
      guard objects.count > 6, let victim = pick(objects) else { return nil }
      let number = RulePicture.number(victim)
      let gone = Set([number] + RulePicture.numbers(before.objects[number]?["contents"]))
      let denied = gone.filter { side in
        !Set(RulePicture.numbers(before.objects[side]?["wards"])).subtracting(gone).isEmpty
      }
      note("delete \(victim.entity.name ?? "") \(number)")
      editor.delete(victim)
      if chance(1, of: 2) { editor.processPendingChanges() }
      guard denied.isEmpty else {
        let error = AnythingClient.error { try editor.save() }
        let details = Self.parts(of: error)
        let named = details.filter { $0.code == NSValidationRelationshipDeniedDeleteError }.compactMap {
          ($0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject).map(RulePicture.number)
        }
        try require(named.sorted(), denied.sorted(), .orphanRecord, "the objects that may not be deleted")
        editor.rollback()
        return before
      }
      try save(editor)
      for object in objects where gone.contains(RulePicture.number(object)) {
        try require(
          [object.isDeleted, object.managedObjectContext != nil], [false, false], .wrongValue,
          "whether \(RulePicture.number(object)), whose deletion was saved, is deleted or has a context")
      }
      return before.without(gone)
    }
    guard let left else { return }
    try require(try picture(editor, KindModel.roots), left, .orphanRecord, "in a context after a deletion")
    if let parent = editor.parent { try parent.performAndWait { try save(parent) } }
    try require(
      try picture(freshContext(coordinator), KindModel.roots), left, .orphanRecord, "in the file after a deletion")
  }

  /// An inherited transient attribute has its default until it is set, and again once its changes are dropped.
  private func keepTransientDefaults(
    _ editor: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(
      editor.persistentStoreCoordinator === coordinator, "transient values are missing in the editor's own file")
    func mark(_ object: NSManagedObject) -> String { RulePicture.text(object.value(forKey: "mark")) }
    let id: NSManagedObjectID = try editor.performAndWait {
      let object = try insertKind(pick(KindModel.concrete) ?? "Leaf", editor)
      try require(mark(object), "plain", .wrongValue, "the transient default of a new object")
      object.setValue("own", forKey: "mark")
      try save(editor)
      try require(mark(object), "own", .wrongValue, "a transient value after a save")
      if let parent = editor.parent {
        try parent.performAndWait {
          let other = try parent.existingObject(with: object.objectID)
          try require(mark(other), "own", .wrongValue, "a transient value that a child has pushed")
          try save(parent)
          try require(mark(other), "own", .wrongValue, "a transient value after its parent's save")
        }
        try editor.obtainPermanentIDs(for: [object])
      }
      editor.refresh(object, mergeChanges: true)
      try require(mark(object), "own", .wrongValue, "a transient value after a refresh that merges")
      let isRefreshed = chance(1, of: 2)
      object.setValue("other", forKey: "mark")
      note(isRefreshed ? "refresh" : "rollback")
      if isRefreshed { editor.refresh(object, mergeChanges: false) } else { editor.rollback() }
      try require(mark(object), "plain", .wrongValue, "a transient value after it was dropped")
      try require(
        [object.hasChanges, editor.hasChanges], [false, false], .wrongValue, "changes by a transient default")
      return object.objectID
    }
    let fresh = freshContext(coordinator)
    try fresh.performAndWait {
      let object = try fresh.existingObject(with: id)
      try require(mark(object), "plain", .wrongValue, "the transient default of an object that was read")
      try require(
        [object.hasChanges, fresh.hasChanges], [false, false], .wrongValue, "changes of an object that was read")
    }
  }
}

extension RulePicture {
  /// The objects left once some are gone, to which nothing leads any more.
  func without(_ gone: Set<Int>) -> RulePicture {
    precondition(!gone.isEmpty, "some objects are gone")
    return RulePicture(
      objects.filter { !gone.contains($0.key) }.mapValues { texts in
        texts.mapValues { text in
          text.hasPrefix("[") ? "\(Self.numbers(text).filter { !gone.contains($0) })" : text
        }
      })
  }
}

/// A family of entities of three levels below an abstract one, of which the last adds nothing, with attributes, rules and relationships at each.
enum KindModel {
  static let roots = ["Base", "Group"]
  static let concrete = ["Mid", "Leaf", "Tip", "Side"]
  static let kinds = [
    ("Base", concrete), ("Mid", ["Mid", "Leaf", "Tip"]), ("Leaf", ["Leaf", "Tip"]), ("Tip", ["Tip"]),
    ("Side", ["Side"]),
  ]
  /// Which entities refuse which value of an attribute, and the code of what refuses it.
  nonisolated(unsafe) static let rules: [([String], String, Any?, Int)] = [
    (concrete, "label", "much too long", NSValidationStringTooLongError),
    (["Mid", "Leaf", "Tip"], "text", nil, NSValidationMissingMandatoryPropertyError),
    (["Leaf", "Tip"], "least", -1, NSValidationNumberTooSmallError),
    (["Leaf", "Tip"], "least", 40_000, NSValidationNumberTooLargeError),
    (concrete, "rank", 3_000_000_000, NSValidationNumberTooLargeError),
    (["Side"], "remark", "A", NSValidationStringPatternMatchingError),
  ]
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  static func defaults(of entity: String) -> [(String, String)] {
    let base = [("label", "none"), ("rank", "2"), ("mark", "plain")]
    return switch entity {
    case "Mid": base + [("text", "mid")]
    case "Leaf", "Tip": base + [("text", "mid"), ("least", "1")]
    case "Side": base + [("remark", "null")]
    default: []
    }
  }

  static func values(of entity: String) -> [(String, [Any?])] {
    let base: [(String, [Any?])] = [("label", [nil, "", "a", "caf\u{e9}"]), ("rank", [nil, -7, 0, 2, 2_147_483_647])]
    return switch entity {
    case "Mid": base + [("text", ["", "b", "mid"])]
    case "Leaf", "Tip": base + [("text", ["", "b"]), ("least", [nil, 0, 1, 32_767])]
    case "Side": base + [("remark", [nil, "a", "ab"])]
    default: []
    }
  }

  private static func attribute(_ name: String, _ type: NSAttributeType, _ given: Any?) -> NSAttributeDescription {
    let attribute = ModelParts.attribute(name, type, isOptional: true)
    attribute.defaultValue = given
    return attribute
  }

  private static func ruled(_ attribute: NSAttributeDescription, _ format: String) -> NSAttributeDescription {
    attribute.setValidationPredicates([NSPredicate(format: format)], withValidationWarnings: nil)
    return attribute
  }

  static func make() -> NSManagedObjectModel {
    let (base, group) = (ModelParts.entity("Base"), ModelParts.entity("Group"))
    let (mid, leaf, tip) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
    let side = NSEntityDescription()
    (mid.name, leaf.name, tip.name, side.name) = ("Mid", "Leaf", "Tip", "Side")
    base.isAbstract = true
    let mark = attribute("mark", .stringAttributeType, "plain")
    mark.isTransient = true
    base.properties += [
      ruled(attribute("label", .stringAttributeType, "none"), "length <= 8"),
      attribute("rank", .integer32AttributeType, 2), mark,
    ]
    let text = attribute("text", .stringAttributeType, "mid")
    text.isOptional = false
    mid.properties = [text]
    leaf.properties = [ruled(attribute("least", .integer16AttributeType, 1), "SELF >= 0")]
    side.properties = [ruled(attribute("remark", .stringAttributeType, nil), "SELF MATCHES '[a-z]*'")]
    ModelParts.connect(
      ModelParts.many("contents", base, .cascadeDeleteRule), of: group, ModelParts.one("group", group), of: base)
    ModelParts.connect(
      ModelParts.many("pals", mid, .nullifyDeleteRule), of: mid, ModelParts.many("palOf", mid, .nullifyDeleteRule),
      of: mid)
    ModelParts.connect(ModelParts.one("lead", leaf), of: mid, ModelParts.one("leads", mid), of: leaf)
    let chain = ModelParts.many("chain", base, .nullifyDeleteRule)
    chain.isOrdered = true
    ModelParts.connect(chain, of: leaf, ModelParts.one("holder", leaf), of: base)
    ModelParts.connect(
      ModelParts.many("wards", mid, .denyDeleteRule), of: side, ModelParts.one("warden", side), of: mid)
    precondition(
      [base, mid, leaf, tip, side].compactMap(\.name) == kinds.map(\.0), "each entity of the family has its kinds")
    base.subentities = [mid, side]
    mid.subentities = [leaf]
    leaf.subentities = [tip]
    let model = NSManagedObjectModel()
    model.entities = [base, mid, leaf, tip, side, group]
    return model
  }
}
