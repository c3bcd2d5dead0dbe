import Cells
import Checking
import CoreData

// S2.4, S2.6, S2.8, S4.4, S6.4: values that are written by key paths, through relationships and into composites in composites, whatever
// has a value on the way, are read by key paths and in the file as they were set: changed, undone, rolled back, refreshed, saved by a child.

extension RuleTrial {
  func paths() throws {
    let url = newURL()
    let coordinator = try open(PathedModel.shared, at: url)
    let other = chance(1, of: 2) ? coordinator : try open(PathedModel.shared, at: url)
    let root = context(coordinator)
    let editor = chance(1, of: 2) ? context(in: root) : root
    var values = PathedValues()
    editor.performAndWait {
      for entity in ["Shop", "Shop", "Person", "Person", "Person", "Person"] { insertPathed(entity, editor, &values) }
    }
    var saved = PathedValues()
    for _ in 0..<(8 + draw(6)) {
      try editor.performAndWait {
        try chance(1, of: 4) ? writeAndUndo(editor, &values, saved) : write(editor, &values, saved)
        if chance(1, of: 4) {
          note("refresh what is not new, and keep changes")
          for object in try PathedModel.objects(editor) where !object.isInserted {
            editor.refresh(object, mergeChanges: true)
          }
          try requirePaths(editor, values, saved, "after a refresh")
        }
        if !saved.isEmpty, chance(1, of: 6) {
          note("roll back")
          editor.rollback()
          values = saved
          try requirePaths(editor, values, saved, "after a rollback")
        }
      }
      guard chance(1, of: 2) else { continue }
      for context in editor === root ? [root] : [editor, root] {
        try context.performAndWait {
          try save(context)
          try requirePaths(context, values, values, "after a save")
        }
      }
      saved = values
      let fresh = freshContext(other)
      try fresh.performAndWait { try requirePaths(fresh, values, values, "in the file") }
    }
  }

  // MARK: Writing

  @discardableResult
  private func insertPathed(
    _ entity: String, _ context: NSManagedObjectContext, _ values: inout PathedValues
  ) -> NSManagedObject {
    let object = insertNumbered(entity, context)
    values.insert(RulePicture.number(object), entity)
    return object
  }

  /// Writes some values, in a block of the context.
  private func write(
    _ context: NSManagedObjectContext, _ values: inout PathedValues, _ saved: PathedValues
  ) throws {
    if chance(1, of: 4) { insertPathed(pick(["Shop", "Person"]) ?? "Person", context, &values) }
    let objects = try PathedModel.objects(context)
    precondition(!objects.isEmpty, "paths begin at an object")
    for _ in 0..<(1 + draw(5)) { relate(objects, &values) }
    for _ in 0..<(2 + draw(6)) { try writeOne(objects, &values) }
    if chance(1, of: 2) { context.processPendingChanges() }
    try requirePaths(context, values, saved, "as they were set")
  }

  /// Writes some values, and takes them back by an undo, and perhaps not; in a block of the context.
  private func writeAndUndo(
    _ context: NSManagedObjectContext, _ values: inout PathedValues, _ saved: PathedValues
  ) throws {
    let before = values
    try recordForUndo(context) { try write(context, &values, saved) }
    note("undo")
    if context.undoManager?.canUndo ?? false { context.undoManager?.undo() }
    context.processPendingChanges()
    try requirePaths(context, before, saved, "after an undo")
    if chance(1, of: 2) {
      note("redo")
      if context.undoManager?.canRedo ?? false { context.undoManager?.redo() }
      context.processPendingChanges()
      try requirePaths(context, values, saved, "after a redo")
    } else {
      values = before
    }
    context.undoManager = nil
  }

  /// Writes one value by a path of some length.
  private func writeOne(_ objects: [NSManagedObject], _ values: inout PathedValues) throws {
    guard let object = pick(objects) else { return }
    let number = RulePicture.number(object)
    guard let way = pick(PathedModel.ways[object.entity.name ?? ""] ?? []), let path = pick(PathedModel.paths) else {
      return
    }
    if way == "staff" {
      let value = drawn("level")
      note("staff.level of \(number) = \(PathedValues.words(value))")
      object.setValue(value, forKeyPath: "staff.level")
      for member in values.links.members("staff", of: number) { values.set("level", of: member, to: value) }
      return
    }
    let value = drawn(path)
    let whole = way.isEmpty ? path : "\(way).\(path)"
    note("\(whole) of \(number) = \(PathedValues.words(value))")
    object.setValue(value, forKeyPath: whole)
    guard let target = values.target(of: number, way) else { return }
    values.set(path, of: target, to: value)
    try require(
      PathedValues.words(object.value(forKeyPath: whole)), values.words(path, of: target), .wrongValue,
      "\(whole) of \(number), just set")
  }

  /// Sets one relationship, by its key or at the end of a path.
  private func relate(_ objects: [NSManagedObject], _ values: inout PathedValues) {
    guard let object = pick(objects) else { return }
    let number = RulePicture.number(object)
    let choices = object.entity.name == "Shop" ? ["chief"] : ["shop", "shop", "friend", "shop.chief"]
    let path = pick(choices) ?? "shop"
    let (way, name) = path == "shop.chief" ? ("shop", "chief") : ("", path)
    let kind = name == "shop" ? "Shop" : "Person"
    let member = chance(1, of: 6) ? nil : pick(objects.filter { $0.entity.name == kind })
    note("\(path) of \(number) = \(member.map { "\(RulePicture.number($0))" } ?? "nil")")
    object.setValue(member, forKeyPath: path)
    guard let target = values.target(of: number, way) else { return }
    values.links.set(name, of: target, to: member.map { [RulePicture.number($0)] } ?? [])
  }

  /// A value of an attribute, or of an element: of a composite a dictionary with some elements, of which some may be null.
  private func drawn(_ path: String) -> Any? {
    if let elements = PathedModel.elements[path] {
      guard chance(3, of: 4) else { return nil }
      var dictionary: [String: Any] = [:]
      for element in elements where chance(2, of: 3) {
        if let value = drawn("\(path).\(element)") {
          dictionary[element] = value
        } else if chance(1, of: 2) {
          dictionary[element] = NSNull()
        }
      }
      return dictionary
    }
    let texts: [Any?] = [nil, "", "alpha", "Z"]
    let (integers, reals): ([Any?], [Any?]) = ([nil, -3, 0, 7], [nil, -0.5, 0.0, 2.25])
    let isText = path.hasSuffix("name") || path.hasSuffix("city") || path.hasSuffix("kind")
    let isInteger = path.hasSuffix("level") || path.hasSuffix("code")
    return pick(isText ? texts : isInteger ? integers : reals).flatMap { $0 }
  }

  // MARK: Reading

  /// Everything is read by paths as it was written; in a block of the context.
  private func requirePaths(
    _ context: NSManagedObjectContext, _ values: PathedValues, _ saved: PathedValues, _ what: String
  ) throws {
    let objects = try PathedModel.objects(context)
    try require(objects.map(RulePicture.number), values.numbers, .lostRecord, "the objects \(what)")
    for object in objects {
      let number = RulePicture.number(object)
      for path in PathedModel.paths {
        try require(
          PathedValues.words(object.value(forKeyPath: path)), values.words(path, of: number), .wrongValue,
          "\(path) of \(number), \(what)")
      }
      for way in PathedModel.ways[object.entity.name ?? ""] ?? [] where !way.isEmpty && way != "staff" {
        guard let path = pick(PathedModel.paths) else { continue }
        let target = values.target(of: number, way)
        try require(
          PathedValues.words(object.value(forKeyPath: "\(way).\(path)")),
          target.map { values.words(path, of: $0) } ?? "null", .wrongValue, "\(way).\(path) of \(number), \(what)")
      }
      if object.entity.name == "Shop" { try requireOperators(object, values, what) }
      try requireChanged(object, values, saved, what)
    }
  }

  /// Operators over the members of a relationship, and over their elements, are as a loop says.
  private func requireOperators(_ shop: NSManagedObject, _ values: PathedValues, _ what: String) throws {
    let number = RulePicture.number(shop)
    let staff = values.links.members("staff", of: number)
    func given(_ path: String) -> [Double] { staff.compactMap { Double(values.words(path, of: $0)) } }
    let path = pick(["level", "place.deep.x", "place.deep.inner.code"]) ?? "level"
    let numbers = given(path)
    let sum = numbers.reduce(0, +)
    let expected: [(String, String)] = [
      ("@count", "\(Double(staff.count))"), ("@sum.\(path)", "\(sum)"),
      ("@avg.\(path)", "\(staff.isEmpty ? 0 : sum / Double(staff.count))"),
      ("@min.\(path)", numbers.min().map { "\($0)" } ?? "null"),
      ("@max.\(path)", numbers.max().map { "\($0)" } ?? "null"),
    ]
    for (name, text) in expected {
      let seen = PathedValues.words(shop.value(forKeyPath: "staff.\(name)"))
      let isEqual = seen == text || abs((Double(seen) ?? .infinity) - (Double(text) ?? -.infinity)) < 0.000_001
      try require(isEqual ? text : seen, text, .wrongValue, "staff.\(name) of \(number), \(what)")
    }
    for element in ["name", "place.city", "place.deep.inner.kind"] {
      let union = shop.value(forKeyPath: "staff.@unionOfObjects.\(element)") as? [Any] ?? []
      let byHand = staff.map { values.words(element, of: $0) }.filter { $0 != "null" }
      try require(
        union.map(PathedValues.words).sorted(), byHand.sorted(), .wrongValue,
        "staff.@unionOfObjects.\(element) of \(number), \(what)")
    }
  }

  /// An object names the attributes as changed of which the values are not those of the last save.
  private func requireChanged(
    _ object: NSManagedObject, _ values: PathedValues, _ saved: PathedValues, _ what: String
  ) throws {
    let number = RulePicture.number(object)
    guard !object.isInserted, saved.numbers.contains(number) else { return }
    let attributes = ["name", "level", "place"]
    let changed = attributes.filter { values.words($0, of: number) != saved.words($0, of: number) }
    let seen = object.changedValues().keys.filter(attributes.contains)
    try require(Set(seen), Set(changed), .wrongValue, "the attributes of \(number) that are named as changed, \(what)")
  }
}

/// The values of objects by the paths of their attributes, as text, and where the objects lead.
private struct PathedValues {
  var links = RuleLinks(PathedModel.shared)
  /// Without those that are null.
  private var leaves: [Int: [String: String]] = [:]

  var numbers: [Int] { leaves.keys.sorted() }
  var isEmpty: Bool { leaves.isEmpty }

  mutating func insert(_ number: Int, _ entity: String) {
    precondition(leaves[number] == nil, "each object has a number of its own")
    leaves[number] = [:]
    links.insert(number, entity)
  }

  /// Where to-one relationships lead from an object; nil for nowhere.
  func target(of number: Int, _ way: String) -> Int? {
    way.split(separator: ".").reduce(number as Int?) { target, name in
      target.flatMap { links.members(String(name), of: $0).first }
    }
  }

  /// Sets an attribute, an element, or everything in a composite.
  mutating func set(_ path: String, of number: Int, to value: Any?) {
    precondition(leaves[number] != nil, "a value is one of an object")
    guard let elements = PathedModel.elements[path] else {
      leaves[number]?[path] = value == nil || value is NSNull ? nil : Self.words(value)
      return
    }
    let members = value as? [String: Any] ?? [:]
    for element in elements { set("\(path).\(element)", of: number, to: members[element]) }
  }

  func words(_ path: String, of number: Int) -> String {
    guard let elements = PathedModel.elements[path] else { return leaves[number]?[path] ?? "null" }
    return Self.words(elements.map { ($0, words("\(path).\($0)", of: number)) })
  }

  private static func words(_ elements: [(String, String)]) -> String {
    let given = elements.filter { $0.1 != "null" }.sorted { $0.0 < $1.0 }
    return given.isEmpty ? "null" : "{\(given.map { "\($0.0) \($0.1)" }.joined(separator: ", "))}"
  }

  static func words(_ value: Any?) -> String {
    switch value {
    case nil, is NSNull: "null"
    case let value as String: "'\(value)'"
    case let value as [String: Any]: words(value.map { ($0.key, words($0.value)) })
    case let value as NSNumber: "\(value.doubleValue)"
    case .some(let value): "\(value)"
    }
  }
}

/// Shops and persons, each with a composite of composites.
private enum PathedModel {
  /// The elements of each composite.
  static let elements = [
    "place": ["city", "deep"], "place.deep": ["x", "y", "inner"], "place.deep.inner": ["code", "kind"],
  ]
  static let paths = [
    "name", "level", "place", "place.city", "place.deep", "place.deep.x", "place.deep.y", "place.deep.inner",
    "place.deep.inner.code", "place.deep.inner.kind",
  ]
  /// The relationships before a path, by the entity at which it begins.
  static let ways = [
    "Shop": ["", "", "chief", "chief.friend", "chief.shop", "staff"],
    "Person": ["", "", "shop", "friend", "shop.chief", "friend.friend.shop", "leads"],
  ]
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  /// In a block of the context.
  static func objects(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let objects = try ["Shop", "Person"].flatMap {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: $0))
    }
    return objects.sorted { RulePicture.number($0) < RulePicture.number($1) }
  }

  private static func make() -> NSManagedObjectModel {
    let (shop, person) = (ModelParts.entity("Shop"), ModelParts.entity("Person"))
    precondition(
      elements.allSatisfy { path, names in names.allSatisfy { paths.contains("\(path).\($0)") } },
      "each element of a composite has a path of its own")
    precondition([shop, person].allSatisfy { ways[$0.name ?? ""] != nil }, "ways begin at each entity")
    for entity in [shop, person] {
      entity.properties += [
        plain("name", .stringAttributeType), plain("level", .integer32AttributeType),
        composite(
          "place",
          [
            plain("city", .stringAttributeType),
            composite(
              "deep",
              [
                plain("x", .doubleAttributeType), plain("y", .doubleAttributeType),
                composite("inner", [plain("code", .integer32AttributeType), plain("kind", .stringAttributeType)]),
              ]),
          ]),
      ]
    }
    ModelParts.connect(
      ModelParts.many("staff", person, .nullifyDeleteRule), of: shop, ModelParts.one("shop", shop), of: person)
    ModelParts.connect(ModelParts.one("chief", person), of: shop, ModelParts.one("leads", shop), of: person)
    ModelParts.connect(
      ModelParts.one("friend", person), of: person, ModelParts.many("friendOf", person, .nullifyDeleteRule), of: person)
    let model = NSManagedObjectModel()
    model.entities = [shop, person]
    return model
  }

  private static func plain(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    ModelParts.attribute(name, type, isOptional: true)
  }

  private static func composite(
    _ name: String, _ elements: [NSAttributeDescription]
  ) -> NSCompositeAttributeDescription {
    precondition(!elements.isEmpty, "a composite has elements")
    let composite = NSCompositeAttributeDescription()
    (composite.name, composite.isOptional, composite.elements) = (name, true, elements)
    return composite
  }
}
