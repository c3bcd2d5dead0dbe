import Checking
import CoreData

/// Every object of a context, as text: two contexts that show the same have equal pictures.
struct RulePicture: Equatable {
  /// By the objects' numbers: their properties; members by their numbers, in order where the relationship has one.
  private(set) var objects: [Int: [String: String]] = [:]

  static let entities = ["Item", "Box", "Tag"]

  init(_ objects: [Int: [String: String]]) { self.objects = objects }

  /// Reads everything; in a block of the context.
  init(_ context: NSManagedObjectContext, _ entities: [String] = entities) throws {
    for entity in entities {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      for object in try context.fetch(request) { objects[Self.number(object)] = Self.properties(of: object) }
    }
  }

  static func number(_ object: NSManagedObject) -> Int {
    (object.value(forKey: RuleModel.number) as? NSNumber)?.intValue ?? -1
  }

  static func properties(of object: NSManagedObject) -> [String: String] {
    var texts = ["entity": object.entity.name ?? ""]
    for (name, property) in object.entity.propertiesByName where !property.isTransient {
      texts[name] =
        (property as? NSRelationshipDescription).map { "\(members(of: object, $0))" }
        ?? text(object.value(forKey: name))
    }
    return texts
  }

  /// The numbers of the objects that a relationship leads to: in their order where it has one, else in ascending order.
  static func members(of object: NSManagedObject, _ relationship: NSRelationshipDescription) -> [Int] {
    let value = object.value(forKey: relationship.name)
    if relationship.isOrdered { return ((value as? NSOrderedSet)?.array as? [NSManagedObject] ?? []).map(number) }
    let members =
      relationship.isToMany
      ? Array(value as? Set<NSManagedObject> ?? []) : [value as? NSManagedObject].compactMap { $0 }
    return members.map(number).sorted()
  }

  /// The numbers in the text of a relationship.
  static func numbers(_ text: String?) -> [Int] {
    (text ?? "").split { $0 == "[" || $0 == "]" || $0 == "," || $0 == " " }.compactMap { Int($0) }
  }

  /// A value as text, in which texts that are equal only by canonical equivalence differ.
  static func text(_ value: Any?) -> String {
    if let elements = value as? [String: Any] {
      let texts = elements.filter { !($0.value is NSNull) }.map { "\($0.key) \(text($0.value))" }
      return texts.isEmpty ? "null" : texts.sorted().joined(separator: ", ")
    }
    guard let text = value as? String else { return DrawnValue.text(value) ?? "null" }
    return text.unicodeScalars.map { $0.isASCII ? String($0) : "<\($0.value)>" }.joined()
  }

  /// Leaves out the values that the store computes.
  var withoutDerived: RulePicture {
    var picture = self
    picture.objects = objects.mapValues { $0.filter { !RuleModel.derived.contains($0.key) } }
    return picture
  }

  /// Leaves out what objects lead to.
  var withoutRelationships: RulePicture {
    var picture = self
    picture.objects = objects.mapValues { texts in
      let relationships = RuleModel.shared.entitiesByName[texts["entity"] ?? ""]?.relationshipsByName ?? [:]
      return texts.filter { relationships[$0.key] == nil }
    }
    return picture
  }

  /// Derived values by hand.
  fileprivate func derived(_ object: [String: String], _ number: Int) -> [String: String] {
    switch object["entity"] {
    case "Box":
      let items = objects.values.filter { $0["box"] == "[\(number)]" }
      let total = items.compactMap { $0["rank"].flatMap { Int($0) } }.reduce(0, +)
      return ["itemCount": "\(items.count)", "total": "\(total)"]
    case "Item", "SpecialItem":
      let box = objects.first { $0.value["entity"] == "Box" && object["box"] == "[\($0.key)]" }
      return ["boxTitle": box?.value["title"] ?? "null"]
    default: return [:]
    }
  }

  /// Has a value of an object, if it has the object.
  mutating func change(_ key: String, of number: Int, to text: String) { objects[number]?[key] = text }

  /// Some of the objects.
  func part(_ numbers: Set<Int>) -> RulePicture {
    var part = self
    part.objects = objects.filter { numbers.contains($0.key) }
    return part
  }

  /// The first difference from the expected picture; nil without one.
  func difference(from expected: RulePicture) -> (subject: String, expected: String, seen: String)? {
    for number in Set(objects.keys).union(expected.objects.keys).sorted() {
      guard let own = objects[number] else { return ("object \(number)", "there", "missing") }
      guard let other = expected.objects[number] else { return ("object \(number)", "gone", "there") }
      for name in Set(own.keys).union(other.keys).sorted() where own[name] != other[name] {
        return ("\(name) of \(other["entity"] ?? "object") \(number)", other[name] ?? "nothing", own[name] ?? "nothing")
      }
    }
    return nil
  }
}

extension RuleTrial {
  func picture(
    _ context: NSManagedObjectContext, _ entities: [String] = RulePicture.entities
  ) throws -> RulePicture {
    try context.performAndWait {
      context.processPendingChanges()
      if isSeldomStep, context.persistentStoreCoordinator?.managedObjectModel === RuleModel.shared {
        try requireLaws(context, isProcessed: false, "before it is read")
      }
      return try RulePicture(context, entities)
    }
  }

  /// The picture of the file, with both sides in agreement and derived values equal to their sources.
  func stored(_ coordinator: NSPersistentStoreCoordinator) throws -> RulePicture {
    let picture = try picture(freshContext(coordinator))
    let links = RuleLinks(RuleModel.shared)
    for (number, object) in picture.objects {
      if let problem = links.problem(of: number, in: picture) {
        try report(.asymmetricInverse, "\(number) in the file", expected: "both sides say the same", seen: problem)
      }
      for (key, expected) in picture.derived(object, number) {
        try require(object[key], expected, .wrongValue, "\(key) of \(number) in the file")
      }
    }
    return picture
  }

  /// Checks that a context shows the file's values.
  func requireCurrent(
    _ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ kind: ViolationKind,
    _ what: String
  ) throws {
    try require(try picture(context), try stored(coordinator), kind, what)
  }

  func require(_ seen: RulePicture, _ expected: RulePicture, _ kind: ViolationKind, _ what: String) throws {
    precondition(!what.isEmpty, "a difference has its place")
    session.count(\.valuesCompared, max(1, expected.objects.count))
    guard let first = seen.difference(from: expected) else { return }
    try report(kind, "\(first.subject), \(what)", expected: first.expected, seen: first.seen)
  }
}

// Steps of most trials.

extension RuleTrial {
  /// Inserts an object with drawn values; in a block of the context.
  func insert(_ entity: String, _ context: NSManagedObjectContext) -> NSManagedObject {
    let object = insertNumbered(entity, context)
    // Labels are unique: only some rules give them.
    for attribute in some(RuleModel.attributes(of: entity).filter { $0 != "label" }, atMost: 4) {
      set(attribute, of: object)
    }
    return object
  }

  /// Inserts an object with nothing but a number; in a block of the context.
  func insertNumbered(_ entity: String, _ context: NSManagedObjectContext) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    precondition(object.isInserted, "an object that is inserted is among the changes")
    let number = newNumber()
    object.setValue(number, forKey: RuleModel.number)
    note("insert \(entity) \(number)")
    return object
  }

  /// A batch insert of rows, as dictionaries or object by object.
  func batchInsertion(of rows: [[String: Any]], _ entity: String) -> NSBatchInsertRequest {
    precondition(!rows.isEmpty, "some rows are inserted")
    let isByObjects = chance(1, of: 2)
    note("batch insert of \(rows.count) \(entity)\(isByObjects ? " by objects" : "")")
    guard isByObjects else { return NSBatchInsertRequest(entityName: entity, objects: rows) }
    var left = rows
    return NSBatchInsertRequest(entityName: entity) { (object: NSManagedObject) in
      guard let row = left.popLast() else { return true }
      for key in row.keys.sorted() { object.setValue(row[key], forKey: key) }
      return false
    }
  }

  /// Inserts an object without relationships; in a block of the context.
  @discardableResult
  func insertPlain(_ context: NSManagedObjectContext, rank: Int? = nil) -> NSManagedObject {
    let object = insertNumbered("Plain", context)
    if let rank { object.setValue(rank, forKey: "rank") }
    return object
  }

  /// The errors of a save that was refused, each by itself.
  static func parts(of error: NSError?) -> [NSError] {
    error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error].compactMap { $0 }
  }

  /// Every policy of the stack's.
  static var policies: [NSMergePolicy] {
    [.error, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback]
  }

  /// Gives an attribute a drawn value; in a block of the object's context.
  func set(_ attribute: String, of object: NSManagedObject) {
    precondition(object.entity.attributesByName[attribute] != nil, "\(attribute) is an attribute of the object")
    guard let value = pick(RuleModel.values(attribute)) else { return }
    let isByHand = isThirdStep
    note("\(attribute) of \(RulePicture.number(object)) = \(RulePicture.text(value))\(isByHand ? " by hand" : "")")
    if isByHand { setByHand(value, attribute, of: object) } else { object.setValue(value, forKey: attribute) }
  }

  /// Sets a value as an accessor does that a program has of its own, which is the same; in a block of the object's context.
  func setByHand(_ value: Any?, _ key: String, of object: NSManagedObject) {
    precondition(object.entity.propertiesByName[key] != nil, "\(key) is a property of the object")
    object.willChangeValue(forKey: key)
    object.setPrimitiveValue(value, forKey: key)
    object.didChangeValue(forKey: key)
  }

  /// The objects of an entity, by their numbers; in a block of the context.
  func all(_ entity: String, _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    return try context.fetch(request).sorted { RulePicture.number($0) < RulePicture.number($1) }
  }

  /// Inserts some boxes, tags and items that are in them; in a block of the context.
  func populate(_ context: NSManagedObjectContext, items count: Int) {
    precondition(count > 0, "some items are inserted")
    let boxes = (0..<3).map { _ in insert("Box", context) }
    let tags = (0..<3).map { _ in insert("Tag", context) }
    for number in 0..<count { connect(insert(number % 4 == 3 ? "SpecialItem" : "Item", context), boxes, tags) }
  }

  /// Puts an item into a drawn box and gives it some tags; in a block of the context.
  func connect(_ item: NSManagedObject, _ boxes: [NSManagedObject], _ tags: [NSManagedObject]) {
    let box = chance(3, of: 4) ? pick(boxes) : nil
    let shelf = chance(1, of: 2) ? pick(boxes) : nil
    let chosen = some(tags, atMost: 3)
    let numbers = [box, shelf].map { $0.map { "\(RulePicture.number($0))" } ?? "none" }
    note(
      "item \(RulePicture.number(item)): box \(numbers[0]), shelf \(numbers[1]), tags \(chosen.map(RulePicture.number))"
    )
    item.setValue(box, forKey: "box")
    item.setValue(shelf, forKey: "shelf")
    item.setValue(NSOrderedSet(array: chosen), forKey: "tags")
  }

  /// Draws one change of a context's items, or of the boxes and tags that have them; in a block of the context.
  func changeSomething(_ context: NSManagedObjectContext) throws {
    let (items, boxes, tags) = (try all("Item", context), try all("Box", context), try all("Tag", context))
    guard let item = pick(items) else { return populate(context, items: 3) }
    switch draw(10) {
    case 0..<4: set(pick(RuleModel.attributes(of: item.entity.name ?? "")) ?? "rank", of: item)
    case 4: connect(insert(chance(1, of: 4) ? "SpecialItem" : "Item", context), boxes, tags)
    case 5, 6: connect(item, boxes, tags)
    case 7:
      note("delete item \(RulePicture.number(item))")
      context.delete(item)
    case 8: if let box = pick(boxes) { set("title", of: box) }
    default:
      if boxes.count > 2, let box = pick(boxes), chance(1, of: 2) {
        note("delete box \(RulePicture.number(box))")
        context.delete(box)
      } else if let tag = pick(tags) {
        set("remark", of: tag)
      }
    }
  }

  /// Saves; in a block of the context.
  func save(_ context: NSManagedObjectContext) throws {
    note("save \(context.name ?? "")")
    try context.save()
    try require(context.hasChanges, false, .unpersistedSave, "whether \(context.name ?? "") has changes after its save")
  }
}
