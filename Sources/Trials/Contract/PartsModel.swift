import Cells
import CoreData

/// Drawn models of groups: a group has an entity, one that inherits from it, and a mate that both are related to.
struct PartsModel {
  /// A difference of one group from the drawn one.
  enum Change: CaseIterable {
    // Of these the hashes are others.
    case type, optional, newAttribute, newMate, renamedAttribute, renamedRelationship, ordered, count, leastCount,
      constraint
    case abstract, parentless, entityModifier, subModifier, attributeModifier, relationshipModifier, external, kept
    // Of these the hashes are the same.
    case className, userInfo, value, rule, index, deleteRule, identifier, attributeIdentifier, transient, warning

    /// The entities of the group with another hash; nil for those of another name.
    var changed: Set<Role> {
      switch self {
      case .type, .renamedAttribute, .attributeModifier, .ordered, .count, .leastCount, .relationshipModifier,
        .abstract,
        .entityModifier:
        [.root, .sub]
      case .optional, .newAttribute, .constraint, .external, .kept: [.mate]
      case .renamedRelationship: [.root, .sub, .mate]
      case .parentless, .subModifier: [.sub]
      case .newMate, .className, .userInfo, .value, .rule, .index, .deleteRule, .identifier, .attributeIdentifier,
        .transient, .warning:
        []
      }
    }
  }

  enum Role: String, CaseIterable { case root = "", sub = "Sub", mate = "Mate" }

  let groups: [String]
  private let types: [String: [NSAttributeType]]
  /// The groups of each configuration.
  let configurations: [String: [String]]
  let identifiers: Set<String>

  init(_ trial: RuleTrial) {
    let all: [NSAttributeType] = [
      .stringAttributeType, .integer16AttributeType, .dateAttributeType, .booleanAttributeType, .UUIDAttributeType,
      .decimalAttributeType,
    ]
    groups = ["Alpha", "Beta", "Gamma", "Delta"].prefix(2 + trial.draw(3)).map { $0 }
    types = Dictionary(
      uniqueKeysWithValues: groups.map {
        ($0, (0..<(1 + trial.draw(3))).map { _ in trial.pick(all) ?? .stringAttributeType })
      })
    let names = (0..<trial.draw(3)).map { "configuration \($0)" }
    let groups = groups
    configurations = Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, [trial.pick(groups) ?? "Alpha"] + (trial.chance(1, of: 2) ? ["Beta"] : []))
      })
    identifiers = Set(trial.some(["one", "two", "three"], atMost: 2))
    precondition(groups.count > 1, "a group can be missing")
  }

  static func names(of groups: [String]) -> Set<String> {
    Set(groups.flatMap { group in Role.allCases.map { group + $0.rawValue } })
  }

  /// A model of some groups, or of all with configurations; one group may be changed.
  func make(_ chosen: [String], _ change: Change? = nil, of changed: String = "") -> NSManagedObjectModel {
    precondition(change == nil || chosen.contains(changed), "a group that is changed is one of the model's")
    let model = NSManagedObjectModel()
    let members = Dictionary(
      uniqueKeysWithValues: chosen.map { ($0, entities(of: $0, $0 == changed ? change : nil)) })
    model.entities = chosen.flatMap { members[$0] ?? [] }
    for (name, groups) in configurations where groups.allSatisfy(chosen.contains) {
      model.setEntities(Set(groups).sorted().flatMap { members[$0] ?? [] }, forConfigurationName: name)
    }
    model.versionIdentifiers = Set(identifiers.map { AnyHashable($0) })
    for name in chosen {
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: name)
      request.predicate = NSPredicate(format: "number > 1")
      model.setFetchRequestTemplate(request, forName: "of " + name)
    }
    return model
  }

  private func entities(of group: String, _ change: Change?) -> [NSEntityDescription] {
    let (root, sub, mate) = (ModelParts.entity(group), NSEntityDescription(), ModelParts.entity(group + "Mate"))
    sub.name = group + "Sub"
    sub.properties = [ModelParts.attribute("remark", .stringAttributeType, isOptional: true)]
    root.properties += (types[group] ?? []).enumerated().map {
      ModelParts.attribute("value\($0)", $1, isOptional: true)
    }
    mate.properties.append(ModelParts.attribute("photo", .binaryDataAttributeType, isOptional: true))
    let mates = ModelParts.many("mates", mate, .nullifyDeleteRule)
    mates.maxCount = 5
    if change == .renamedRelationship { mates.name = "friends" }
    ModelParts.connect(mates, of: root, ModelParts.one("owner", root), of: mate)
    if change != .parentless { root.subentities = [sub] }
    if let change {
      changeHashed(change, root, sub, mate)
      changeUnhashed(change, root, mate)
    }
    return [root, sub, mate] + (change == .newMate ? [ModelParts.entity(group + "More")] : [])
  }

  private func changeHashed(
    _ change: Change, _ root: NSEntityDescription, _ sub: NSEntityDescription, _ mate: NSEntityDescription
  ) {
    let (value, photo) = (root.attributesByName["value0"], mate.attributesByName["photo"])
    let mates = root.relationshipsByName["mates"]
    precondition(value != nil && photo != nil, "what is changed is there")
    switch change {
    case .type:
      value?.attributeType = value?.attributeType == .floatAttributeType ? .doubleAttributeType : .floatAttributeType
    case .optional: photo?.isOptional = false
    case .newAttribute: mate.properties.append(ModelParts.attribute("more", .stringAttributeType, isOptional: true))
    case .renamedAttribute: value?.name = "renamed"
    case .ordered: mates?.isOrdered = true
    case .count: mates?.maxCount = 6
    case .leastCount: mates?.minCount = 1
    case .constraint: mate.uniquenessConstraints = [["number"]]
    case .abstract: root.isAbstract = true
    case .entityModifier: root.versionHashModifier = "2"
    case .subModifier: sub.versionHashModifier = "2"
    case .attributeModifier: value?.versionHashModifier = "2"
    case .relationshipModifier: mates?.versionHashModifier = "2"
    case .external: photo?.allowsExternalBinaryDataStorage = true
    case .kept: photo?.preservesValueInHistoryOnDeletion = true
    default: break
    }
  }

  private func changeUnhashed(_ change: Change, _ root: NSEntityDescription, _ mate: NSEntityDescription) {
    let (number, photo) = (root.attributesByName["number"], mate.attributesByName["photo"])
    precondition(number != nil && photo != nil, "what is changed is there")
    switch change {
    case .className: mate.managedObjectClassName = "HookedObject"
    case .userInfo: photo?.userInfo = ["note": "1"]
    case .value: number?.defaultValue = 7
    case .rule:
      number?.setValidationPredicates([NSPredicate(format: "SELF > 0")], withValidationWarnings: nil)
    case .warning:
      number?.setValidationPredicates([NSPredicate(format: "SELF > 0")], withValidationWarnings: ["too small"])
    case .index:
      guard let number else { break }
      root.indexes = [
        NSFetchIndexDescription(
          name: "byNumber", elements: [NSFetchIndexElementDescription(property: number, collationType: .binary)])
      ]
    case .deleteRule: root.relationshipsByName["mates"]?.deleteRule = .cascadeDeleteRule
    case .identifier: root.renamingIdentifier = "before"
    case .attributeIdentifier: photo?.renamingIdentifier = "before"
    case .transient:
      let passing = ModelParts.attribute("passing", .stringAttributeType, isOptional: true)
      passing.isTransient = true
      mate.properties.append(passing)
    default: break
    }
  }
}
