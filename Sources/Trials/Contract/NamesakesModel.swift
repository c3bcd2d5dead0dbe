import Cells
import CoreData

/// Tables in which the same keys are given out, and drawn relationships between their objects.
struct NamesakesModel {
  static let roots = ["Ant", "Bee", "Cat", "Dog"]
  static let entities = roots + ["BigBee"]

  let model = NSManagedObjectModel()
  /// The relationships that are set; the others are their inverses.
  private(set) var leading: [NSRelationshipDescription] = []
  private(set) var words = ""

  init(_ trial: RuleTrial) {
    let made = Self.roots.map(ModelParts.entity)
    for entity in made {
      entity.properties.append(ModelParts.attribute("rank", .integer64AttributeType, isOptional: true))
    }
    let big = NSEntityDescription()
    big.name = "BigBee"
    made[1].subentities = [big]
    func rule(_ chances: Int = 3) -> NSDeleteRule {
      trial.chance(1, of: chances) ? .cascadeDeleteRule : .nullifyDeleteRule
    }
    for number in 0..<(4 + trial.draw(4)) {
      // Each table is on the way of some relationship.
      let (owner, other) = (made[number % made.count], trial.pick(made) ?? made[0])
      let rule = rule()
      let name = "side\(number)"
      let side = trial.chance(1, of: 3) ? ModelParts.one(name, other, rule) : ModelParts.many(name, other, rule)
      side.isOrdered = side.maxCount != 1 && trial.chance(1, of: 4)
      let back =
        trial.chance(1, of: 2)
        ? ModelParts.many("other\(number)", owner, .nullifyDeleteRule) : ModelParts.one("other\(number)", owner)
      ModelParts.connect(side, of: owner, back, of: other)
      leading.append(side)
      words += "\(owner.name ?? "").\(name) to \(side.maxCount) \(other.name ?? "") rule \(rule.rawValue), "
      words += "inverse to \(back.maxCount)\(side.isOrdered ? ", ordered" : ""); "
    }
    // An object leads to two others that may have the same key.
    for other in made[2...] {
      let side = ModelParts.one("to\(other.name ?? "")", other, rule())
      let back = ModelParts.many("from\(other.name ?? "")", made[0], rule(2))
      ModelParts.connect(side, of: made[0], back, of: other)
      leading.append(side)
      words += "Ant.\(side.name) rule \(side.deleteRule.rawValue), its inverse \(back.deleteRule.rawValue); "
    }
    model.entities = made + [big]
    precondition(Set(model.entities.compactMap(\.name)) == Set(Self.entities), "each entity is listed")
  }

  /// The relationships of an entity by name, inherited ones too.
  func relationships(_ entity: String) -> [NSRelationshipDescription] {
    (model.entitiesByName[entity]?.relationshipsByName ?? [:]).values.sorted { $0.name < $1.name }
  }
}

/// The objects of a store, by hand.
struct NamesakesScene {
  var links: RuleLinks
  var ranks: [Int: Int] = [:]
  /// Once they are saved.
  var ids: [Int: NSManagedObjectID] = [:]

  init(_ model: NamesakesModel) { links = RuleLinks(model.model) }

  var numbers: [Int] { links.entities.keys.sorted() }

  mutating func delete(_ numbers: [Int]) -> [Int] {
    let before = Set(links.entities.keys)
    links.delete(numbers)
    return before.subtracting(links.entities.keys).sorted()
  }

  var picture: RulePicture {
    var picture = links.picture
    for number in numbers { picture.change("rank", of: number, to: ranks[number].map { "\($0)" } ?? "null") }
    return picture
  }
}
