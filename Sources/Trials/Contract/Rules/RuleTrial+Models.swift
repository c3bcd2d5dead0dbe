import Cells
import Checking
import CoreData

// S6.3, S9.1 to S9.3: a model is the same for a store whatever the order in which it says things, and whatever it says of classes,
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
    try copyRelationships()
    try modifyHashes()
    try readModels()
    try breakColumns(first.make(self, shuffled: false))
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

extension RuleTrial {
  /// Relationships that are copied into another model lead to its entities, and are each other's inverses there.
  private func copyRelationships() throws {
    // Another one than that of trials that run at the same time.
    let first = KindModel.make()
    let names = ["Group", "Base", "Mid", "Leaf", "Side"]
    let entities = names.map { name in
      let entity = NSEntityDescription()
      entity.name = name
      return entity
    }
    func own(_ name: String) -> [NSRelationshipDescription] {
      guard let entity = first.entitiesByName[name] else { return [] }
      let inherited = Set((entity.superentity?.relationshipsByName ?? [:]).keys)
      return entity.relationshipsByName.keys.sorted().filter { !inherited.contains($0) }.compactMap {
        entity.relationshipsByName[$0]
      }
    }
    for (entity, name) in zip(entities, names) {
      entity.properties =
        [ModelParts.number("number" + name)] + own(name).compactMap { $0.copy() as? NSPropertyDescription }
    }
    (entities[1].subentities, entities[2].subentities) = ([entities[2], entities[4]], [entities[3]])
    let model = NSManagedObjectModel()
    model.entities = entities
    note("relationships are copied into another model")
    let owner = context(try open(model, at: newURL()))
    for name in names {
      for original in own(name) {
        let copy = model.entitiesByName[name]?.relationshipsByName[original.name]
        try require(
          copy?.destinationEntity === model.entitiesByName[original.destinationEntity?.name ?? ""], true, .wrongValue,
          "whether a copied \(original.name) leads to the entity of the other model")
        let inverse = original.inverseRelationship?.name ?? ""
        try require(
          copy?.inverseRelationship?.name, inverse, .wrongValue, "the inverse of a copied \(original.name)")
        try require(
          copy?.inverseRelationship?.inverseRelationship === copy
            && copy?.inverseRelationship !== original.inverseRelationship,
          true, .wrongValue, "whether a copied \(original.name) is the inverse of its inverse")
        try require(
          [copy?.isToMany, copy?.isOrdered, copy?.deleteRule == original.deleteRule],
          [original.isToMany, original.isOrdered, true], .wrongValue, "what a copied \(original.name) says")
      }
    }
    try owner.performAndWait {
      let (group, leaf) = (
        NSEntityDescription.insertNewObject(forEntityName: "Group", into: owner),
        NSEntityDescription.insertNewObject(forEntityName: "Leaf", into: owner)
      )
      group.setValue(1, forKey: "numberGroup")
      for key in ["numberBase", "numberMid", "numberLeaf"] { leaf.setValue(2, forKey: key) }
      leaf.setValue(group, forKey: "group")
      try require(
        (group.value(forKey: "contents") as? Set<NSManagedObject>)?.contains(leaf), true, .asymmetricInverse,
        "whether a copied inverse has who came by the other side")
      try save(owner)
    }
  }

  /// Hash modifiers make another hash, of an entity by its own and by that of what it has or inherits; a relationship that is its
  /// own inverse is hashed as one without.
  private func modifyHashes() throws {
    func make(_ change: (NSEntityDescription, NSEntityDescription) -> Void) -> [String: Data] {
      let (thing, special) = (ModelParts.entity("Thing"), NSEntityDescription())
      special.name = "Special"
      thing.properties += [
        ModelParts.attribute("text", .stringAttributeType, isOptional: true),
        ModelParts.many("peers", thing, .nullifyDeleteRule),
      ]
      thing.subentities = [special]
      change(thing, special)
      let model = NSManagedObjectModel()
      model.entities = [thing, special]
      return model.entityVersionHashesByName
    }
    let hashes = make { _, _ in }
    let modified: [(String, [String: Data])] = [
      ("an entity's modifier", make { thing, _ in thing.versionHashModifier = "2" }),
      ("an attribute's modifier", make { thing, _ in thing.attributesByName["text"]?.versionHashModifier = "2" }),
      (
        "a relationship's modifier",
        make { thing, _ in thing.relationshipsByName["peers"]?.versionHashModifier = "2" }
      ),
      ("external storage", make { thing, _ in thing.attributesByName["text"]?.allowsExternalBinaryDataStorage = true }),
    ]
    for (what, other) in modified {
      for name in ["Thing", "Special"] {
        try require(
          other[name] == hashes[name], false, .wrongValue, "whether the hash of \(name) is the same after \(what)")
      }
    }
    let own = make { thing, _ in
      let peers = thing.relationshipsByName["peers"]
      peers?.inverseRelationship = peers
    }
    try require(
      own == hashes, true, .wrongValue, "whether a relationship that is its own inverse is hashed as one without")
    let below = make { _, special in special.versionHashModifier = "2" }
    try require(
      [below["Thing"] == hashes["Thing"], below["Special"] == hashes["Special"]], [true, false], .wrongValue,
      "whether the hashes of an entity and its sub-entity are the same after the modifier of the latter")
  }
}

/// A model of two drawn entities and one that inherits, which can be made in any order.
private struct ReorderedModel {
  enum Change: CaseIterable {
    case newAttribute, otherType, mandatory, otherCount, otherConstraint, ordered, newEntity, renamed, noParent
    case leastCount, mandatoryMembers, inherited, kept, transient, abstract, otherInverse
  }

  private struct Attribute {
    var name: String
    var type: NSAttributeType
    var isOptional = true
  }

  private var attributes: [Attribute]
  private var constraints: [[String]]
  private var (maxCount, isOrdered, hasThird, inherits) = (0, false, false, true)
  private var (minCount, isMandatory, remark, isKept) = (0, false, "remark", false)
  private var (isTransient, isAbstract, inverse) = (false, false, "box")

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
    precondition(attributes.count > 2, "the first three attributes are there to be changed")
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
    case .leastCount: other.minCount = 1
    case .mandatoryMembers: other.isMandatory = true
    case .inherited: other.remark = "another"
    case .kept: other.isKept = true
    case .transient: other.isTransient = true
    case .abstract: other.isAbstract = true
    case .otherInverse: other.inverse = "crate"
    }
    if change == .renamed { other.constraints = constraints.filter { !$0.contains("value2") } }
    precondition(other.minCount <= other.maxCount, "no more members are required than are allowed")
    return other
  }

  func make(_ trial: RuleTrial, shuffled: Bool) -> NSManagedObjectModel {
    func order<Element>(_ elements: [Element]) -> [Element] {
      shuffled ? elements.shuffled(trial) : elements
    }
    let (thing, box) = (ModelParts.entity("Thing"), ModelParts.entity("Box"))
    let special = NSEntityDescription()
    special.name = "Special"
    let own = ModelParts.attribute(remark, .stringAttributeType, isOptional: true)
    own.preservesValueInHistoryOnDeletion = isKept
    let more = ModelParts.attribute("passing", .stringAttributeType, isOptional: true)
    more.isTransient = isTransient
    special.properties = [own, more]
    thing.isAbstract = isAbstract
    if inherits { thing.subentities = [special] }
    thing.properties += attributes.map { attribute in
      let made = ModelParts.attribute(attribute.name, attribute.type, isOptional: attribute.isOptional)
      if shuffled, attribute.type == .stringAttributeType { made.defaultValue = trial.pick(["", "text"]) }
      if shuffled { made.userInfo = ["note": "\(trial.draw(9))"] }
      if shuffled, attribute.type == .stringAttributeType {
        made.setValidationPredicates([NSPredicate(format: "length <= 90")], withValidationWarnings: nil)
      }
      return made
    }
    precondition(
      constraints.joined().allSatisfy { thing.attributesByName[$0] != nil },
      "a constraint is about attributes of its entity")
    let rules: [NSDeleteRule] = [.nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule]
    let things = ModelParts.many(
      "things", thing, shuffled ? trial.pick(rules) ?? .nullifyDeleteRule : .nullifyDeleteRule)
    (things.maxCount, things.isOrdered) = (maxCount, isOrdered)
    (things.minCount, things.isOptional) = (minCount, !isMandatory)
    ModelParts.connect(things, of: box, ModelParts.one(inverse, box), of: thing)
    if shuffled, trial.chance(1, of: 2) {
      let indexed = ["number", "value0", "value1"].compactMap { thing.attributesByName[$0] }
      thing.indexes = indexed.map {
        NSFetchIndexDescription(
          name: "by" + $0.name, elements: [NSFetchIndexElementDescription(property: $0, collationType: .binary)])
      }
    }
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
