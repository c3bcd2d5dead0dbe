import Checking
import CoreData

// S7.1 to S7.3: a fetch finds what its predicate says of each object by hand, in the order of its descriptors; its parts add up
// to the whole; counts, IDs, pages, batches and dictionaries agree with it, with unsaved changes and without.

extension RuleTrial {
  func fetches() throws {
    let coordinator = try open()
    let writer = context(coordinator)
    try writer.performAndWait {
      populate(writer, items: 6 + draw(10))
      try save(writer)
    }
    let parent = context(coordinator)
    let reader = chance(1, of: 3) ? context(in: parent) : context(coordinator)
    if reader.parent != nil {
      try parent.performAndWait {
        for _ in 0..<draw(5) { try changeSomething(parent) }
        parent.processPendingChanges()
      }
    }
    try reader.performAndWait {
      for question in 0..<5 {
        if question > 0 { for _ in 0..<draw(4) { try changeSomething(reader) } }
        if question > 0 { for item in some(try all("Item", reader), atMost: 3) { set("name", of: item) } }
        if chance(1, of: 2) { reader.processPendingChanges() }
        try ask(reader)
      }
    }
  }

  /// Asks one drawn question in several ways; in a block of the context.
  private func ask(_ context: NSManagedObjectContext) throws {
    let entity = pick(["Item", "Item", "SpecialItem"]) ?? "Item"
    let predicate = predicate(depth: 2)
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
    if !context.hasChanges, context.parent == nil { try askRows(entity, predicate, chosen, what, context) }
  }

  /// Pages, batches and prefetched objects, in the order of drawn descriptors.
  private func askInOrder(
    _ request: NSFetchRequest<NSManagedObject>, _ chosen: [NSManagedObject], _ what: String,
    _ context: NSManagedObjectContext
  ) throws {
    let keys = some(["name", "rank", "weight", "isNew", "madeAt", "price", "box.title", "shelf.size"], atMost: 2)
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

  /// Dictionaries: rows, groups and totals of what is saved.
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

  private func aggregate(_ function: String, _ key: String) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = function + key
    description.expression = NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: key)])
    description.expressionResultType = .integer64AttributeType
    return description
  }

  private func numbers(_ objects: [NSManagedObject]) -> [Int] { objects.map(RulePicture.number) }

  // MARK: Predicates

  private func predicate(depth: Int) -> NSPredicate {
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
    return switch draw(16) {
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
    default: NSPredicate(format: "isNew == %@", argumentArray: [chance(1, of: 2)])
    }
  }
}
