import Checking
import CoreData

// S6.3, S9.1, S9.2: a model is the same for a store whatever the order in which it says things, and whatever it says of classes,
// defaults, rules and indexes; it is another one as soon as a name, a type, a count, a parent or a constraint differs.

extension RuleTrial {
  func models() throws {
    let (first, text) = (ReorderedModel(self), "same or another")
    let coordinator = try open(first.make(self, shuffled: false))
    let writer = context(coordinator)
    let count = 2 + draw(4)
    try writer.performAndWait {
      for number in 0..<count {
        let object = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: writer)
        object.setValue(number, forKey: RuleModel.number)
      }
      try save(writer)
    }
    precondition(count > 0, "the store has things")
    let hashes = coordinator.managedObjectModel.entityVersionHashesByName
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: file)
    for _ in 0..<3 {
      let same = first.make(self, shuffled: true)
      for (name, hash) in hashes {
        try require(
          same.entityVersionHashesByName[name], hash, .wrongValue,
          "the version hash of \(name) of a model in another order, \(text)")
      }
      try require(
        same.isConfiguration(withName: nil as String?, compatibleWithStoreMetadata: metadata), true, .wrongValue,
        "whether a model in another order fits the store")
      let beside = try open(same)
      let reader = freshContext(beside)
      let seen = try reader.performAndWait {
        try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Thing"))
      }
      try require(seen, count, .lostRecord, "things by a model in another order")
    }
    try mergeModels()
    for change in ReorderedModel.Change.allCases {
      let other = first.changed(change).make(self, shuffled: chance(1, of: 2))
      try require(
        other.entityVersionHashesByName == hashes, false, .wrongValue,
        "whether the version hashes are the same after \(change)")
      let code = AnythingClient.error { _ = try self.open(other) }?.code
      try require(
        code, NSPersistentStoreIncompatibleVersionHashError, .wrongValue,
        "the error of opening a store with another model, \(change)")
    }
  }
}

extension RuleTrial {
  /// A model of several has the entities, configurations and templates of all.
  private func mergeModels() throws {
    let names = (0..<3).map { "Part\($0)" }
    let models = names.map { name in
      let model = NSManagedObjectModel()
      let (one, other) = (ModelParts.entity(name), ModelParts.entity(name + "More"))
      model.entities = [one, other]
      model.setEntities([one], forConfigurationName: "Shared")
      model.setEntities([other], forConfigurationName: "Only" + name)
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: name)
      request.predicate = NSPredicate(format: "number > 1")
      model.setFetchRequestTemplate(request, forName: "template" + name)
      return model
    }
    let order = models.shuffled(self)
    note("\(order.count) models are merged")
    guard let merged = NSManagedObjectModel(byMerging: order) else {
      return try report(.wrongValue, "models that are merged", expected: "a model", seen: "none")
    }
    try require(
      Set(merged.entitiesByName.keys), Set(names + names.map { $0 + "More" }), .wrongValue,
      "the entities of a merged model")
    let shared = merged.entities(forConfigurationName: "Shared") ?? []
    try require(Set(shared.compactMap(\.name)), Set(names), .wrongValue, "a configuration that every model has")
    for (name, model) in zip(names, models) {
      try require(
        merged.entities(forConfigurationName: "Only" + name)?.map(\.name), [name + "More"], .wrongValue,
        "a configuration of one model")
      try require(
        merged.fetchRequestTemplate(forName: "template" + name)?.entityName, name, .wrongValue,
        "a template of one model")
      try require(
        merged.entityVersionHashesByName[name], model.entityVersionHashesByName[name], .wrongValue,
        "the hash of an entity that was merged")
    }
  }
}

/// A model of two drawn entities and one that inherits, which can be made in any order.
private struct ReorderedModel {
  enum Change: CaseIterable {
    case newAttribute, otherType, mandatory, otherCount, otherConstraint, ordered, newEntity, renamed, noParent
  }

  private struct Attribute {
    var name: String
    var type: NSAttributeType
    var isOptional = true
  }

  private var attributes: [Attribute]
  private var constraints: [[String]]
  private var (maxCount, isOrdered, hasThird, inherits) = (0, false, false, true)

  init(_ trial: RuleTrial) {
    let types: [NSAttributeType] = [
      .stringAttributeType, .integer64AttributeType, .dateAttributeType, .doubleAttributeType, .binaryDataAttributeType,
      .UUIDAttributeType, .booleanAttributeType,
    ]
    attributes = (0..<(3 + trial.draw(5))).map {
      Attribute(name: "value\($0)", type: trial.pick(types) ?? .stringAttributeType)
    }
    let keys = attributes.filter { $0.type == .stringAttributeType || $0.type == .integer64AttributeType }.map(\.name)
    constraints = [[RuleModel.number]] + keys.prefix(2).map { [$0, RuleModel.number] }
    maxCount = 2 + trial.draw(3)
  }

  func changed(_ change: Change) -> ReorderedModel {
    var other = self
    switch change {
    case .newAttribute: other.attributes.append(Attribute(name: "more", type: .stringAttributeType))
    case .otherType:
      other.attributes[0].type = attributes[0].type == .floatAttributeType ? .stringAttributeType : .floatAttributeType
      other.constraints = [[RuleModel.number]]
    case .mandatory: other.attributes[1].isOptional = false
    case .otherCount: other.maxCount += 1
    case .otherConstraint: other.constraints.removeFirst()
    case .ordered: other.isOrdered.toggle()
    case .newEntity: other.hasThird = true
    case .renamed: other.attributes[2].name = "renamed"
    case .noParent: other.inherits = false
    }
    if change == .renamed { other.constraints = constraints.filter { !$0.contains("value2") } }
    return other
  }

  func make(_ trial: RuleTrial, shuffled: Bool) -> NSManagedObjectModel {
    func order<Element>(_ elements: [Element]) -> [Element] {
      shuffled ? elements.shuffled(trial) : elements
    }
    let (thing, box) = (ModelParts.entity("Thing"), ModelParts.entity("Box"))
    let special = NSEntityDescription()
    special.name = "Special"
    special.properties = [ModelParts.attribute("remark", .stringAttributeType, isOptional: true)]
    if inherits { thing.subentities = [special] }
    thing.properties += attributes.map { attribute in
      let made = ModelParts.attribute(attribute.name, attribute.type, isOptional: attribute.isOptional)
      if shuffled, attribute.type == .stringAttributeType { made.defaultValue = trial.pick(["", "text"]) }
      if shuffled { made.userInfo = ["note": "\(trial.draw(9))"] }
      return made
    }
    let rules: [NSDeleteRule] = [.nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule]
    let things = ModelParts.many(
      "things", thing, shuffled ? trial.pick(rules) ?? .nullifyDeleteRule : .nullifyDeleteRule)
    (things.maxCount, things.isOrdered) = (maxCount, isOrdered)
    ModelParts.connect(things, of: box, ModelParts.one("box", box), of: thing)
    for entity in [thing, box] { entity.properties = order(entity.properties) }
    thing.uniquenessConstraints = order(constraints)
    let model = NSManagedObjectModel()
    var entities = [thing, box, special]
    if hasThird { entities.append(ModelParts.entity("Third")) }
    model.entities = order(entities)
    return model
  }
}

extension Array {
  fileprivate func shuffled(_ trial: RuleTrial) -> [Element] {
    var rest = self
    return indices.map { _ in rest.remove(at: trial.draw(rest.count)) }
  }
}
