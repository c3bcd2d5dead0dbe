import Cells
import Checking
import CoreData

// S2.7, S3.1, S9.2: a save, and the validation of one object, refuse everything at once that breaks a rule: of each object, of each
// property, of each kind of rule, inherited or not, also while some of it is mended.

extension RuleTrial {
  /// Objects that a round has changed, and the codes of what their properties break, found by hand; both by number.
  private struct Breaches {
    var objects: [Int: NSManagedObject] = [:]
    var codes: [Int: [String: Int]] = [:]

    var texts: [String] { objects.keys.flatMap(texts(of:)).sorted() }
    var pairs: [(number: Int, key: String)] {
      codes.flatMap { number, codes in codes.keys.map { (number, $0) } }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    }

    func texts(of number: Int) -> [String] {
      (codes[number] ?? [:]).map { "\($0.value) \($0.key) of \(number)" }.sorted()
    }
  }

  func breaches() throws {
    let isAsked = chance(1, of: 3)
    note(isAsked ? "a class is asked, which asks the model" : "the model is asked")
    let coordinator = try open(isAsked ? BreachModel.asked : BreachModel.plain)
    let root = context(coordinator)
    let editor = chance(1, of: 4) ? context(in: root) : root
    var count = 0
    try editor.performAndWait {
      let hubs = (0..<4).map { _ in insertNumbered("Hub", editor) }
      let others = BreachModel.whole.map { insertNumbered($0, editor) }
      for object in hubs + others {
        for part in BreachModel.parts(of: object.entity) { _ = give(part, isValid: true, object, hubs) }
      }
      count = hubs.count + others.count
      try save(editor)
    }
    for _ in 0..<4 { count += try breakRules(editor) }
    if editor !== root { try root.performAndWait { try save(root) } }
    let fresh = freshContext(coordinator)
    try fresh.performAndWait {
      let left = try all("Base", fresh) + all("Hub", fresh)
      try require(left.count, count, .lostRecord, "objects in the file after saves that were refused and mended")
    }
  }

  /// Breaks rules in several objects, and mends them step by step.
  ///
  /// - Returns: how many objects there are more.
  private func breakRules(_ editor: NSManagedObjectContext) throws -> Int {
    var (broken, growth) = try editor.performAndWait { try breakSome(editor) }
    if chance(1, of: 2) { try judge(broken, editor) }
    for attempt in 0... {
      note("save \(editor.name ?? "")")
      let error = editor.performAndWait { AnythingClient.error { try editor.save() } }
      let expected = broken.texts
      try require(try refusals(editor, error), expected, .wrongValue, "what save \(attempt) of a round refuses")
      let code = expected.count > 1 ? NSValidationMultipleErrorsError : broken.codes.values.flatMap(\.values).first
      try require(error?.code, code, .wrongValue, "the code of a save that refuses \(expected.count) values")
      guard error != nil else { break }
      if chance(1, of: 3) { try judge(broken, editor) }
      // Seldom none: the same is refused again.
      let pairs = shuffled(broken.pairs)
      let mended = attempt > 2 ? pairs : Array(pairs.prefix(draw(pairs.count + 1)))
      try editor.performAndWait {
        let hubs = try all("Hub", editor)
        for (number, key) in mended {
          guard let object = broken.objects[number],
            let part = BreachModel.parts(of: object.entity).first(where: { $0.key == key })
          else { continue }
          broken.codes[number]?[key] = give(part, isValid: true, object, hubs)
        }
      }
    }
    try require(
      editor.performAndWait { editor.hasChanges }, false, .unpersistedSave, "whether there are changes after a save")
    editor.performAndWait { withExtendedLifetime(broken.objects) {} }
    return growth
  }

  /// Changes and inserts objects, each with nothing, half or one of its properties as the rules have it; in a block of the context.
  private func breakSome(_ context: NSManagedObjectContext) throws -> (broken: Breaches, growth: Int) {
    let hubs = try all("Hub", context)
    let old = some(try all("Base", context) + hubs, atMost: 5)
    let new = (0..<draw(5)).map { _ in insertNumbered(pick(BreachModel.whole) ?? "Leaf", context) }
    var broken = Breaches()
    for object in shuffled(old + new) {
      let (number, parts, density) = (RulePicture.number(object), BreachModel.parts(of: object.entity), draw(4))
      let only = pick(parts)?.key
      precondition(!parts.isEmpty && broken.objects[number] == nil, "each object is broken once, and has rules")
      broken.objects[number] = object
      for part in parts {
        let isBroken = density == 0 || density == 1 && chance(1, of: 2) || density == 2 && part.key == only
        let isNew = new.contains { $0 === object }
        if density == 0, isNew, chance(3, of: 4) {
          // As the insertion leaves it.
          broken.codes[number, default: [:]][part.key] = part.missing
        } else if isBroken || isNew || chance(1, of: 2) {
          broken.codes[number, default: [:]][part.key] = give(part, isValid: !isBroken, object, hubs)
        }
      }
    }
    var growth = new.count
    if chance(1, of: 3), let victim = pick((old + new).filter { $0.entity.name != "Hub" }) {
      let number = RulePicture.number(victim)
      note("delete \(number)")
      context.delete(victim)
      (broken.objects[number], broken.codes[number]) = (nil, nil)
      growth -= 1
    }
    if chance(1, of: 3) { context.processPendingChanges() }
    return (broken, growth)
  }

  /// Gives a property a value that its rules allow, or refuse; in a block of the object's context.
  ///
  /// - Returns: the code of the refusal.
  private func give(
    _ part: BreachModel.Part, isValid: Bool, _ object: NSManagedObject, _ hubs: [NSManagedObject]
  ) -> Int? {
    precondition(hubs.count > 2, "there are more of them than a relationship may have")
    let (number, key) = (RulePicture.number(object), part.key)
    switch part {
    case .attribute(let rule):
      guard let (value, code) = pick(rule.values.filter { ($0.code == nil) == isValid }) else { return nil }
      note("\(key) of \(number) = \(RulePicture.text(value))")
      object.setValue(value, forKey: key)
      return code
    case .one:
      let hub = isValid ? pick(hubs) : nil
      note("\(key) of \(number) = \(hub.map { "\(RulePicture.number($0))" } ?? "none")")
      object.setValue(hub, forKey: key)
      return isValid ? nil : part.missing
    case .counted:
      let count = isValid ? 1 + draw(2) : chance(1, of: 2) ? 0 : 3
      let members = shuffled(hubs).prefix(count)
      note("\(key) of \(number) = \(members.map(RulePicture.number))")
      object.setValue(Set(members), forKey: key)
      return isValid ? nil : count == 0 ? part.missing : NSValidationRelationshipExceedsMaximumCountError
    }
  }

  /// The validation of one object refuses what the save does of it.
  private func judge(_ broken: Breaches, _ context: NSManagedObjectContext) throws {
    for number in some(broken.objects.keys.sorted(), atMost: 3) {
      guard let object = broken.objects[number] else { continue }
      let error = context.performAndWait {
        AnythingClient.error { try object.isInserted ? object.validateForInsert() : object.validateForUpdate() }
      }
      try require(
        try refusals(context, error), broken.texts(of: number), .wrongValue, "what the validation of \(number) refuses")
    }
  }
}

/// A family of entities with rules at each level, of attributes and relationships, most of them mandatory.
enum BreachModel {
  /// A property with rules.
  enum Part {
    case attribute(JudgedModel.Rule)
    /// A mandatory relationship to one hub.
    case one(String)
    /// A relationship to one or two hubs.
    case counted(String)

    var key: String {
      switch self {
      case .attribute(let rule): rule.key
      case .one(let key), .counted(let key): key
      }
    }

    /// The code of the refusal where there is no value.
    var missing: Int? {
      switch self {
      case .attribute(let rule): rule.isMandatory ? NSValidationMissingMandatoryPropertyError : nil
      case .one: NSValidationMissingMandatoryPropertyError
      case .counted: NSValidationRelationshipLacksMinimumCountError
      }
    }
  }

  /// The entities of objects, most of them with what others have too.
  static let whole = ["Mid", "Leaf", "Leaf", "Side"]
  // Not changed after it was made.
  nonisolated(unsafe) static let plain = make(nil)
  // Not changed after it was made.
  nonisolated(unsafe) static let asked = make(AskedObject.self)

  // Not changed after it was made.
  nonisolated(unsafe) private static let own: [String: [Part]] = [
    "Base": [.attribute(free("code")), .attribute(count("amount", isMandatory: true)), .attribute(text("word"))],
    "Mid": [.attribute(free("place")), .attribute(count("rate", isMandatory: false)), .one("home")],
    "Leaf": [
      .attribute(free("grade")), .attribute(text("remark", isMandatory: true)), .counted("peers"), .one("nest"),
    ],
    "Side": [.attribute(free("label")), .attribute(count("least", isMandatory: true)), .one("host")],
    "Hub": [.attribute(text("title", isMandatory: true)), .attribute(count("size", isMandatory: false))],
  ]

  /// The properties of an entity that have rules, those that it inherits first.
  static func parts(of entity: NSEntityDescription) -> [Part] {
    (entity.superentity.map(parts) ?? []) + (own[entity.name ?? ""] ?? [])
  }

  private static func free(_ key: String) -> JudgedModel.Rule {
    JudgedModel.Rule(
      key: key, type: .stringAttributeType, isMandatory: true, formats: [], valid: "x",
      values: [("", nil), ("x", nil), (nil, NSValidationMissingMandatoryPropertyError)])
  }

  private static func text(_ key: String, isMandatory: Bool = false) -> JudgedModel.Rule {
    JudgedModel.Rule(
      key: key, type: .stringAttributeType, isMandatory: isMandatory, formats: ["length >= 2", "length <= 5"],
      valid: "abc",
      values: [
        ("ab", nil), ("abcde", nil), ("a", NSValidationStringTooShortError), ("abcdef", NSValidationStringTooLongError),
        (nil, isMandatory ? NSValidationMissingMandatoryPropertyError : nil),
      ])
  }

  private static func count(_ key: String, isMandatory: Bool) -> JudgedModel.Rule {
    JudgedModel.Rule(
      key: key, type: .integer16AttributeType, isMandatory: isMandatory, formats: ["SELF >= 1", "SELF <= 10"], valid: 5,
      values: [
        (1, nil), (10, nil), (0, NSValidationNumberTooSmallError), (11, NSValidationNumberTooLargeError),
        (70_000, NSValidationNumberTooLargeError), (-70_000, NSValidationNumberTooSmallError),
        (nil, isMandatory ? NSValidationMissingMandatoryPropertyError : nil),
      ])
  }

  private static func make(_ type: NSManagedObject.Type?) -> NSManagedObjectModel {
    let (base, hub) = (ModelParts.entity("Base"), ModelParts.entity("Hub"))
    let (mid, leaf, side) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
    (mid.name, leaf.name, side.name) = ("Mid", "Leaf", "Side")
    base.isAbstract = true
    let entities = [base, mid, leaf, side, hub]
    precondition(Set(entities.compactMap(\.name)) == Set(own.keys), "each entity has rules of its own")
    for entity in entities {
      if let type { entity.managedObjectClassName = _typeName(type) }
      for part in own[entity.name ?? ""] ?? [] {
        switch part {
        case .attribute(let rule):
          let attribute = ModelParts.attribute(rule.key, rule.type, isOptional: !rule.isMandatory)
          attribute.setValidationPredicates(rule.formats.map { NSPredicate(format: $0) }, withValidationWarnings: nil)
          entity.properties.append(attribute)
        case .one(let key): lead(key, ModelParts.one(key, hub), from: entity, to: hub)
        case .counted(let key):
          let relationship = ModelParts.many(key, hub, .nullifyDeleteRule)
          (relationship.minCount, relationship.maxCount) = (1, 2)
          lead(key, relationship, from: entity, to: hub)
        }
      }
    }
    base.subentities = [mid, side]
    mid.subentities = [leaf]
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
  }

  /// A mandatory relationship to hubs, of which the inverse has no rule.
  private static func lead(
    _ key: String, _ relationship: NSRelationshipDescription, from entity: NSEntityDescription,
    to hub: NSEntityDescription
  ) {
    relationship.isOptional = false
    ModelParts.connect(
      relationship, of: entity, ModelParts.many("\(key)Of", entity, .nullifyDeleteRule), of: hub)
  }
}

/// Asks the model about each of its values, as it would be asked without this class.
private final class AskedObject: NSManagedObject {
  override func validateForInsert() throws { try super.validateForInsert() }

  override func validateForUpdate() throws { try super.validateForUpdate() }

  override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
    try super.validateValue(value, forKey: key)
  }
}
