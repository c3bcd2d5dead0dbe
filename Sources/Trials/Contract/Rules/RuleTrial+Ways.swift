import Checking
import CoreData

// S7.1 to S7.3, S4.1, S4.4: conditions and orders over ways of one to three relationships, beside unsaved changes of any object on the way,
// of any level of contexts: a fetch, its count, its IDs and its pages have the objects for which the condition holds, one by one.

extension RuleTrial {
  func ways() throws {
    let coordinator = try open(WaysModel.shared, at: newURL())
    let maker = context(coordinator)
    try maker.performAndWait {
      for _ in 0..<(12 + draw(8)) { try insertOnWay(maker) }
      try save(maker)
    }
    var levels = [context(coordinator)]
    for _ in 0..<draw(3) {
      let parent = levels[0]
      if chance(2, of: 3) { try changeOnWays(parent) }
      parent.performAndWait { parent.processPendingChanges() }
      levels.insert(context(in: parent), at: 0)
    }
    for _ in 0..<3 {
      if chance(3, of: 4) { try changeOnWays(levels[0]) }
      for _ in 0..<4 { try askOnWay(levels[0]) }
    }
    for level in levels {
      try level.performAndWait { try save(level) }
      if let parent = level.parent { for _ in 0..<2 { try askOnWay(parent) } }
    }
    for _ in 0..<2 { try askOnWay(freshContext(coordinator)) }
    for _ in 0..<6 { try askBehindWay(chance(1, of: 2) ? freshContext(coordinator) : levels[0]) }
    try close(coordinator)
  }

  // MARK: Changes

  /// A new object, with some relationships that lead somewhere; in a block of the context.
  private func insertOnWay(_ context: NSManagedObjectContext) throws {
    let object = insertNumbered(pick(WaysModel.entities) ?? "Beta", context)
    for key in ["rank", "name"] { changeValue(key, of: object) }
    for relationship in some(WaysModel.relationships(object.entity), atMost: 4) {
      try changeEnds(relationship, of: object, context)
    }
  }

  private func changeValue(_ key: String, of object: NSManagedObject) {
    let value: Any? =
      key == "rank" ? pick([nil, -1, 0, 1, 1, 2, 3])?.flatMap { $0 } : pick([nil, "a", "b", "B"])?.flatMap { $0 }
    note("\(key) of \(RulePicture.number(object)) = \(RulePicture.text(value))")
    object.setValue(value, forKey: key)
  }

  /// Objects that live, of an entity and its heirs; in a block of the context.
  private func living(_ entity: String, _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try all(entity, context).filter { !$0.isDeleted }
  }

  private func changeEnds(
    _ relationship: NSRelationshipDescription, of object: NSManagedObject, _ context: NSManagedObjectContext
  ) throws {
    guard let entity = relationship.destinationEntity?.name else { return }
    let candidates = try living(entity, context)
    let number = RulePicture.number(object)
    guard relationship.isToMany else {
      let end = chance(1, of: 5) ? nil : pick(candidates)
      note("\(relationship.name) of \(number) = \(end.map(RulePicture.number) ?? 0)")
      return object.setValue(end, forKey: relationship.name)
    }
    let ends = some(candidates, atMost: 3)
    note("\(relationship.name) of \(number) = \(ends.map(RulePicture.number))")
    switch (relationship.isOrdered, chance(1, of: 2)) {
    case (true, true): object.setValue(NSOrderedSet(array: ends), forKey: relationship.name)
    case (false, true): object.setValue(Set(ends), forKey: relationship.name)
    case (true, false): for end in ends { object.mutableOrderedSetValue(forKey: relationship.name).add(end) }
    case (false, false): for end in ends { object.mutableSetValue(forKey: relationship.name).add(end) }
    }
  }

  /// A few changes, now and then of objects of one entity alone; others become faults.
  private func changeOnWays(_ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      let entity = chance(1, of: 2) ? pick(WaysModel.entities) : nil
      for _ in 0..<(1 + draw(4)) {
        let objects = try living(entity ?? pick(WaysModel.roots) ?? "Beta", context)
        guard let object = pick(objects) else { continue }
        switch draw(9) {
        case 0, 1, 2: changeValue(chance(2, of: 3) ? "rank" : "name", of: object)
        case 3, 4, 5:
          guard let relationship = pick(WaysModel.relationships(object.entity)) else { continue }
          try changeEnds(relationship, of: object, context)
        case 6 where objects.count > 2:
          note("delete \(RulePicture.number(object))")
          context.delete(object)
          context.processPendingChanges()
        case 7: try insertOnWay(context)
        default:
          note("faults")
          for object in some(objects.filter { !$0.hasChanges }, atMost: 4) {
            context.refresh(object, mergeChanges: false)
          }
        }
      }
    }
  }

  // MARK: Questions

  private func askOnWay(_ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      guard let entity = WaysModel.shared.entitiesByName[pick(WaysModel.entities) ?? "Beta"] else { return }
      try ask(entity, onWay(entity, "", depth: 2, context), context)
    }
  }

  /// The last object of a way is the only one that has a change: the question is for what it was, or is now.
  private func askBehindWay(_ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      guard let entity = WaysModel.shared.entitiesByName[pick(WaysModel.entities) ?? "Beta"] else { return }
      let way = way(from: entity, steps: 2 + draw(2), toMany: chance(1, of: 4))
      let roots = try living(entity.name ?? "", context)
      guard !way.keys.isEmpty, let end = pick(roots.flatMap { ends(of: $0, way.keys[...]) }) else { return }
      let before = end.value(forKey: "rank")
      changeValue("rank", of: end)
      let rank = (chance(1, of: 2) ? before : end.value(forKey: "rank")) as? NSNumber
      let condition = "\(way.hasMany ? "ANY " : "")\(way.path).rank == "
      try ask(entity, NSPredicate(format: condition + (rank.map { "\($0)" } ?? "nil"), argumentArray: []), context)
      context.rollback()
    }
  }

  private func ends(of object: NSManagedObject, _ keys: ArraySlice<String>) -> [NSManagedObject] {
    guard let key = keys.first else { return [object] }
    let next: [NSManagedObject] =
      switch object.value(forKey: key) {
      case let one as NSManagedObject: [one]
      case let list as NSOrderedSet: list.array.compactMap { $0 as? NSManagedObject }
      case let set as Set<NSManagedObject>: set.sorted { RulePicture.number($0) < RulePicture.number($1) }
      default: []
      }
    return next.flatMap { ends(of: $0, keys.dropFirst()) }
  }

  /// A question of the objects for which the condition holds, in several forms.
  private func ask(
    _ description: NSEntityDescription, _ predicate: NSPredicate, _ context: NSManagedObjectContext
  ) throws {
    try context.performAndWait {
      if chance(1, of: 2) { context.processPendingChanges() }
      let entity = description.name ?? ""
      let what = "a fetch of \(entity) where \(predicate)"
      note(what)
      func request<Found>(_: Found.Type) -> NSFetchRequest<Found> {
        let request = NSFetchRequest<Found>(entityName: entity)
        request.predicate = predicate
        return request
      }
      let objects = request(NSManagedObject.self)
      objects.includesSubentities = chance(5, of: 6)
      func byHand() throws -> [NSManagedObject] {
        try living(entity, context).filter {
          (objects.includesSubentities || $0.entity.name == entity) && predicate.evaluate(with: $0)
        }
      }
      func numbers(_ objects: [NSManagedObject]) -> [Int] { objects.map(RulePicture.number) }
      // A look at each of them reads what the fetch might have had to.
      let before = chance(1, of: 2) ? try byHand() : nil
      let count = chance(1, of: 2) ? try context.count(for: objects) : nil
      let found = try context.fetch(objects)
      let chosen = try before ?? byHand()
      try require(numbers(found).sorted(), numbers(chosen), .wrongValue, what)
      try require(try count ?? context.count(for: objects), chosen.count, .wrongValue, "the count of \(what)")
      let ids = request(NSManagedObjectID.self)
      (ids.resultType, ids.includesSubentities) = (.managedObjectIDResultType, objects.includesSubentities)
      let byIDs = try context.fetch(ids).map { RulePicture.number(context.object(with: $0)) }
      try require(byIDs.sorted(), numbers(chosen), .wrongValue, "the IDs of \(what)")
      try askInOrderOfWay(objects, description, chosen, what, context)
    }
  }

  /// A page by the values at the ends of ways; in a block of the context.
  private func askInOrderOfWay(
    _ request: NSFetchRequest<NSManagedObject>, _ entity: NSEntityDescription, _ chosen: [NSManagedObject],
    _ what: String, _ context: NSManagedObjectContext
  ) throws {
    let keys = (0..<draw(3)).compactMap { _ -> String? in
      let way = way(from: entity, steps: 1 + draw(3), toMany: false)
      return way.keys.isEmpty ? nil : way.path + (chance(2, of: 3) ? ".rank" : ".name")
    }
    request.sortDescriptors = (keys + [RuleModel.number]).map { NSSortDescriptor(key: $0, ascending: chance(1, of: 2)) }
    let descriptors = request.sortDescriptors ?? []
    let sorted = (chosen as NSArray).sortedArray(using: descriptors) as? [NSManagedObject] ?? []
    (request.fetchOffset, request.fetchLimit) = (draw(3), draw(5))
    if chance(1, of: 3) { request.relationshipKeyPathsForPrefetching = [way(from: entity, steps: 2).path] }
    request.returnsObjectsAsFaults = chance(1, of: 2)
    let page = sorted.dropFirst(request.fetchOffset).prefix(request.fetchLimit == 0 ? .max : request.fetchLimit)
    let order = "by \(descriptors.map { ($0.ascending ? "" : "-") + ($0.key ?? "") })"
    try require(
      try context.fetch(request).map(RulePicture.number), page.map(RulePicture.number), .wrongValue,
      "\(what), \(order), from \(request.fetchOffset), at most \(request.fetchLimit)")
  }

  // MARK: Conditions

  /// A drawn way of at least one relationship, where the entity has one.
  private func way(from entity: NSEntityDescription, steps: Int, toMany: Bool = true) -> WaysModel.Way {
    precondition(steps > 0, "a way has a step")
    var way = WaysModel.Way(end: entity)
    for _ in 0..<steps {
      let next = WaysModel.relationships(way.end).filter { toMany || !$0.isToMany }
      guard let relationship = pick(next), let end = relationship.destinationEntity else { break }
      way.keys.append(relationship.name)
      way.end = end
      way.hasMany = way.hasMany || relationship.isToMany
      way.endsWithMany = relationship.isToMany
    }
    return way
  }

  /// A condition of objects of an entity, or of a variable; in a block of the context.
  private func onWay(
    _ entity: NSEntityDescription, _ variable: String, depth: Int, _ context: NSManagedObjectContext
  ) throws -> NSPredicate {
    precondition(depth >= 0, "a condition ends with comparisons")
    if depth > 0, chance(1, of: 3) {
      let parts = try (0..<2).map { _ in try onWay(entity, variable, depth: depth - 1, context) }
      return switch draw(3) {
      case 0: NSCompoundPredicate(andPredicateWithSubpredicates: parts)
      case 1: NSCompoundPredicate(orPredicateWithSubpredicates: parts)
      default: NSCompoundPredicate(notPredicateWithSubpredicate: parts[0])
      }
    }
    let (comparison, number) = (pick(["==", "!=", "<", "<=", ">", ">="]) ?? "==", draw(4) - 1)
    if chance(1, of: 8) { return NSPredicate(format: "\(variable)rank \(comparison) \(number)", argumentArray: []) }
    let way = way(from: entity, steps: 1 + draw(variable.isEmpty ? 3 : 2))
    let path = variable + way.path
    // The look for it reads each of them.
    let end = chance(1, of: 3) ? pick(try living(way.end.name ?? "", context)) : nil
    if !way.hasMany {
      return switch draw(end == nil ? 5 : 7) {
      case 0, 1: NSPredicate(format: "\(path).rank \(comparison) \(number)", argumentArray: [])
      case 2: NSPredicate(format: "\(path).name \(chance(1, of: 2) ? "==" : "==[c]") 'b'", argumentArray: [])
      case 3: NSPredicate(format: "\(path) \(chance(1, of: 2) ? "==" : "!=") nil", argumentArray: [])
      case 4: NSPredicate(format: "\(path).rank BETWEEN {0, \(number)}", argumentArray: [])
      case 5: NSPredicate(format: "\(path) == %@", argumentArray: [end as Any])
      default: NSPredicate(format: "\(path) IN %@", argumentArray: [[end].compactMap { $0 }])
      }
    }
    return try onWayToMany(way, variable, end, depth: depth, context)
  }

  /// The same over a way with a to-many relationship.
  private func onWayToMany(
    _ way: WaysModel.Way, _ variable: String, _ end: NSManagedObject?, depth: Int, _ context: NSManagedObjectContext
  ) throws -> NSPredicate {
    precondition(way.hasMany, "the way leads to many objects")
    let (path, comparison, number) = (
      variable + way.path, pick(["==", "!=", "<", "<=", ">", ">="]) ?? "==", draw(4) - 1
    )
    let quantifier = pick(["ANY", "ALL", "NONE"]) ?? "ANY"
    if way.endsWithMany, !variable.isEmpty || chance(1, of: 2) {
      let operation = pick(["@sum", "@max", "@min"]) ?? "@sum"
      switch draw(depth > 0 && variable.isEmpty ? 4 : 2) {
      case 0: return NSPredicate(format: "\(path).@count \(comparison) \(draw(3))", argumentArray: [])
      case 1: return NSPredicate(format: "\(path).\(operation).rank \(comparison) \(number)", argumentArray: [])
      default:
        let condition = try onWay(way.end, "$x.", depth: depth - 1, context)
        // The part is made of objects as well: it is put in as it is.
        let subquery = NSExpression(
          forSubquery: NSExpression(forKeyPath: path), usingIteratorVariable: "x", predicate: condition)
        let count = NSExpression(
          forFunction: subquery, selectorName: "valueForKeyPath:", arguments: [NSExpression(forKeyPath: "@count")])
        return NSComparisonPredicate(
          leftExpression: count, rightExpression: NSExpression(forConstantValue: draw(3)), modifier: .direct,
          type: pick([.equalTo, .notEqualTo, .lessThan, .greaterThan]) ?? .equalTo)
      }
    }
    guard variable.isEmpty else {
      return NSPredicate(format: "\(variable)rank \(comparison) \(number)", argumentArray: [])
    }
    return switch draw(end == nil ? 3 : 4) {
    case 0, 1: NSPredicate(format: "\(quantifier) \(path).rank \(comparison) \(number)", argumentArray: [])
    case 2: NSPredicate(format: "\(quantifier) \(path).name == 'a'", argumentArray: [])
    default: NSPredicate(format: "\(quantifier) \(path) == %@", argumentArray: [end as Any])
    }
  }
}
