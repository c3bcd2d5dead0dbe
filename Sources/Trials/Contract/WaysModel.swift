import Cells
import CoreData

/// Three entities with relationships of every kind between them and within one, of which two have heirs: ways of several relationships.
enum WaysModel {
  static let roots = ["Alpha", "Beta", "Gamma"]
  static let entities = roots + ["SpecialBeta", "SpecialGamma"]

  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  /// A way from an entity over relationships.
  struct Way {
    var keys: [String] = []
    var end: NSEntityDescription
    var hasMany = false
    var endsWithMany = false

    var path: String { keys.joined(separator: ".") }
  }

  /// The relationships of an entity by name, inherited ones too.
  static func relationships(_ entity: NSEntityDescription) -> [NSRelationshipDescription] {
    entity.relationshipsByName.values.sorted { $0.name < $1.name }
  }

  private static func make() -> NSManagedObjectModel {
    let made = roots.map(ModelParts.entity)
    let (alpha, beta, gamma) = (made[0], made[1], made[2])
    let (specialBeta, specialGamma) = (NSEntityDescription(), NSEntityDescription())
    (specialBeta.name, specialGamma.name) = ("SpecialBeta", "SpecialGamma")
    (beta.subentities, gamma.subentities) = ([specialBeta], [specialGamma])
    for entity in made {
      entity.properties += [
        ModelParts.attribute("rank", .integer32AttributeType, isOptional: true),
        ModelParts.attribute("name", .stringAttributeType, isOptional: true),
      ]
    }
    func one(_ name: String, _ entity: NSEntityDescription) -> NSRelationshipDescription {
      ModelParts.one(name, entity)
    }
    func many(_ name: String, _ entity: NSEntityDescription, ordered: Bool = false) -> NSRelationshipDescription {
      let relationship = ModelParts.many(name, entity, .nullifyDeleteRule)
      relationship.isOrdered = ordered
      return relationship
    }
    ModelParts.connect(one("lead", beta), of: alpha, many("leadOf", alpha), of: beta)
    ModelParts.connect(many("crew", beta), of: alpha, one("crewOf", alpha), of: beta)
    ModelParts.connect(many("pals", beta), of: alpha, many("palsOf", alpha), of: beta)
    ModelParts.connect(one("hub", gamma), of: beta, many("hubOf", beta), of: gamma)
    ModelParts.connect(many("line", gamma, ordered: true), of: beta, one("lineOf", beta), of: gamma)
    ModelParts.connect(many("mates", gamma, ordered: true), of: beta, many("matesOf", beta), of: gamma)
    ModelParts.connect(one("boss", gamma), of: gamma, many("staff", gamma), of: gamma)
    ModelParts.connect(many("peers", gamma), of: gamma, many("peersOf", gamma), of: gamma)
    ModelParts.connect(one("twin", gamma), of: alpha, one("twinOf", alpha), of: gamma)
    ModelParts.connect(one("extra", gamma), of: specialBeta, many("extraOf", specialBeta), of: gamma)
    let model = NSManagedObjectModel()
    model.entities = [alpha, beta, specialBeta, gamma, specialGamma]
    precondition(Set(model.entities.compactMap(\.name)) == Set(entities), "each entity is listed")
    return model
  }
}
