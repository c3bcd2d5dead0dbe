import Checking
import CoreData

// S7.1 to S7.5: the effect of each setting of a request, and of no other; totals, distinct counts and keys; requests that
// cannot be carried out are refused; predicates that print themselves; and each form of the answer to a batch request.

extension RuleTrial {
  func requests() throws {
    let coordinator = try open()
    let owner = context(coordinator)
    try owner.performAndWait {
      populate(owner, items: 7)
      for (number, tag) in try all("Tag", owner).enumerated() { tag.setValue("label \(number)", forKey: "label") }
      try save(owner)
    }
    try realise(coordinator)
    try owner.performAndWait {
      try total(owner)
      try leaveOutUnsaved(owner)
      try askByKeys(owner)
      try refuse(owner)
      try printPredicates(owner)
    }
    try answerInForms(coordinator)
    try insertByHandlers(coordinator)
  }

  private func items(_ format: String = "TRUEPREDICATE") -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.predicate = NSPredicate(format: format, argumentArray: [])
    return request
  }

  // MARK: Faults

  /// Which objects of a fetch are faults.
  private func realise(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (plain, eager) = (freshContext(coordinator), freshContext(coordinator))
    try plain.performAndWait {
      let found = try plain.fetch(items())
      try require(found.allSatisfy(\.isFault), true, .wrongValue, "whether the objects of a fetch are faults")
      try require(
        plain.registeredObjects.count, found.count, .wrongValue, "objects that a fetch registers, while they are held")
    }
    try eager.performAndWait {
      let request = items()
      request.returnsObjectsAsFaults = false
      let found = try eager.fetch(request)
      try require(
        found.contains(where: \.isFault), false, .wrongValue, "whether objects that are wanted whole are faults")
    }
  }

  // MARK: Values

  /// Totals without groups are one dictionary, whatever the order; in a block of a context without changes.
  private func total(_ context: NSManagedObjectContext) throws {
    let chosen = try all("Item", context)
    let ranks = chosen.map { ($0.value(forKey: "rank") as? NSNumber)?.intValue ?? 0 }
    func ask(_ expressions: [(String, NSExpression)]) throws -> [NSDictionary] {
      let request = NSFetchRequest<NSDictionary>(entityName: "Item")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = expressions.map { name, expression in
        let description = NSExpressionDescription()
        description.name = name
        description.expression = expression
        description.expressionResultType = .integer64AttributeType
        return description
      }
      if chance(1, of: 2) { request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: true)] }
      return try context.fetch(request)
    }
    let rank = NSExpression(forKeyPath: "rank")
    let rows = try ask([
      ("sum", NSExpression(forFunction: "sum:", arguments: [rank])), ("path", NSExpression(forKeyPath: "@sum.rank")),
      ("max", NSExpression(forFunction: "max:", arguments: [rank])),
      ("min", NSExpression(forFunction: "min:", arguments: [rank])),
      ("count", NSExpression(forFunction: "count:", arguments: [rank])),
      (
        "distinct",
        NSExpression(
          forFunction: "count:", arguments: [NSExpression(forFunction: "distinct:", arguments: [rank])])
      ),
    ])
    let seen = rows.map { row in
      ["sum", "path", "max", "min", "count", "distinct"].map { (row[$0] as? NSNumber)?.intValue ?? -1 }
    }
    let sum = ranks.reduce(0, +)
    try require(
      seen, [[sum, sum, ranks.max() ?? -1, ranks.min() ?? -1, ranks.count, Set(ranks).count]], .wrongValue,
      "totals of ranks")
    let tagged = try ask([
      ("tags", NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "tags")]))
    ])
    let links = chosen.map { ($0.value(forKey: "tags") as? NSOrderedSet)?.count ?? 0 }.reduce(0, +)
    try require(
      tagged.map { ($0["tags"] as? NSNumber)?.intValue }, [links], .wrongValue, "how many tags all items have")
  }

  /// Dictionaries never have unsaved changes, and neither has a fetch that leaves them out; counts and IDs have them.
  private func leaveOutUnsaved(_ context: NSManagedObjectContext) throws {
    let before = try context.count(for: items())
    _ = insert("Item", context)
    if chance(1, of: 2), let item = try all("Item", context).first { context.delete(item) }
    let now = try all("Item", context).count
    let rows = NSFetchRequest<NSDictionary>(entityName: "Item")
    rows.resultType = .dictionaryResultType
    rows.propertiesToFetch = [RuleModel.number]
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
    ids.resultType = .managedObjectIDResultType
    let saved = items()
    saved.includesPendingChanges = false
    let counted = NSFetchRequest<NSNumber>(entityName: "Item")
    counted.resultType = .countResultType
    let seen = [
      try context.fetch(rows).count, try context.count(for: saved), try context.fetch(ids).count,
      try context.count(for: items()), try context.fetch(counted).first?.intValue ?? -1,
    ]
    try require(
      seen, [before, before, now, now, now], .wrongValue,
      "rows of dictionaries, of what is saved, IDs, and two counts beside unsaved changes")
    context.rollback()
  }

  /// In the order of keys new objects are last, as they were made; in a block of the context.
  private func askByKeys(_ context: NSManagedObjectContext) throws {
    let new = (0..<3).map { _ in insert("Item", context) }
    let request = items()
    request.sortDescriptors = [NSSortDescriptor(key: pick(["self", "objectID"]) ?? "self", ascending: true)]
    let found = try context.fetch(request)
    try require(
      found.suffix(3).map(RulePicture.number), new.map(RulePicture.number), .wrongValue,
      "the last objects in the order of keys")
    let some = NSFetchRequest<NSManagedObject>(entityName: "Item")
    some.predicate = NSPredicate(format: "self IN %@", argumentArray: [new.map(\.objectID)])
    try require(try context.count(for: some), 3, .wrongValue, "new objects that are found by their IDs")
    let other = items()
    other.predicate = NSPredicate(format: "box == %@", argumentArray: [new[0]])
    try require(try context.fetch(other).count, 0, .wrongValue, "items with an item as their box")
    context.rollback()
  }

  /// A request that cannot be carried out throws; in a block of the context.
  private func refuse(_ context: NSManagedObjectContext) throws {
    let unknown = items("colour == 1")
    let unordered = items()
    unordered.sortDescriptors = [NSSortDescriptor(key: "colour", ascending: true)]
    let many = items()
    many.sortDescriptors = [NSSortDescriptor(key: "tags", ascending: true)]
    let column = NSFetchRequest<NSManagedObject>(entityName: "Item")
    column.sortDescriptors = [NSSortDescriptor(key: "mark", ascending: true)]
    for (name, request) in [
      ("an unknown key", unknown), ("an unknown order", unordered), ("an order by members", many),
    ] {
      try require(
        AnythingClient.error { _ = try context.fetch(request) } == nil, false, .wrongValue,
        "whether a fetch by \(name) is carried out")
    }
    try require(
      AnythingClient.error { _ = try context.fetch(column) } == nil, false, .wrongValue,
      "whether a fetch in the order of a transient value is carried out")
    try refuseOfGroups(context)
  }

  /// An operator that an object has no members for is refused as a condition of groups, as of items; in a block of the context.
  private func refuseOfGroups(_ context: NSManagedObjectContext) throws {
    for key in shuffled(["@count", "@sum.weight", "@max.weight", "@avg.weight", "@min.number"]) {
      let condition = NSPredicate(format: "SUBQUERY(tags, $t, $t.\(key) > \(draw(3))).@count > 0", argumentArray: [])
      let (plain, groups) = (items(), NSFetchRequest<NSDictionary>(entityName: "Item"))
      (groups.resultType, groups.propertiesToFetch) = (.dictionaryResultType, ["level"])
      (groups.propertiesToGroupBy, groups.havingPredicate) = (["level"], condition)
      plain.predicate = condition
      let codes = [
        AnythingClient.error { _ = try context.fetch(plain) }?.code,
        AnythingClient.error { _ = try context.fetch(groups) }?.code,
      ]
      note("\(key) of one tag: \(codes)")
      try require(codes[0] == nil, false, .wrongValue, "whether a fetch by \(key) of one object is carried out")
      try require(codes[1], codes[0], .wrongValue, "the error of groups by \(key) of one object of each")
    }
  }

  /// A predicate that is printed and read again is equal, and finds the same; in a block of the context.
  private func printPredicates(_ context: NSManagedObjectContext) throws {
    let formats = [
      "rank > 1 AND name BEGINSWITH[cd] 'a'", "NOT (name IN {'alpha', 'Z'}) OR weight == nil", "ANY tags.weight > 2",
      "rank BETWEEN {0, 3} AND (isNew == YES OR name LIKE 'al*')", "SUBQUERY(tags, $t, $t.weight > 1).@count > 0",
      "name MATCHES '[a-z]+' OR name CONTAINS 'Z'", "box.title == nil OR box.items.@count > 1",
      "NONE tags.label == 'x'",
      "ALL tags.weight >= 0", "place.city == 'alpha'", "rank + 1 > level * 2",
    ]
    for format in some(formats, atMost: 5) {
      let predicate = NSPredicate(format: format, argumentArray: [])
      let copy = NSPredicate(format: "\(predicate)", argumentArray: [])
      try require(copy, predicate, .wrongValue, "the predicate \(predicate), printed and read again")
      let (one, other) = (items(), items())
      (one.predicate, other.predicate) = (predicate, copy)
      try require(
        Set(try context.fetch(one).map(RulePicture.number)), Set(try context.fetch(other).map(RulePicture.number)),
        .wrongValue, "what is found by \(predicate), printed and read again")
    }
    let template = NSPredicate(format: "rank > $LEAST AND name != $NAME")
    let filled = template.withSubstitutionVariables(["LEAST": 1, "NAME": "Z"])
    let byHand = try all("Item", context).filter { filled.evaluate(with: $0) }
    let request = items()
    request.predicate = filled
    try require(
      Set(try context.fetch(request).map(RulePicture.number)), Set(byHand.map(RulePicture.number)), .wrongValue,
      "what is found with variables")
  }

  // MARK: Batch requests

  /// A batch request answers as it is asked: nothing but that it was carried out, how many, or the IDs.
  private func answerInForms(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    let numbers = try owner.performAndWait { try all("Item", owner).map(RulePicture.number) }
    guard let limit = numbers.dropFirst(2).first else { return }
    let ids = try owner.performAndWait {
      Set(try all("Item", owner).filter { RulePicture.number($0) < limit }.map(\.objectID))
    }
    note("batch requests about items before \(limit), in each form")
    try owner.performAndWait {
      for type in [
        NSBatchUpdateRequestResultType.statusOnlyResultType, .updatedObjectsCountResultType,
        .updatedObjectIDsResultType,
      ] {
        let request = NSBatchUpdateRequest(entityName: "Item")
        request.predicate = NSPredicate(format: "number < %ld", limit)
        (request.propertiesToUpdate, request.resultType) = (["rank": 3], type)
        let result = (try owner.execute(request) as? NSBatchUpdateResult)?.result
        try requireForm(result, type == .statusOnlyResultType ? 0 : type == .updatedObjectsCountResultType ? 1 : 2, ids)
      }
      let alone = NSBatchUpdateRequest(entityName: "Item")
      (alone.includesSubentities, alone.resultType) = (false, .updatedObjectIDsResultType)
      alone.propertiesToUpdate = ["level": 2]
      let named = (try owner.execute(alone) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID] ?? []
      try require(
        named.contains { $0.entity.name != "Item" }, false, .wrongValue,
        "whether an update of one entity reaches others")
      let type = pick([NSBatchDeleteRequestResultType.resultTypeStatusOnly, .resultTypeCount, .resultTypeObjectIDs])
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
      fetch.predicate = NSPredicate(format: "number < %ld", limit)
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      request.resultType = type ?? .resultTypeStatusOnly
      let result = (try owner.execute(request) as? NSBatchDeleteResult)?.result
      try requireForm(result, type == .resultTypeCount ? 1 : type == .resultTypeObjectIDs ? 2 : 0, ids)
      let again = (try owner.execute(request) as? NSBatchDeleteResult)?.result
      try requireForm(again, type == .resultTypeCount ? 1 : type == .resultTypeObjectIDs ? 2 : 0, [])
    }
  }

  /// - Parameter form: 0 for the status, 1 for the count, 2 for the IDs.
  private func requireForm(_ result: Any?, _ form: Int, _ ids: Set<NSManagedObjectID>) throws {
    precondition(0...2 ~= form, "a batch request answers in one of three forms")
    switch form {
    case 0: try require(result as? Bool, true, .wrongValue, "the status of a batch request")
    case 1: try require(result as? Int, ids.count, .wrongValue, "the count of a batch request")
    default: try require(Set(result as? [NSManagedObjectID] ?? []), ids, .wrongValue, "the IDs of a batch request")
    }
  }

  /// Rows by handlers: as many as they give before they say that it was all, each with its own values and the model's defaults.
  private func insertByHandlers(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (owner, reader) = (context(coordinator), freshContext(coordinator))
    let (count, first) = (1 + draw(6), 5_000)
    note("batch insert of \(count) by a handler")
    try owner.performAndWait {
      var given = 0
      let isObject = chance(1, of: 2)
      let request =
        isObject
        ? NSBatchInsertRequest(entityName: "SpecialItem") { (object: NSManagedObject) in
          if given == count { return true }
          object.setValue(first + given, forKey: RuleModel.number)
          if given.isMultiple(of: 2) { object.setValue(given, forKey: "weight") }
          given += 1
          return false
        }
        : NSBatchInsertRequest(entityName: "SpecialItem") { (row: NSMutableDictionary) in
          if given == count { return true }
          row[RuleModel.number] = first + given
          if given.isMultiple(of: 2) { row["weight"] = given }
          given += 1
          return false
        }
      request.resultType = pick([.statusOnly, .count, .objectIDs]) ?? .count
      let result = (try owner.execute(request) as? NSBatchInsertResult)?.result
      if request.resultType == .count { try require(result as? Int, count, .wrongValue, "the count of a batch insert") }
      if request.resultType == .objectIDs {
        try require((result as? [NSManagedObjectID])?.count, count, .wrongValue, "the IDs of a batch insert")
      }
      try require(owner.hasChanges, false, .wrongValue, "changes of a context that carried a batch insert out")
    }
    try reader.performAndWait {
      let found = try all("SpecialItem", reader).filter { RulePicture.number($0) >= first }
      let seen = found.map {
        "\(RulePicture.number($0)) \(RulePicture.text($0.value(forKey: "weight"))) \(RulePicture.text($0.value(forKey: "rank")))"
      }
      let expected = (0..<count).map { "\(first + $0) \($0.isMultiple(of: 2) ? "\($0)" : "null") 3" }
      try require(seen, expected, .wrongValue, "rows that a handler gave")
    }
  }
}
