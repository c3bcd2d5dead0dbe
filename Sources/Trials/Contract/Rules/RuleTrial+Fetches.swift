import Checking
import CoreData

// S7.1 to S7.3: a fetch finds the objects for which its predicate holds by hand, in the order of its descriptors; its parts add
// up to the whole; counts, IDs, pages, batches and dictionaries agree with it, with unsaved changes and without.

extension RuleTrial {
  func fetches() throws {
    let coordinator = try open()
    let writer = context(coordinator)
    try writer.performAndWait {
      populate(writer, items: 6 + draw(10))
      try save(writer)
    }
    var levels = [context(coordinator)]
    // Any level may have unsaved changes, and any have none.
    for _ in 0..<draw(3) {
      let parent = levels[0]
      try parent.performAndWait {
        if chance(1, of: 2) { for _ in 0..<draw(5) { try changeSomething(parent) } }
        parent.processPendingChanges()
      }
      levels.insert(context(in: parent), at: 0)
    }
    let reader = levels[0]
    try reader.performAndWait {
      for question in 0..<5 {
        if question > 0 { try changeBeforeAsking(levels) }
        if chance(1, of: 2) { reader.processPendingChanges() }
        switch draw(5) {
        case 4: try askBesideNulls(reader)
        case 0: try askOwners(reader)
        case 1: try askByObjects(reader, coordinator)
        default: try askByHand(reader)
        }
      }
    }
    try askBesideOldValues(coordinator)
  }

  /// Changes objects of any entity, or of one alone; now and then all was saved just before. In a block of the first level.
  private func changeBeforeAsking(_ levels: [NSManagedObjectContext]) throws {
    precondition(!levels.isEmpty && levels[levels.count - 1].parent == nil, "the last level is the root")
    let reader = levels[0]
    if chance(1, of: 4) { for level in levels { try level.performAndWait { try save(level) } } }
    guard let entity = pick([nil, nil, "Box", "Tag", "Item"])?.flatMap({ $0 }) else {
      for _ in 0..<draw(4) { try changeSomething(reader) }
      for item in some(try all("Item", reader), atMost: 3) { set("name", of: item) }
      return
    }
    if chance(1, of: 2) { reader.rollback() }
    for object in some(try all(entity, reader), atMost: 3) {
      let keys = RuleModel.attributes(of: object.entity.name ?? entity).filter { $0 != "label" }
      set(pick(keys) ?? RuleModel.number, of: object)
    }
  }

  /// Asks one drawn question in several ways; in a block of the context.
  func askByHand(_ context: NSManagedObjectContext, _ given: NSPredicate? = nil) throws {
    let entity = pick(["Item", "Item", "SpecialItem"]) ?? "Item"
    let predicate = given ?? predicate(depth: 2)
    note("where \(predicate)")
    func request() -> NSFetchRequest<NSManagedObject> {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = predicate
      return request
    }
    let everything = try all(entity, context)
    let what = "a fetch of \(entity) where \(predicate)"
    let chosen = everything.filter { predicate.evaluate(with: $0) }
    try require(numbers(try context.fetch(request())).sorted(), numbers(chosen), .wrongValue, what)
    try require(try context.count(for: request()), chosen.count, .wrongValue, "the count of \(what)")
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: entity)
    ids.predicate = predicate
    ids.resultType = .managedObjectIDResultType
    let found = try context.fetch(ids).map { RulePicture.number(context.object(with: $0)) }
    try require(found.sorted(), numbers(chosen), .wrongValue, "the IDs of \(what)")
    let negated = request()
    negated.predicate = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
    let others = everything.filter { NSCompoundPredicate(notPredicateWithSubpredicate: predicate).evaluate(with: $0) }
    try require(numbers(try context.fetch(negated)).sorted(), numbers(others), .wrongValue, "the negation of \(what)")
    try askInOrder(request(), chosen, what, context)
    guard !context.hasChanges, context.parent == nil else { return }
    try askRows(entity, predicate, chosen, what, context)
    try askGroups(entity, predicate, chosen, context)
  }

  /// Owners by conditions on their members, also where only members have unsaved changes; in a block of the context.
  private func askOwners(_ context: NSManagedObjectContext) throws {
    let entity = pick(["Box", "Tag", "Item"]) ?? "Box"
    // Now and then only objects of an entity that inherits have unsaved changes.
    let isAlone = chance(1, of: 2)
    if isAlone { context.rollback() }
    for item in some(try all("SpecialItem", context) + (isAlone ? [] : all("Item", context)), atMost: 3) {
      set(pick(["rank", "name", "weight"]) ?? "rank", of: item)
    }
    let members =
      pick(["Box": ["items", "list", "shown"], "Tag": ["items"], "Item": ["tags"]][entity] ?? []) ?? "items"
    let (key, number) = (members == "tags" ? "weight" : "rank", pick([-7, 0, 1, 2, 3]) ?? 0)
    let text = pick(["alpha", "Alpha", "Z"]) ?? "Z"
    // Members of members are counted once, however many ways lead to them.
    let path = ["Box": "items.tags", "Tag": "items.tags", "Item": "tags.items"][entity] ?? "items"
    let predicate =
      switch draw(entity == "Box" ? 10 : 8) {
      case 7: NSPredicate(format: "\(path).@count == %ld", draw(4))
      case 0: NSPredicate(format: "ANY %K.%K > %@", argumentArray: [members, key, number])
      case 1: NSPredicate(format: "ALL %K.%K <= %@", argumentArray: [members, key, number])
      case 2: NSPredicate(format: "NONE %K.%K == %@", argumentArray: [members, key, number])
      case 3: NSPredicate(format: "\(members).@count > %ld", draw(3))
      case 4: NSPredicate(format: "\(members).@max.\(key) >= %ld", number)
      case 5: NSPredicate(format: "SUBQUERY(\(members), $m, $m.\(key) == %ld).@count == %ld", number, draw(2))
      case 6: NSPredicate(format: "\(members).@sum.\(key) > %ld", number)
      case 8: NSPredicate(format: "cover.rank > %ld OR cover.name == %@", number, text)
      default: NSPredicate(format: "ANY items.name == %@ AND ANY list.weight > %ld", text, number)
      }
    note("\(entity) where \(predicate)")
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = predicate
    let chosen = try all(entity, context).filter { predicate.evaluate(with: $0) }
    let what = "a fetch of \(entity) where \(predicate)"
    try require(try context.count(for: request), chosen.count, .wrongValue, "the count of \(what)")
    try require(numbers(try context.fetch(request)).sorted(), numbers(chosen), .wrongValue, what)
    guard entity == "Item" else { return }
    try askInOrder(request, chosen, what, context)
  }

  /// Objects as values, one entity alone, the order of keys, and a fetch that counts nothing unsaved; in a block of the context.
  private func askByObjects(_ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(context.persistentStoreCoordinator === coordinator, "objects are found again in the same store")
    let (items, boxes) = (try all("Item", context), try all("Box", context))
    let chosen = some(boxes, atMost: 2)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    let predicates: [NSPredicate] = [
      NSPredicate(format: "box IN %@", argumentArray: [chosen]),
      NSPredicate(format: "NOT (shelf IN %@)", argumentArray: [chosen]),
      NSPredicate(format: "SELF IN %@", argumentArray: [some(items, atMost: 4)]),
      NSPredicate(format: "box == %@ OR covered == %@", argumentArray: [chosen.first as Any, boxes.last as Any]),
      NSPredicate(format: "ANY tags == %@", argumentArray: [try all("Tag", context).first as Any]),
      NSPredicate(format: "rank > 0", argumentArray: []),
    ]
    guard !chosen.isEmpty, let predicate = pick(predicates) else { return }
    request.predicate = predicate
    let found = items.filter { predicate.evaluate(with: $0) }
    note("by objects: \(numbers(found))")
    try require(
      numbers(try context.fetch(request)).sorted(), numbers(found), .wrongValue, "a fetch by objects, \(predicate)")
    request.includesSubentities = false
    let own = found.filter { $0.entity.name == "Item" }
    try require(numbers(try context.fetch(request)).sorted(), numbers(own), .wrongValue, "a fetch of one entity alone")
    try require(try context.count(for: request), own.count, .wrongValue, "the count of one entity alone")
    request.includesSubentities = true
    request.sortDescriptors = [NSSortDescriptor(key: chance(1, of: 2) ? "self" : "objectID", ascending: true)]
    let keys = try context.fetch(request).filter { !$0.objectID.isTemporaryID }.map(Self.key)
    try require(keys, keys.sorted(), .wrongValue, "the keys of a fetch in their order")
    guard context.parent == nil else { return }
    let saved = NSFetchRequest<NSManagedObject>(entityName: "Item")
    saved.predicate = NSPredicate(format: "rank > 1 OR name == 'alpha'")
    let fresh = freshContext(coordinator)
    let expected = try fresh.performAndWait { try fresh.fetch(saved).map(Self.key).sorted() }
    saved.includesPendingChanges = false
    try require(
      try context.fetch(saved).map(Self.key).sorted(), expected, .wrongValue, "a fetch that counts no unsaved changes")
    try require(try context.count(for: saved), expected.count, .wrongValue, "a count of no unsaved changes")
  }

  /// The number of an object's row.
  private static func key(of object: NSManagedObject) -> Int {
    Int(object.objectID.uriRepresentation().lastPathComponent.dropFirst()) ?? 0
  }

  /// Pages, batches and prefetched objects, in the order of drawn descriptors.
  private func askInOrder(
    _ request: NSFetchRequest<NSManagedObject>, _ chosen: [NSManagedObject], _ what: String,
    _ context: NSManagedObjectContext
  ) throws {
    let keys = some(
      ["name", "rank", "weight", "isNew", "madeAt", "price", "ratio", "level", "place.zip", "box.title", "shelf.size"],
      atMost: 2)
    request.sortDescriptors = (keys + [RuleModel.number]).map { NSSortDescriptor(key: $0, ascending: chance(1, of: 2)) }
    let descriptors = request.sortDescriptors ?? []
    let sorted = numbers((chosen as NSArray).sortedArray(using: descriptors) as? [NSManagedObject] ?? [])
    let order = "by \(descriptors.map { ($0.ascending ? "" : "-") + ($0.key ?? "") })"
    note(order)
    (request.fetchOffset, request.fetchLimit) = (draw(3), draw(5))
    let page = Array(sorted.dropFirst(request.fetchOffset).prefix(request.fetchLimit == 0 ? .max : request.fetchLimit))
    request.fetchBatchSize = draw(4)
    request.returnsObjectsAsFaults = chance(1, of: 2)
    request.includesPropertyValues = chance(4, of: 5)
    if chance(1, of: 2) { request.relationshipKeyPathsForPrefetching = some(["box", "tags", "box.items"], atMost: 2) }
    let limits = "from \(request.fetchOffset), at most \(request.fetchLimit), batches of \(request.fetchBatchSize)"
    try require(numbers(try context.fetch(request)), page, .wrongValue, "\(what) \(order) \(limits)")
    try require(try context.count(for: request), page.count, .wrongValue, "the count of \(what) \(limits)")
  }

  /// Dictionaries: rows, groups and totals of the saved objects.
  private func askRows(
    _ entity: String, _ predicate: NSPredicate, _ chosen: [NSManagedObject], _ what: String,
    _ context: NSManagedObjectContext
  ) throws {
    func request(_ properties: [Any]) -> NSFetchRequest<NSDictionary> {
      let request = NSFetchRequest<NSDictionary>(entityName: entity)
      request.predicate = predicate
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = properties
      return request
    }
    func text(_ value: Any?) -> String { RulePicture.text(value is NSNull ? nil : value) }
    let rows = try context.fetch(request([RuleModel.number, "name", "box.title"])).map {
      "\(text($0[RuleModel.number])) \(text($0["name"])) \(text($0["box.title"]))"
    }
    let expected = chosen.map {
      "\(RulePicture.number($0)) \(text($0.value(forKey: "name"))) \(text($0.value(forKeyPath: "box.title")))"
    }
    try require(rows.sorted(), expected.sorted(), .wrongValue, "the rows of \(what)")
    let key = pick(["name", "isNew", "rank", "box.title"]) ?? "name"
    let (sum, count) = (aggregate("sum:", "rank"), aggregate("count:", RuleModel.number))
    let groups = request([key, sum, count])
    groups.propertiesToGroupBy = [key]
    let seen = try context.fetch(groups).map { "\(text($0[key])): \(text($0[sum.name])) of \(text($0[count.name]))" }
    var byHand: [String: (sum: Int, count: Int)] = [:]
    for object in chosen {
      let rank = (object.value(forKey: "rank") as? NSNumber)?.intValue ?? 0
      byHand[text(object.value(forKeyPath: key)), default: (0, 0)].sum += rank
      byHand[text(object.value(forKeyPath: key)), default: (0, 0)].count += 1
    }
    try require(
      seen.sorted(), byHand.map { "\($0): \($1.sum) of \($1.count)" }.sorted(), .wrongValue,
      "the groups by \(key) of \(what)")
  }

  /// Groups above a bound, and rows that differ; in a block of a context without changes.
  private func askGroups(
    _ entity: String, _ predicate: NSPredicate, _ chosen: [NSManagedObject], _ context: NSManagedObjectContext
  )
    throws
  {
    let request = NSFetchRequest<NSDictionary>(entityName: entity)
    request.predicate = predicate
    request.resultType = .dictionaryResultType
    let key = pick(["name", "rank", "box.title"]) ?? "name"
    func text(_ value: Any?) -> String { RulePicture.text(value is NSNull ? nil : value) }
    request.propertiesToFetch = [key]
    request.returnsDistinctResults = true
    let values = chosen.map { text($0.value(forKeyPath: key)) }
    try require(
      try context.fetch(request).map { text($0[key]) }.sorted(), Set(values).sorted(), .wrongValue,
      "the distinct values of \(key) where \(predicate)")
    let groups = NSFetchRequest<NSDictionary>(entityName: entity)
    (groups.predicate, groups.resultType) = (predicate, .dictionaryResultType)
    let count = aggregate("count:", RuleModel.number)
    groups.propertiesToFetch = [key, count]
    groups.propertiesToGroupBy = [key]
    groups.havingPredicate = NSPredicate(format: "count:(number) > 1")
    let byHand = Dictionary(grouping: values) { $0 }.filter { $0.value.count > 1 }.map {
      "\($0.key): \($0.value.count)"
    }
    try require(
      try context.fetch(groups).map { "\(text($0[key])): \(text($0[count.name]))" }.sorted(), byHand.sorted(),
      .wrongValue,
      "the groups of more than one by \(key) where \(predicate)")
  }

  private func aggregate(_ function: String, _ key: String) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = function + key
    description.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: key)])
    description.expressionResultType = .integer64AttributeType
    return description
  }

  private func numbers(_ objects: [NSManagedObject]) -> [Int] { objects.map(RulePicture.number) }

  // MARK: Predicates

  /// Several conditions about values that may be null, on either side, and their negations; in a block of the context.
  private func askBesideNulls(_ context: NSManagedObjectContext) throws {
    let items = try all("Item", context)
    for _ in 0..<6 {
      let predicate = besideNulls(depth: 3)
      note("where \(predicate)")
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = predicate
      let chosen = numbers(items.filter { predicate.evaluate(with: $0) })
      try require(numbers(try context.fetch(request)).sorted(), chosen, .wrongValue, "a fetch where \(predicate)")
      try require(try context.count(for: request), chosen.count, .wrongValue, "a count where \(predicate)")
    }
  }

  private func besideNulls(depth: Int) -> NSPredicate {
    precondition(depth >= 0, "a condition ends with comparisons")
    if depth > 0, chance(1, of: 2) {
      return NSCompoundPredicate(notPredicateWithSubpredicate: besideNulls(depth: depth - 1))
    }
    if depth > 0, chance(1, of: 4) {
      let parts = [besideNulls(depth: depth - 1), besideNulls(depth: depth - 1)]
      return chance(1, of: 2)
        ? NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        : NSCompoundPredicate(orPredicateWithSubpredicates: parts)
    }
    let numbers = [
      "weight", "weight", "ratio", "level", "price", "box.size", "shelf.size", "box.cover.weight", "tags.@max.weight",
      "tags.@min.weight", "tags.@avg.weight", "tags.@count", "name.length",
    ]
    let texts = ["name", "box.title", "shelf.title", "box.cover.name", "uppercase(name)"]
    let (number, text) = (pick(numbers) ?? "weight", pick(texts) ?? "name")
    func bound() -> String { chance(1, of: 3) ? pick(numbers) ?? "rank" : "\(draw(5) - 1)" }
    func word() -> String {
      chance(1, of: 3) ? pick(texts) ?? "name" : pick(["'alpha'", "'Alpha'", "'Z'", "''"]) ?? "''"
    }
    let (comparison, quantifier) = (
      pick(["==", "!=", "<", "<=", ">", ">="]) ?? "==", pick(["ANY", "ALL", "NONE"]) ?? "ANY"
    )
    let null: [Any] = chance(1, of: 2) ? [NSNull()] : []
    return switch draw(12) {
    case 0, 1: NSPredicate(format: "\(number) BETWEEN {\(bound()), \(bound())}")
    case 2: NSPredicate(format: "\(text) BETWEEN {'A', 'c'}")
    case 3:
      NSPredicate(
        format: "madeAt BETWEEN %@",
        argumentArray: [[Date(timeIntervalSinceReferenceDate: -1), Date(timeIntervalSinceReferenceDate: 50_000)]])
    case 4, 5: NSPredicate(format: "\(number) \(comparison) \(bound())")
    case 6:
      NSPredicate(format: "\(text) \(pick(["==", "!=", "<", "BEGINSWITH", "CONTAINS"]) ?? "==")[c] \(word())")
    case 7: NSPredicate(format: "\(number) IN %@", argumentArray: [[0, 2, draw(5)] + null])
    case 8: NSPredicate(format: "\(text) IN %@", argumentArray: [["alpha", "Z"] + null])
    case 9:
      NSPredicate(
        format: "\(pick(["weight", "box", "box.title", "madeAt"]) ?? "box") \(chance(1, of: 2) ? "==" : "!=") nil")
    case 10: NSPredicate(format: "\(quantifier) tags.weight \(comparison) \(draw(4))")
    default: NSPredicate(format: "\(quantifier) tags.weight BETWEEN {0, \(draw(6))}")
    }
  }

  /// A predicate of items.
  func predicate(depth: Int) -> NSPredicate {
    precondition(depth >= 0, "a predicate ends with comparisons")
    guard depth > 0, chance(1, of: 2) else { return comparison() }
    let parts = [predicate(depth: depth - 1), predicate(depth: depth - 1)]
    return switch draw(3) {
    case 0: NSCompoundPredicate(andPredicateWithSubpredicates: parts)
    case 1: NSCompoundPredicate(orPredicateWithSubpredicates: parts)
    default: NSCompoundPredicate(notPredicateWithSubpredicate: parts[0])
    }
  }

  private func comparison() -> NSPredicate {
    // Of two texts that are equal by canonical equivalence an object may have the other.
    let text =
      pick(chance(1, of: 3) ? ["caf\u{e9}", "cafe\u{301}"] : RuleModel.values("name"))?.flatMap { $0 } ?? "alpha"
    let number = pick([-7, 0, 1, 2, 3]) ?? 0
    let key = pick(["name", "box.title", "shelf.title"]) ?? "name"
    let count = pick(["rank", "weight", "box.size", "tags.@count", "box.items.@count", "box.itemCount"]) ?? "rank"
    return switch draw(24) {
    case 0: NSPredicate(format: "%K == %@", argumentArray: [key, text])
    case 1: NSPredicate(format: "%K != %@", argumentArray: [key, text])
    case 2: NSPredicate(format: "%K ==[cd] %@", argumentArray: [key, text])
    case 3: NSPredicate(format: "%K BEGINSWITH %@", argumentArray: [key, text])
    case 4: NSPredicate(format: "%K CONTAINS[c] %@", argumentArray: [key, text])
    case 5: NSPredicate(format: "%K < %@", argumentArray: [key, text])
    case 6: NSPredicate(format: "%K LIKE %@", argumentArray: [key, "*a*"])
    case 7: NSPredicate(format: "%K IN %@", argumentArray: [key, [text, "Alpha", "Z"]])
    case 8: NSPredicate(format: "%K == nil", argumentArray: [pick([key, "weight", "box", "photo", "madeAt"]) ?? key])
    case 9: NSPredicate(format: "%K <= %@", argumentArray: [count, number])
    case 10: NSPredicate(format: "%K == %@", argumentArray: [count, number])
    case 11: NSPredicate(format: "%K BETWEEN {%@, %@}", argumentArray: [count, number, number + 2])
    case 12: NSPredicate(format: "ANY tags.label == nil AND ANY tags.weight > %@", argumentArray: [number])
    case 13:
      NSPredicate(
        format: "SUBQUERY(tags, $t, $t.weight >= %@ AND $t.remark != nil).@count > 0", argumentArray: [number])
    case 14: NSPredicate(format: "ALL tags.weight > %@", argumentArray: [number])
    case 15: NSPredicate(format: "%K ENDSWITH[c] %@", argumentArray: [key, text])
    case 16: NSPredicate(format: "%K MATCHES %@", argumentArray: [key, "[a-zA-Z]*"])
    case 17: NSPredicate(format: "rank + 1 > weight OR rank * 2 == %@", argumentArray: [number])
    case 18: NSPredicate(format: "NOT (box.cover.rank > %@)", argumentArray: [number])
    case 19:
      NSPredicate(
        format: "madeAt >= %@ AND price < %@",
        argumentArray: [Date(timeIntervalSinceReferenceDate: 1), NSDecimalNumber(string: "12.5")])
    case 20: NSPredicate(format: "place.city == %@ OR place.zip > %@", argumentArray: ["alpha", number])
    case 21: NSPredicate(format: "code == %@", argumentArray: [DrawnValue.value(.UUIDAttributeType, 1)])
    case 22: NSPredicate(format: "ratio < %@ OR level BETWEEN {0, 1}", argumentArray: [number])
    case 23: NSPredicate(format: "covered == nil AND box != shelf", argumentArray: [])
    default: NSPredicate(format: "isNew == %@", argumentArray: [chance(1, of: 2)])
    }
  }
}
