import Cells
import Checking
import CoreData

// S2.6 to S2.8, S9.1, S9.2: key-value coding, numbers that do not fit, orders that come back, defaults of every type, transformed
// values, templates and fetched properties; copies of a model.

extension RuleTrial {
  func values() throws {
    let coordinator = try open()
    let owner = context(coordinator)
    try owner.performAndWait {
      populate(owner, items: 6)
      try save(owner)
      try computeOverMembers(owner)
      try setByKeys(owner)
      try refuseWideNumbers(owner, coordinator)
      try comeBackToPlace(owner, coordinator)
      try lookAtCommitted(owner)
    }
    try lookAtDefaults()
  }

  /// Collection operators give the same as a loop; in a block of the context.
  private func computeOverMembers(_ context: NSManagedObjectContext) throws {
    for box in try all("Box", context) {
      let items = Array(box.value(forKey: "items") as? Set<NSManagedObject> ?? [])
      let ranks = items.map { ($0.value(forKey: "rank") as? NSNumber)?.intValue ?? 0 }
      let names = items.compactMap { $0.value(forKey: "name") as? String }
      func number(_ path: String) -> Double? { (box.value(forKeyPath: path) as? NSNumber)?.doubleValue }
      let seen = [
        number("items.@count"), number("items.@sum.rank"), number("items.@max.rank"), number("items.@min.rank"),
        number("items.@avg.rank"),
      ]
      let sum = ranks.reduce(0, +)
      let expected: [Double?] = [
        Double(ranks.count), Double(sum), ranks.max().map(Double.init), ranks.min().map(Double.init),
        ranks.isEmpty ? 0 : Double(sum) / Double(ranks.count),
      ]
      for (place, pair) in zip(seen, expected).enumerated() {
        let isEqual = pair.0 == pair.1 || abs((pair.0 ?? .infinity) - (pair.1 ?? -.infinity)) < 0.001
        try require(
          isEqual, true, .wrongValue, "collection operator \(place): \(pair.0 as Any), by hand \(pair.1 as Any)")
      }
      let distinct = box.value(forKeyPath: "items.@distinctUnionOfObjects.name")
      let texts = (distinct as? [String]) ?? Array(distinct as? Set<String> ?? [])
      try require(Set(texts), Set(names), .wrongValue, "the distinct names of members")
      let tags = box.value(forKeyPath: "items.tags.label")
      try require(tags is NSSet || tags is Set<AnyHashable>, true, .wrongValue, "whether a path over members is a set")
    }
  }

  /// Several values at once, and members through an array; in a block of the context.
  private func setByKeys(_ context: NSManagedObjectContext) throws {
    guard let item = pick(try all("Item", context)), let box = pick(try all("Box", context)) else { return }
    let keys = ["name", "rank", "weight", "isNew"]
    let old = item.dictionaryWithValues(forKeys: keys)
    item.setValuesForKeys(["name": NSNull(), "rank": 41, "weight": 2.5, "isNew": false])
    try require(
      [item.value(forKey: "name") == nil, item.value(forKey: "rank") as? Int32 == 41], [true, true], .wrongValue,
      "values that were set by a dictionary")
    item.setValuesForKeys(old)
    try require(
      [item.hasPersistentChangedValues, item.changedValues().isEmpty], [false, true], .wrongValue,
      "what is changed of an object that was given its values back")
    item.setValue(box, forKeyPath: "box")
    item.setValue("by a path", forKeyPath: "box.title")
    try require(box.value(forKey: "title") as? String, "by a path", .wrongValue, "a value that was set by a path")
    try require(
      (box.value(forKey: "items") as? NSSet)?.contains(item), true, .asymmetricInverse, "members after a path")
    let tags = item.mutableArrayValue(forKey: "tags")
    let tag = insert("Tag", context)
    tags.insert(tag, at: 0)
    try require(
      (item.value(forKey: "tags") as? NSOrderedSet)?.firstObject as? NSManagedObject === tag, true, .wrongValue,
      "the first member after an array inserted it")
    try save(context)
  }

  /// A number that an attribute is too narrow for stays in the object, and the save is refused; in a block of the context.
  private func refuseWideNumbers(
    _ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(context.persistentStoreCoordinator === coordinator, "a number that is refused is missing in this file")
    guard let item = pick(try all("Item", context)) else { return }
    let (key, value) = pick([("level", 40_000), ("level", -40_000), ("rank", 3_000_000_000)]) ?? ("level", 40_000)
    note("\(key) = \(value)")
    item.setValue(value, forKey: key)
    try require((item.value(forKey: key) as? NSNumber)?.intValue, value, .wrongValue, "a number that is too wide")
    let code = AnythingClient.error { try context.save() }?.code
    try require(
      code, value < 0 ? NSValidationNumberTooSmallError : NSValidationNumberTooLargeError, .wrongValue,
      "the error of a number that is too wide")
    context.rollback()
  }

  /// A member that leaves and comes back to its place has changed nothing; in a block of the context.
  private func comeBackToPlace(
    _ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(context.persistentStoreCoordinator === coordinator, "another context reads the same file")
    guard let box = pick(try all("Box", context)) else { return }
    let list = box.mutableOrderedSetValue(forKey: "list")
    while list.count < 3 { list.add(insert("Item", context)) }
    try save(context)
    let place = draw(list.count)
    let member = list.object(at: place)
    note("member \(place) of the list leaves and comes back")
    list.removeObject(at: place)
    if chance(1, of: 2) { context.processPendingChanges() }
    list.insert(member, at: place)
    context.processPendingChanges()
    try require(
      [box.hasPersistentChangedValues, box.changedValues().isEmpty], [false, true], .wrongValue,
      "what has changed by a member that left and came back")
    // A row with the same values is no newer version: a context that has read it before meets no conflict.
    let other = self.context(coordinator)
    let theirs = try other.performAndWait { try other.existingObject(with: box.objectID) }
    other.performAndWait { _ = theirs.value(forKey: "title") }
    try save(context)
    try other.performAndWait {
      theirs.setValue("theirs \(newNumber())", forKey: "title")
      try save(other)
    }
    context.refresh(box, mergeChanges: false)
  }

  /// Committed values of a new object, and of one with members that were not read; in a block of the context.
  private func lookAtCommitted(_ context: NSManagedObjectContext) throws {
    let new = insert("Box", context)
    try require(
      new.committedValues(forKeys: nil).isEmpty, true, .wrongValue, "whether a new object has no committed values")
    context.delete(new)
    context.processPendingChanges()
    guard let box = pick(try all("Box", context)) else { return }
    context.refresh(box, mergeChanges: false)
    let title = box.value(forKey: "title")
    box.setValue("unsaved", forKey: "title")
    let committed = box.committedValues(forKeys: nil)
    try require(
      RulePicture.text(committed["title"].flatMap { $0 is NSNull ? nil : $0 }), RulePicture.text(title), .wrongValue,
      "the committed title")
    try require(
      [committed.keys.contains("items"), box.hasFault(forRelationshipNamed: "items")], [false, true], .wrongValue,
      "whether committed values have members that were not read")
    context.rollback()
    try lookAtCommittedOfDeleted(context)
  }

  /// Those of an object with a saved deletion are its last values, and no objects; in a block of the context.
  private func lookAtCommittedOfDeleted(_ context: NSManagedObjectContext) throws {
    guard let item = pick(try all("Item", context)) else { return }
    let (entity, keys) = (item.entity, RuleModel.attributes(of: item.entity.name ?? "Item"))
    func texts() -> [String: String] {
      item.committedValues(forKeys: keys).mapValues { RulePicture.text($0 is NSNull ? nil : $0) }
    }
    let before = texts()
    for name in some(entity.relationshipsByName.keys.sorted(), atMost: 3) { _ = item.value(forKey: name) }
    note(
      "delete \(RulePicture.number(item)), which has led to \(item.value(forKey: "box") == nil ? "no box" : "a box")")
    context.delete(item)
    try save(context)
    try require(texts(), before, .wrongValue, "the committed values of an object with a saved deletion")
    let all = item.committedValues(forKeys: nil)
    for (name, relationship) in entity.relationshipsByName where !relationship.isToMany {
      try require(
        all[name].map { $0 is NSNull } ?? true, true, .danglingReference,
        "whether the committed \(name) of an object with a saved deletion leads nowhere")
    }
  }

  // MARK: Models

  /// A new object has the model's defaults of each type; transformed, fetched and template values are as expected.
  private func lookAtDefaults() throws {
    let model = ValuedModel.make()
    let coordinator = try open(model, at: newURL())
    let (writer, reader) = (context(coordinator), freshContext(coordinator))
    try writer.performAndWait {
      let new = NSEntityDescription.insertNewObject(forEntityName: "Valued", into: writer)
      for (key, value) in ValuedModel.defaults {
        try require(
          RulePicture.text(new.value(forKey: key)), RulePicture.text(value), .wrongValue, "the default of \(key)")
      }
      for number in 0..<4 {
        let object = NSEntityDescription.insertNewObject(forEntityName: "SpecialValued", into: writer)
        object.setValue(number, forKey: RuleModel.number)
        object.setValue(["a": number, "b": [1, 2]] as NSDictionary, forKey: "changed")
        object.setValue("group \(number % 2)", forKey: "text")
      }
      try save(writer)
    }
    let asker = chance(1, of: 2) ? context(in: reader) : reader
    try asker.performAndWait {
      for object in try all("SpecialValued", asker) {
        try require(
          object.value(forKey: "changed") as? NSDictionary,
          ["a": RulePicture.number(object), "b": [1, 2]] as NSDictionary,
          .wrongValue, "a transformed value")
      }
      // Unsaved values count.
      for object in some(try all("SpecialValued", asker), atMost: 3) {
        object.setValue("group \(draw(3))", forKey: "text")
      }
      if chance(1, of: 2) {
        let new = NSEntityDescription.insertNewObject(forEntityName: "SpecialValued", into: asker)
        new.setValuesForKeys([RuleModel.number: 4, "text": "group \(draw(3))"])
      }
      if chance(1, of: 2) { try pick(all("SpecialValued", asker)).map(asker.delete) }
      func text(_ object: NSManagedObject) -> String { object.value(forKey: "text") as? String ?? "" }
      let alive = try all("SpecialValued", asker)
      for object in alive {
        let expected = alive.filter { text($0) == text(object) }.map(RulePicture.number)
        let peers = object.value(forKey: "peers") as? [NSManagedObject] ?? []
        try require(peers.map(RulePicture.number).sorted(), expected, .wrongValue, "the objects of a fetched property")
        guard
          let request = model.fetchRequestFromTemplate(
            withName: "grouped", substitutionVariables: ["WANTED": text(object)])
        else { return try report(.wrongValue, "a template", expected: "a request", seen: "none") }
        try require(
          try asker.fetch(request).compactMap { ($0 as? NSManagedObject).map(RulePicture.number) }.sorted(), expected,
          .wrongValue, "the objects of a template's request")
      }
    }
    try copy(model)
  }

  /// A copy of a model that is in use can be changed, and leads to entities of its own.
  private func copy(_ model: NSManagedObjectModel) throws {
    guard let copy = model.copy() as? NSManagedObjectModel, let entity = copy.entitiesByName["Valued"] else {
      return try report(.wrongValue, "a copy of a model", expected: "a model", seen: "none")
    }
    try require(
      copy.entityVersionHashesByName == model.entityVersionHashesByName, true, .wrongValue,
      "whether a copy has the hashes of its model")
    try require(entity === model.entitiesByName["Valued"], false, .wrongValue, "whether a copy has entities of its own")
    entity.properties.append(ModelParts.attribute("more", .stringAttributeType, isOptional: true))
    try require(
      [
        copy.entitiesByName["SpecialValued"]?.attributesByName["more"] != nil,
        model.entitiesByName["Valued"]?.attributesByName["more"] != nil,
        copy.entitiesByName["SpecialValued"]?.superentity === entity,
        copy.entitiesByName["SpecialValued"]?.isKindOf(entity: entity) ?? false,
      ], [true, false, true, true], .wrongValue, "what a copy that was changed says, and its model")
    try require(
      copy.entityVersionHashesByName["Valued"] == model.entityVersionHashesByName["Valued"], false, .wrongValue,
      "whether a changed copy has the same hash")
  }
}

/// Attributes of every type with defaults, a transformed one, a fetched property and a template.
private enum ValuedModel {
  static var defaults: [(String, Any)] {
    [
      ("text", "default"), ("int16", -16), ("int32", -32), ("int64", 1 << 40), ("double", 2.5), ("float", Float(0.5)),
      ("flag", true), ("date", Date(timeIntervalSinceReferenceDate: 12.5)),
      ("decimal", NSDecimalNumber(string: "1.25")),
    ]
  }

  static func make() -> NSManagedObjectModel {
    let (valued, special) = (ModelParts.entity("Valued"), NSEntityDescription())
    valued.attributesByName[RuleModel.number]?.defaultValue = -1
    let types: [NSAttributeType] = [
      .stringAttributeType, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
      .doubleAttributeType, .floatAttributeType, .booleanAttributeType, .dateAttributeType, .decimalAttributeType,
    ]
    precondition(defaults.count == types.count, "each default has its type")
    valued.properties += zip(defaults, types).map { pair, type in
      let attribute = ModelParts.attribute(pair.0, type, isOptional: true)
      attribute.defaultValue = pair.1
      return attribute
    }
    let changed = ModelParts.attribute("changed", .transformableAttributeType, isOptional: true)
    changed.valueTransformerName = NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
    special.name = "SpecialValued"
    let peers = NSFetchedPropertyDescription()
    peers.name = "peers"
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.entity = special
    request.predicate = NSPredicate(format: "text == $FETCH_SOURCE.text")
    peers.fetchRequest = request
    special.properties = [changed, peers]
    valued.subentities = [special]
    let model = NSManagedObjectModel()
    model.entities = [valued, special]
    let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "SpecialValued")
    template.predicate = NSPredicate(format: "text == $WANTED")
    model.setFetchRequestTemplate(template, forName: "grouped")
    return model
  }
}
