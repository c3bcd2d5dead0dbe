import Cells
import Checking
import CoreData

// S7.4, S8.1: in a store of any model a batch delete takes along, empties and is refused as the deletion of the same objects is, which a
// context saves in another store with the same rows; and both as a walk over the objects says.

extension RuleTrial {
  func cascades() throws {
    for _ in 0..<3 {
      let model = try CascadingModel(self)
      let hasHistory = chance(1, of: 3)
      let coordinators = try (0..<2).map { _ in try open(model.model, at: newURL(), history: hasHistory) }
      note("two stores of \(model.words)")
      let plan = CascadingPlan(self, model)
      for coordinator in coordinators { try plan.carryOut(context(coordinator)) }
      var rows = try picture(freshContext(coordinators[0]), CascadingModel.entities)
      try require(
        try picture(freshContext(coordinators[1]), CascadingModel.entities), rows, .wrongValue,
        "in a second store of the same objects")
      for _ in 0..<(2 + draw(3)) where !rows.objects.isEmpty {
        rows = try deleteTwice(model, coordinators, rows)
      }
      for coordinator in coordinators { try close(coordinator) }
    }
  }

  /// Deletes some objects by a batch in one store, and by a save in the other one.
  ///
  /// - Returns: the objects that are left.
  private func deleteTwice(
    _ model: CascadingModel, _ coordinators: [NSPersistentStoreCoordinator], _ rows: RulePicture
  ) throws -> RulePicture {
    precondition(coordinators.count == 2, "one store is for the batch, the other one for the save")
    let entity = pick(["Alpha", "Beta", "SpecialAlpha"]) ?? "Alpha"
    let candidates = rows.objects.filter { model.isKind($0.value["entity"], of: entity) }.keys.sorted()
    guard let first = pick(candidates) else { return rows }
    let numbers = Set([first] + (chance(1, of: 2) ? [] : some(candidates, atMost: 2))).sorted()
    let reach = CascadingReach(of: numbers, in: rows, model)
    note("delete \(entity) \(numbers), which reaches \(reach.gone.sorted()), denied by \(reach.deniers.sorted())")
    let batchError = try deleteByBatch(entity, numbers, coordinators[0], reach)
    try require(
      batchError, reach.deniers.isEmpty ? nil : NSValidationRelationshipDeniedDeleteError, .orphanRecord,
      "the error of a batch delete of \(numbers)")
    let codes = try deleteBySave(entity, numbers, coordinators[1])
    try require(
      codes, reach.deniers.isEmpty ? [] : [NSValidationRelationshipDeniedDeleteError], .orphanRecord,
      "the errors of a save that deletes \(numbers)")
    let expected = reach.deniers.isEmpty ? reach.left : rows
    for (coordinator, what) in zip(coordinators, ["a batch delete", "a save that deletes"]) {
      try require(
        try picture(freshContext(coordinator), CascadingModel.entities), expected, .orphanRecord,
        "after \(what) of \(numbers)")
    }
    return expected
  }

  private func deleteByBatch(
    _ entity: String, _ numbers: [Int], _ coordinator: NSPersistentStoreCoordinator, _ reach: CascadingReach
  ) throws -> Int? {
    let owner = context(coordinator)
    let isByIDs = chance(1, of: 2)
    let ids = try owner.performAndWait { () -> [Int: NSManagedObjectID] in
      let objects = try CascadingModel.entities.flatMap { try all($0, owner) }
      return Dictionary(objects.map { (RulePicture.number($0), $0.objectID) }) { first, _ in first }
    }
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
    fetch.predicate = NSPredicate(format: "\(RuleModel.number) IN %@", argumentArray: [numbers])
    let request =
      isByIDs
      ? NSBatchDeleteRequest(objectIDs: numbers.compactMap { ids[$0] }) : NSBatchDeleteRequest(fetchRequest: fetch)
    request.resultType = .resultTypeObjectIDs
    var named: Set<NSManagedObjectID> = []
    let error = owner.performAndWait {
      AnythingClient.error {
        named = Set((try owner.execute(request) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID] ?? [])
      }
    }
    guard error == nil else { return error?.code }
    try require(
      named, Set(numbers.compactMap { ids[$0] }), .wrongValue, "the objects that a batch delete of \(numbers) names")
    let reader = context(coordinator)
    try reader.performAndWait {
      for number in reach.gone.sorted() {
        guard let id = ids[number] else { continue }
        let code = AnythingClient.error { _ = try reader.existingObject(with: id) }?.code
        try require(
          code, NSManagedObjectReferentialIntegrityError, .resurrectedRecord,
          "existingObject of \(number), which a batch delete of \(numbers) reaches")
      }
    }
    return nil
  }

  /// The codes of what the save is refused for.
  private func deleteBySave(
    _ entity: String, _ numbers: [Int], _ coordinator: NSPersistentStoreCoordinator
  ) throws -> Set<Int> {
    precondition(!numbers.isEmpty, "some objects are deleted")
    let owner = context(coordinator)
    return try owner.performAndWait {
      let victims = try all(entity, owner).filter { numbers.contains(RulePicture.number($0)) }
      for victim in shuffled(victims) {
        owner.delete(victim)
        if chance(1, of: 3) { owner.processPendingChanges() }
      }
      let error = AnythingClient.error { try owner.save() }
      return Set(Self.parts(of: error).map(\.code))
    }
  }
}

/// The objects that a deletion reaches, and those that are left, by hand.
private struct CascadingReach {
  let gone: Set<Int>
  /// Those that stay, and deny the deletion of others.
  let deniers: Set<Int>
  let left: RulePicture

  init(of numbers: [Int], in rows: RulePicture, _ model: CascadingModel) {
    var (gone, open) = (Set(numbers), numbers)
    func members(_ number: Int, _ rule: NSDeleteRule) -> [Int] {
      let object = rows.objects[number] ?? [:]
      return model.relationships(of: object["entity"]).filter { $0.deleteRule == rule }.flatMap {
        RulePicture.numbers(object[$0.name])
      }
    }
    while let number = open.popLast() {
      for member in members(number, .cascadeDeleteRule) where gone.insert(member).inserted { open.append(member) }
    }
    precondition(gone.isSuperset(of: numbers), "a deletion reaches what it is of")
    var left: [Int: [String: String]] = [:]
    for (number, object) in rows.objects where !gone.contains(number) {
      var object = object
      for relationship in model.relationships(of: object["entity"]) {
        object[relationship.name] = "\(RulePicture.numbers(object[relationship.name]).filter { !gone.contains($0) })"
      }
      left[number] = object
    }
    deniers = Set(gone.flatMap { members($0, .denyDeleteRule) }).subtracting(gone)
    (self.gone, self.left) = (gone, RulePicture(left))
  }
}

/// Three entities, of which one inherits, and drawn relationships between them and within them.
private struct CascadingModel {
  static let entities = ["Alpha", "Beta"]

  let model = NSManagedObjectModel()
  /// The relationships that are set, by name; the others are their inverses.
  private(set) var leading: [NSRelationshipDescription] = []
  private(set) var words = ""

  init(_ trial: RuleTrial) throws {
    let (alpha, beta, special) = (ModelParts.entity("Alpha"), ModelParts.entity("Beta"), NSEntityDescription())
    special.name = "SpecialAlpha"
    alpha.subentities = [special]
    let entities = [alpha, beta, special]
    // The rules are followed in some order of names.
    let letters = trial.shuffled(["a", "c", "e", "g", "k", "m", "p", "t"])
    for index in 0..<(2 + trial.draw(3)) {
      let (owner, other) = (trial.pick(entities) ?? alpha, trial.pick(entities) ?? beta)
      let rule: NSDeleteRule =
        trial.chance(3, of: 4) ? .cascadeDeleteRule : trial.chance(1, of: 4) ? .denyDeleteRule : .nullifyDeleteRule
      let name = "\(letters[2 * index])Side"
      let relationship =
        trial.chance(1, of: 3) ? ModelParts.one(name, other, rule) : ModelParts.many(name, other, rule)
      connect(relationship, owner, other, "\(letters[2 * index + 1])Other", trial)
      leading.append(relationship)
      let back = relationship.inverseRelationship.map { "\($0.name) rule \($0.deleteRule.rawValue)" } ?? "none"
      words += "\(owner.name ?? "").\(name) to \(relationship.maxCount) \(other.name ?? "") rule \(rule.rawValue)"
      words += ", inverse \(back); "
    }
    precondition(Set(leading.map(\.name)).count == leading.count, "each relationship has a name of its own")
    model.entities = entities
  }

  private func connect(
    _ relationship: NSRelationshipDescription, _ owner: NSEntityDescription, _ other: NSEntityDescription,
    _ inverseName: String, _ trial: RuleTrial
  ) {
    precondition(relationship.destinationEntity === other, "a relationship leads to its destination")
    let isToMany = relationship.isToMany
    if isToMany, trial.chance(1, of: 8), relationship.deleteRule != .denyDeleteRule {
      return owner.properties.append(relationship)
    }
    if isToMany, owner === other, trial.chance(1, of: 6) {
      relationship.inverseRelationship = relationship
      return owner.properties.append(relationship)
    }
    let rule: NSDeleteRule =
      trial.chance(3, of: 4) ? .nullifyDeleteRule : trial.chance(2, of: 3) ? .cascadeDeleteRule : .denyDeleteRule
    let inverse =
      trial.chance(1, of: 3) ? ModelParts.many(inverseName, owner, rule) : ModelParts.one(inverseName, owner, rule)
    relationship.isOrdered = isToMany && trial.chance(1, of: 4)
    ModelParts.connect(relationship, of: owner, inverse, of: other)
  }

  func isKind(_ name: String?, of entity: String) -> Bool {
    name == entity || entity == "Alpha" && name == "SpecialAlpha"
  }

  func relationships(of entity: String?) -> [NSRelationshipDescription] {
    let all = model.entitiesByName[entity ?? ""]?.relationshipsByName ?? [:]
    return all.values.sorted { $0.name < $1.name }
  }
}

/// Objects of a drawn model, and where they lead: the same in each store.
private struct CascadingPlan {
  private struct Link {
    let owner: Int
    let relationship: NSRelationshipDescription
    let members: [Int]
  }

  private var kinds: [String] = []
  private var links: [Link] = []

  init(_ trial: RuleTrial, _ model: CascadingModel) {
    kinds = (0..<(14 + trial.draw(10))).map { _ in trial.pick(["Alpha", "Beta", "SpecialAlpha", "Beta"]) ?? "Beta" }
    for relationship in model.leading {
      let (owner, other) = (relationship.entity.name ?? "", relationship.destinationEntity?.name ?? "")
      var free = kinds.indices.filter { model.isKind(kinds[$0], of: other) }
      for index in kinds.indices where model.isKind(kinds[index], of: owner) && trial.chance(3, of: 5) {
        let members = trial.some(free, atMost: relationship.isToMany ? 2 : 1).filter {
          // An object that is its own friend is not listed twice.
          $0 != index || relationship.inverseRelationship !== relationship
        }
        // A row names one owner.
        if relationship.inverseRelationship == nil { free.removeAll(where: members.contains) }
        links.append(Link(owner: index, relationship: relationship, members: members))
      }
    }
  }

  func carryOut(_ context: NSManagedObjectContext) throws {
    precondition(!kinds.isEmpty, "a store has some objects")
    try context.performAndWait {
      let objects = kinds.enumerated().map { index, kind in
        let object = NSEntityDescription.insertNewObject(forEntityName: kind, into: context)
        object.setValue(index + 1, forKey: RuleModel.number)
        return object
      }
      for link in links {
        let (owner, members, name) = (objects[link.owner], link.members.map { objects[$0] }, link.relationship.name)
        if link.relationship.isOrdered {
          for member in members { owner.mutableOrderedSetValue(forKey: name).add(member) }
        } else if link.relationship.isToMany {
          for member in members { owner.mutableSetValue(forKey: name).add(member) }
        } else {
          owner.setValue(members.first, forKey: name)
        }
      }
      try context.save()
    }
  }
}
