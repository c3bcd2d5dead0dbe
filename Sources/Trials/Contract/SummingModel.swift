import Cells
import CoreData

/// Teams and members with drawn relationships between them and within each, and values derived over both sides of each.
struct SummingModel {
  enum Formula {
    case own(form: String, key: String)
    case copy(form: String, toOne: String, key: String)
    case count(toMany: String)
    case sum(toMany: String, key: String)
    case now
  }

  static let roots = ["Team", "Member"]
  private static let forms = ["", "uppercase", "lowercase", "canonical"]

  let model = NSManagedObjectModel()
  /// By the names of entities: what each derives by itself.
  private(set) var formulas: [String: [(name: String, formula: Formula)]] = [:]
  private(set) var words = ""
  private var names = 0

  init(_ trial: RuleTrial) {
    let (team, member) = (ModelParts.entity("Team"), ModelParts.entity("Member"))
    let (bigTeam, bigMember) = (NSEntityDescription(), NSEntityDescription())
    (bigTeam.name, bigMember.name) = ("BigTeam", "BigMember")
    (team.subentities, member.subentities) = ([bigTeam], [bigMember])
    for root in [team, member] {
      root.properties += [
        ModelParts.attribute("text", .stringAttributeType, isOptional: true),
        ModelParts.attribute("size", .integer64AttributeType, isOptional: true),
        ModelParts.attribute("weight", .doubleAttributeType, isOptional: true),
      ]
      derive(trial, .own(form: "uppercase", key: "text"), root, named: "upper")
      derive(trial, .own(form: trial.pick(Self.forms) ?? "", key: "text"), root)
      derive(trial, .own(form: "", key: "size"), root)
      derive(trial, .now, root, named: "stamp")
    }
    // One is always there of what members share.
    connect(trial, team, member, kind: trial.draw(2))
    for _ in 0..<(1 + trial.draw(3)) {
      let all = [team, member, team, member, bigTeam, bigMember]
      connect(trial, trial.pick(all) ?? team, trial.pick(all) ?? member, kind: trial.draw(6))
    }
    model.entities = [team, bigTeam, member, bigMember]
    precondition(formulas.values.allSatisfy { !$0.isEmpty }, "who derives something has a formula")
  }

  /// Makes both sides of a relationship, and derives values over each.
  private mutating func connect(
    _ trial: RuleTrial, _ owner: NSEntityDescription, _ other: NSEntityDescription, kind: Int
  ) {
    names += 1
    let (name, inverseName) = ("side\(names)", "other\(names)")
    let rule: NSDeleteRule = trial.chance(1, of: 4) ? .cascadeDeleteRule : .nullifyDeleteRule
    let side = kind == 4 ? ModelParts.one(name, other, rule) : ModelParts.many(name, other, rule)
    words += "\(owner.name ?? "").\(name) to \(other.name ?? "") of kind \(kind), rule \(rule.rawValue); "
    if kind == 5, owner === other {
      side.inverseRelationship = side
      owner.properties.append(side)
      return derive(trial, side, owner)
    }
    let isToMany = [0, 2].contains(kind)
    let back =
      isToMany ? ModelParts.many(inverseName, owner, .nullifyDeleteRule) : ModelParts.one(inverseName, owner)
    side.isOrdered = [2, 3].contains(kind)
    ModelParts.connect(side, of: owner, back, of: other)
    derive(trial, side, owner)
    derive(trial, back, other)
  }

  private mutating func derive(
    _ trial: RuleTrial, _ relationship: NSRelationshipDescription, _ entity: NSEntityDescription
  ) {
    // An heir may derive something over a relationship that it inherits.
    let heir = entity.subentities.first.flatMap { trial.chance(1, of: 3) ? $0 : nil }
    let (owner, name) = (heir ?? entity, relationship.name)
    if relationship.isToMany {
      derive(trial, .count(toMany: name), owner)
      derive(trial, .sum(toMany: name, key: "size"), entity)
      if trial.chance(1, of: 2) { derive(trial, .sum(toMany: name, key: "weight"), owner) }
    } else {
      derive(trial, .copy(form: trial.pick(Self.forms) ?? "", toOne: name, key: "text"), owner)
      derive(trial, .copy(form: "", toOne: name, key: "size"), entity)
      if trial.chance(1, of: 3) { derive(trial, .copy(form: "", toOne: name, key: "upper"), owner) }
    }
  }

  private mutating func derive(
    _ trial: RuleTrial, _ formula: Formula, _ entity: NSEntityDescription, named given: String? = nil
  ) {
    names += 1
    let name = given ?? "derived\(names)"
    func formed(_ form: String, _ path: String) -> String { form.isEmpty ? path : "\(form):(\(path))" }
    func type(_ key: String) -> NSAttributeType {
      key == "size" ? .integer64AttributeType : key == "weight" ? .doubleAttributeType : .stringAttributeType
    }
    let (text, attributeType): (String, NSAttributeType) =
      switch formula {
      case .own(let form, let key): (formed(form, key), type(key))
      case .copy(let form, let toOne, let key): (formed(form, "\(toOne).\(key)"), type(key))
      case .count(let toMany): ("\(toMany).@count", .integer64AttributeType)
      case .sum(let toMany, let key):
        (names % 2 == 0 ? "\(toMany).@sum.\(key)" : "\(toMany).\(key).@sum", type(key))
      case .now: ("now()", .dateAttributeType)
      }
    let derived = RuleModel.deriving(name, attributeType, text)
    // The store computes it: no rule of its own refuses a save.
    if trial.chance(1, of: 2) {
      derived.setValidationPredicates([NSPredicate(value: false)], withValidationWarnings: nil)
    }
    entity.properties.append(derived)
    formulas[entity.name ?? "", default: []].append((name, formula))
    words += "\(entity.name ?? "").\(name) = \(text); "
  }

  /// The values that an object has to show, by hand; in a block of its context.
  func derived(_ object: NSManagedObject) -> [(name: String, value: Any?)] {
    let kinds = object.entity.name.map { $0.hasPrefix("Big") ? [$0, String($0.dropFirst(3))] : [$0] } ?? []
    return kinds.flatMap { formulas[$0] ?? [] }.compactMap { name, formula in
      switch formula {
      case .own(let form, let key): (name, Self.formed(form, object.value(forKey: key)))
      case .copy(let form, let toOne, let key):
        (name, Self.formed(form, Self.value(key, of: object.value(forKey: toOne) as? NSManagedObject)))
      case .count(let toMany): (name, Self.members(toMany, of: object).count)
      case .sum(let toMany, let key):
        (name, Self.sum(key, Self.members(toMany, of: object)))
      case .now: nil
      }
    }
  }

  private static func value(_ key: String, of object: NSManagedObject?) -> Any? {
    key == "upper" ? formed("uppercase", object?.value(forKey: "text")) : object?.value(forKey: key)
  }

  private static func formed(_ form: String, _ value: Any?) -> Any? {
    guard let text = value as? String else { return value }
    return switch form {
    case "uppercase": text.uppercased()
    case "lowercase": text.lowercased()
    case "canonical": text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    default: text
    }
  }

  static func members(_ key: String, of object: NSManagedObject) -> [NSManagedObject] {
    let value = object.value(forKey: key)
    return (value as? NSOrderedSet)?.array as? [NSManagedObject] ?? Array(value as? Set<NSManagedObject> ?? [])
  }

  private static func sum(_ key: String, _ members: [NSManagedObject]) -> Any? {
    let sum = members.reduce(0.0) { $0 + (($1.value(forKey: key) as? NSNumber)?.doubleValue ?? 0) }
    return key == "size" ? Int(sum) as Any : NSNumber(value: sum)
  }
}
