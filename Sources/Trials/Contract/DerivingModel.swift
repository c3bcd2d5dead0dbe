import Cells
import CoreData

/// Crates with parts, rows and friends, and what is derived of each.
enum DerivingModel {
  static let roots = ["Crate", "Part"]

  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  /// The values that the store has to derive of an object; in a block of its context.
  static func derived(_ object: NSManagedObject) -> [(String, Any?)] {
    func text(_ key: String, _ owner: NSManagedObject? = nil) -> String? {
      (owner ?? object).value(forKey: key) as? String
    }
    func sum(_ key: String, _ attribute: String) -> Double {
      let members = (object.value(forKey: key) as? Set<NSManagedObject>) ?? []
      return members.reduce(0) { $0 + ((($1.value(forKey: attribute)) as? NSNumber)?.doubleValue ?? 0) }
    }
    func count(_ key: String) -> Int { ((object.value(forKey: key)) as? Set<NSManagedObject>)?.count ?? 0 }
    let crate =
      object.entity.relationshipsByName["crate"] == nil ? nil : object.value(forKey: "crate") as? NSManagedObject
    switch object.entity.name {
    case "Part", "BigPart":
      var values: [(String, Any?)] = [
        ("crateText", crate.flatMap { text("text", $0) }?.uppercased()), ("crateSize", crate?.value(forKey: "size")),
      ]
      if object.entity.name == "BigPart" { values.append(("bigText", crate.flatMap { text("text", $0) })) }
      values.append(("fanCount", count("fans")))
      return values
    default:
      precondition(["Crate", "BigCrate"].contains(object.entity.name), "only parts and crates have derived values")
      var values: [(String, Any?)] = [
        ("upper", text("text")?.uppercased()), ("copied", object.value(forKey: "size")),
        ("canon", text("text")?.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)),
        ("partCount", count("parts")), ("partSum", Int(sum("parts", "size"))), ("friendCount", count("friends")),
        ("friendSum", Int(sum("friends", "size"))),
        ("lineCount", (object.value(forKey: "lined") as? NSOrderedSet)?.count ?? 0),
      ]
      if object.entity.name == "BigCrate" {
        values += [("lower", text("label")?.lowercased()), ("bigSum", NSNumber(value: sum("parts", "weight")))]
      }
      return values
    }
  }

  static func isDerived(_ object: NSManagedObject, _ key: String) -> Bool {
    object.entity.attributesByName[key] is NSDerivedAttributeDescription
  }

  private static func make() -> NSManagedObjectModel {
    let (crate, part) = (ModelParts.entity("Crate"), ModelParts.entity("Part"))
    let (bigCrate, bigPart) = (NSEntityDescription(), NSEntityDescription())
    (bigCrate.name, bigPart.name) = ("BigCrate", "BigPart")
    (crate.subentities, part.subentities) = ([bigCrate], [bigPart])
    precondition([crate, part].compactMap(\.name) == roots, "the roots are those that nothing is above")
    func plain(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
      ModelParts.attribute(name, type, isOptional: true)
    }
    let derived = RuleModel.deriving
    crate.properties += [
      plain("text", .stringAttributeType), plain("size", .integer64AttributeType), plain("label", .stringAttributeType),
      plain("code", .stringAttributeType),
      derived("upper", .stringAttributeType, "uppercase:(text)"),
      derived("canon", .stringAttributeType, "canonical:(text)"), derived("copied", .integer64AttributeType, "size"),
      derived("partCount", .integer64AttributeType, "parts.@count"),
      derived("partSum", .integer64AttributeType, "parts.@sum.size"),
      derived("friendCount", .integer64AttributeType, "friends.@count"),
      derived("friendSum", .integer64AttributeType, "friends.size.@sum"),
      derived("lineCount", .integer64AttributeType, "lined.@count"),
    ]
    crate.uniquenessConstraints = [["code"]]
    bigCrate.properties = [
      derived("lower", .stringAttributeType, "lowercase:(label)"),
      derived("bigSum", .doubleAttributeType, "parts.@sum.weight"),
    ]
    part.properties += [
      plain("text", .stringAttributeType), plain("size", .integer64AttributeType),
      plain("weight", .doubleAttributeType),
      derived("crateText", .stringAttributeType, "uppercase:(crate.text)"),
      derived("crateSize", .integer64AttributeType, "crate.size"),
      derived("fanCount", .integer64AttributeType, "fans.@count"),
    ]
    bigPart.properties = [derived("bigText", .stringAttributeType, "crate.text")]
    ModelParts.connect(
      ModelParts.many("parts", part, .nullifyDeleteRule), of: crate, ModelParts.one("crate", crate), of: part)
    let lined = ModelParts.many("lined", part, .nullifyDeleteRule)
    lined.isOrdered = true
    ModelParts.connect(lined, of: crate, ModelParts.one("line", crate), of: part)
    ModelParts.connect(
      ModelParts.many("friends", part, .nullifyDeleteRule), of: crate,
      ModelParts.many("fans", crate, .nullifyDeleteRule), of: part)
    let model = NSManagedObjectModel()
    model.entities = [crate, bigCrate, part, bigPart]
    return model
  }
}
