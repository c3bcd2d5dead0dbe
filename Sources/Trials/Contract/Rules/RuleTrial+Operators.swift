import Checking
import CoreData

// S2.6: key-value coding of arrays, sets and ordered sets of objects: values, paths over relationships, every collection operator,
// parts of Foundation's values, and setting; beside the same by hand, of new, changed and saved objects, and of faults.

extension RuleTrial {
  func operators() throws {
    let url = newURL()
    let coordinator = try open(at: url)
    let root = context(coordinator)
    let editor = chance(1, of: 3) ? context(in: root) : root
    try editor.performAndWait {
      try populateForOperators(editor)
      for _ in 0..<30 { try askCollection(editor) }
      try save(editor)
    }
    if editor !== root { try root.performAndWait { try save(root) } }
    for reader in [editor, freshContext(coordinator)] {
      try reader.performAndWait {
        for round in 0..<3 {
          if round > 0 { try setThroughCollection(reader) }
          if chance(1, of: 3), !reader.hasChanges { reader.refreshAllObjects() }
          for _ in 0..<20 { try askCollection(reader) }
          for _ in 0..<3 { try askOwnKeys(reader) }
        }
        reader.rollback()
      }
    }
    try close(coordinator)
  }

  /// Boxes, tags and items with values of which some are equal, and some are null; in a block of the context.
  private func populateForOperators(_ context: NSManagedObjectContext) throws {
    let boxes = (0..<3).map { _ in insertNumbered("Box", context) }
    let tags = (0..<4).map { _ in insertNumbered("Tag", context) }
    for object in boxes + tags { giveValues(object) }
    for _ in 0..<(5 + draw(6)) {
      let item = insertNumbered(chance(1, of: 5) ? "SpecialItem" : "Item", context)
      giveValues(item)
      connect(item, boxes, tags)
    }
    for box in boxes {
      box.setValue(pick(try all("Item", context)), forKey: "cover")
    }
  }

  private func giveValues(_ object: NSManagedObject) {
    precondition(object.isInserted, "values are given to new objects")
    for key in object.entity.attributesByName.keys.sorted() {
      guard let values = HandPath.values(key), let value = pick(values) else { continue }
      object.setValue(value, forKey: key)
    }
  }

  // MARK: Questions

  /// Objects of one entity in a collection of a drawn kind, asked for what a drawn path leads to.
  private func askCollection(_ context: NSManagedObjectContext) throws {
    let entity = pick(["Item", "Box", "Tag"]) ?? "Item"
    let everyone = try all(entity, context)
    var objects = some(everyone, atMost: everyone.count)
    let kind = pick(HandPath.Kind.allCases) ?? .array
    // An array may have an object twice.
    if kind == .array, chance(1, of: 4) { objects += objects.prefix(2) }
    let keys = HandPath.keys(from: entity, self)
    if chance(1, of: 5), let object = objects.first, keys[0].first != "@" {
      guard let expected = HandPath.follow(.object(object), keys[...]) else { return }
      return try requireAnswer(object.value(forKeyPath: keys.joined(separator: ".")), expected, "an object", keys)
    }
    guard let expected = HandPath.follow(.many(kind, objects.map { .object($0) }), keys[...]) else { return }
    let path = keys.joined(separator: ".")
    let isMutable = chance(1, of: 3)
    let isKey = keys.count == 1 && chance(1, of: 2)
    let seen: Any?
    switch kind {
    case .array:
      let array = isMutable ? NSMutableArray(array: objects) : NSArray(array: objects)
      seen = isKey ? array.value(forKey: path) : array.value(forKeyPath: path)
    case .set:
      let set = isMutable ? NSMutableSet(array: objects) : NSSet(array: objects)
      seen = isKey ? set.value(forKey: path) : set.value(forKeyPath: path)
    case .ordered:
      let ordered = isMutable ? NSMutableOrderedSet(array: objects) : NSOrderedSet(array: objects)
      seen = isKey ? ordered.value(forKey: path) : ordered.value(forKeyPath: path)
    }
    try requireAnswer(seen, expected, "\(kind) of \(objects.count) \(entity)", keys)
    try askRelationship(objects, context)
  }

  /// The set that is a relationship is asked as any other.
  private func askRelationship(_ objects: [NSManagedObject], _ context: NSManagedObjectContext) throws {
    guard let box = objects.first, box.entity.name == "Box" else { return }
    let keys = HandPath.keys(from: "Item", self)
    let path = keys.joined(separator: ".")
    let name = chance(1, of: 2) ? "items" : "list"
    guard let expected = HandPath.follow(.object(box), [name] + keys) else { return }
    let seen =
      name == "items"
      ? box.mutableSetValue(forKey: name).value(forKeyPath: path)
      : box.mutableOrderedSetValue(forKey: name).value(forKeyPath: path)
    try requireAnswer(seen, expected, "the mutable set of \(name)", keys)
  }

  private func requireAnswer(_ seen: Any?, _ expected: HandPath, _ of: String, _ keys: [String]) throws {
    precondition(!keys.isEmpty, "a question is about a key")
    note("\(keys.joined(separator: ".")) of \(of)")
    let isLoose = expected.isLoose
    try require(
      HandPath(seen, isLoose: isLoose).text, expected.text, .wrongValue, "\(keys.joined(separator: ".")) of \(of)")
  }

  /// Keys that every object has.
  private func askOwnKeys(_ context: NSManagedObjectContext) throws {
    guard let object = pick(try all(pick(RulePicture.entities) ?? "Item", context)) else { return }
    if !object.hasChanges { context.refresh(object, mergeChanges: false) }
    let flags = [
      "isFault": object.isFault, "fault": object.isFault, "isInserted": object.isInserted,
      "inserted": object.isInserted, "isUpdated": object.isUpdated, "updated": object.isUpdated,
      "isDeleted": object.isDeleted, "deleted": object.isDeleted, "hasChanges": object.hasChanges,
      "hasPersistentChangedValues": object.hasPersistentChangedValues,
    ]
    for (key, expected) in flags.sorted(by: { $0.key < $1.key }) {
      try require((object.value(forKey: key) as? NSNumber)?.boolValue, expected, .wrongValue, "\(key) by its key")
    }
    try require(object.faultingState != 0, object.isFault, .wrongValue, "whether the faulting state is a fault's")
    let (id, owner) = (object.value(forKeyPath: "objectID"), object.value(forKeyPath: "self.managedObjectContext"))
    try require(
      [
        id as? NSManagedObjectID == object.objectID, owner as? NSManagedObjectContext === context,
        object.value(forKey: "self") as? NSManagedObject === object,
        object.value(forKey: "entity") as? NSEntityDescription == object.entity,
        NSArray(array: [object]).value(forKey: "objectID") as? [NSManagedObjectID] == [object.objectID],
      ], Array(repeating: true, count: 5), .wrongValue, "ID, context, self and entity by their keys")
    object.willAccessValue(forKey: RuleModel.number)
    let number = object.primitiveValue(forKey: RuleModel.number) as? NSNumber
    object.didAccessValue(forKey: RuleModel.number)
    try require(number?.intValue, RulePicture.number(object), .wrongValue, "a primitive value after its access")
    try require([object.isFault ? 1 : 0, object.faultingState], [0, 0], .wrongValue, "a fault after an access")
  }

  // MARK: Setting

  /// Sets a value of every element, or of all objects that a path leads to.
  private func setThroughCollection(_ context: NSManagedObjectContext) throws {
    let (items, boxes) = (try all("Item", context), try all("Box", context))
    let (some, number) = (some(items, atMost: 4), newNumber())
    note("\(some.map(RulePicture.number)) have the rank \(number)")
    switch draw(3) {
    case 0: NSArray(array: some).setValue(number, forKey: "rank")
    case 1: NSSet(array: some).setValue(number, forKey: "rank")
    default: NSOrderedSet(array: some).setValue(number, forKey: "rank")
    }
    for item in items {
      let hasNumber = (item.value(forKey: "rank") as? NSNumber)?.intValue == number
      try require(hasNumber, some.contains(item), .wrongValue, "whether \(RulePicture.number(item)) was set")
    }
    guard let box = pick(boxes) else { return }
    let (name, title) = (chance(1, of: 2) ? "items" : "list", "set \(newNumber())")
    let path = pick(["\(name).name", "\(name).box.title", "cover.name", "cover.box.title"]) ?? "cover.name"
    note("\(path) of box \(RulePicture.number(box)) = \(title)")
    let keys = path.split(separator: ".").map(String.init)
    let targets = HandPath.objects(box, keys.dropLast())
    let key = keys[keys.count - 1]
    box.setValue(title, forKeyPath: path)
    for object in items + boxes {
      guard object.entity.attributesByName[key] != nil else { continue }
      try require(
        object.value(forKey: key) as? String == title, targets.contains(object), .wrongValue,
        "whether \(RulePicture.number(object)) has the \(key) that was set by \(path)")
    }
  }
}
