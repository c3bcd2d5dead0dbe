import Checking
import CoreData

// S7.1 to S7.3: dictionaries of every type of column, in pages, groups and distinct values; objects that are fetched again, as they are
// or refreshed; keys of sub-entities; fetches of what is saved alone, by predicates that SQL cannot say; in roots and in children.

extension RuleTrial {
  func answers() throws {
    let coordinator = try open()
    let writer = context(coordinator)
    try writer.performAndWait {
      populate(writer, items: 6 + draw(8))
      for item in try all("Item", writer) where chance(1, of: 2) {
        for key in ["rank", "level", "madeAt", "photo", "place"] { set(key, of: item) }
      }
      try save(writer)
    }
    let root = context(coordinator)
    let reader = chance(1, of: 3) ? context(in: root) : root
    for isDirty in [false, true] {
      if isDirty { try dirty(root, reader) }
      // Dictionaries are about the file, whatever is unsaved.
      let saved = freshContext(coordinator)
      let items = try saved.performAndWait { try all("Item", saved) }
      try askForColumns(reader, saved, items)
      try askForGroups(reader, saved, items)
      try askForDistinct(reader, saved, items)
      try askForSaved(reader, saved, items)
      try askBySubentity(reader)
    }
    for _ in 0..<2 { try fetchAgain(coordinator, writer) }
  }

  /// Changes in a reader and its parent; the parent deletes nothing, since for a child there is no such object then.
  private func dirty(_ root: NSManagedObjectContext, _ reader: NSManagedObjectContext) throws {
    precondition(reader === root || reader.parent === root, "who asks is the root, or its child")
    for context in root === reader ? [root] : [root, reader] {
      try context.performAndWait {
        for item in some(try all("Item", context), atMost: 4) {
          set(pick(RuleModel.attributes(of: item.entity.name ?? "Item")) ?? "rank", of: item)
        }
        _ = insert(pick(["Item", "SpecialItem"]) ?? "Item", context)
        if context === reader, let item = pick(try all("Item", context)), chance(1, of: 2) { context.delete(item) }
        if chance(1, of: 2) { context.processPendingChanges() }
      }
    }
    root.performAndWait { root.processPendingChanges() }
  }

  // MARK: Dictionaries

  private func rows(_ properties: [Any]) -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Item")
    (request.resultType, request.propertiesToFetch) = (.dictionaryResultType, properties)
    return request
  }

  /// A value as text; numbers come as any class of number.
  private func cell(_ value: Any?, _ key: String = "") -> String {
    if let id = value as? NSManagedObjectID { return id.uriRepresentation().lastPathComponent }
    if let object = value as? NSManagedObject { return object.objectID.uriRepresentation().lastPathComponent }
    guard let value, !(value is NSNull) else { return "null" }
    let types: [String: NSAttributeType] = [
      "weight": .doubleAttributeType, "ratio": .floatAttributeType, "rank": .integer64AttributeType,
      "level": .integer64AttributeType, "place.zip": .integer64AttributeType, "isNew": .booleanAttributeType,
      RuleModel.number: .integer64AttributeType,
    ]
    if key == "price" { return "\((value as? NSNumber)?.doubleValue ?? 0)" }
    guard let type = types[key] else { return RulePicture.text(value) }
    return DrawnValue.text(value, type) ?? "null"
  }

  /// A drawn predicate; SQL cannot say the last three.
  private func condition() -> NSPredicate? {
    let number = pick([-7, 0, 1, 2, 3]) ?? 0
    return pick([
      nil, NSPredicate(format: "rank > %ld", number), NSPredicate(format: "name != nil"),
      NSPredicate(format: "box.size > 0 OR level == nil"), NSPredicate(format: "mark == nil AND rank <= %ld", number),
      NSPredicate(format: "mark == nil OR rank == %ld", number),
      NSPredicate(format: "photo != nil AND photo != %@", Data([1, 2, 3])),
    ])?.flatMap { $0 }
  }

  /// Columns of every type, in pages.
  private func askForColumns(
    _ reader: NSManagedObjectContext, _ saved: NSManagedObjectContext, _ items: [NSManagedObject]
  ) throws {
    precondition(reader !== saved, "the expected rows are read by a context without changes")
    var keys = some(
      [
        "name", "rank", "weight", "isNew", "madeAt", "price", "photo", "place", "code", "page", "ratio", "level",
        "place.city", "place.zip", "box", "box.title", "boxTitle", "shelf",
      ], atMost: 9)
    // Without properties a row has all attributes.
    let isWhole = chance(1, of: 2)
    if isWhole { keys.removeAll { $0.contains(".") || ["box", "shelf", "place"].contains($0) } }
    keys.append(RuleModel.number)
    let own = NSExpressionDescription()
    (own.name, own.expression, own.expressionResultType) =
      ("own", NSExpression.expressionForEvaluatedObject(), .objectIDAttributeType)
    let request = rows((keys as [Any]) + [own])
    if isWhole { request.propertiesToFetch = nil }
    request.predicate = condition()
    request.includesSubentities = chance(3, of: 4)
    let descriptors = (some(["rank", "name", "level", "box.title", "tags.@count"], atMost: 3) + [RuleModel.number]).map
    {
      NSSortDescriptor(key: $0, ascending: chance(1, of: 2))
    }
    request.sortDescriptors = descriptors
    (request.fetchOffset, request.fetchLimit) = (draw(4), limit(below: 6))
    let what =
      "dictionaries of \(isWhole ? "all" : "\(keys)") by \(descriptors.compactMap(\.key)) where \(request.predicate.map { "\($0)" } ?? "all"), from \(request.fetchOffset), at most "
      + "\(request.fetchLimit), in \(reader.name ?? "")"
    note(what)
    let expected = saved.performAndWait {
      let chosen = items.filter { item in
        (request.includesSubentities || item.entity.name == "Item") && request.predicate?.evaluate(with: item) ?? true
      }
      let sorted = (chosen as NSArray).sortedArray(using: descriptors) as? [NSManagedObject] ?? []
      return sorted.dropFirst(request.fetchOffset).prefix(request.fetchLimit == 0 ? .max : request.fetchLimit).map {
        item in
        (keys.map { "\($0) \(cell(item.value(forKeyPath: $0), $0))" } + ["own \(isWhole ? "null" : cell(item))"])
          .joined(separator: "; ")
      }
    }
    try reader.performAndWait {
      let seen = try reader.fetch(request).map { row in
        (keys + ["own"]).map { "\($0) \(cell(row[$0], $0))" }.joined(separator: "; ")
      }
      try require(seen, expected, .wrongValue, what)
      try require(try reader.count(for: request), expected.count, .wrongValue, "the count of \(what)")
    }
  }

  private func total(_ function: String, _ type: NSAttributeType) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    (description.name, description.expressionResultType) = (function, type)
    description.expression = NSExpression(
      forFunction: function + ":",
      arguments: [NSExpression(forKeyPath: function == "count" ? RuleModel.number : "rank")])
    return description
  }

  /// The part of a group that has to be above a bound: of its rows, or of all members of its rows.
  private enum GroupBound: String, CaseIterable {
    case rows = "count:(number)"
    case ranks = "sum:(rank)"
    case members = "tags.@count"
    case weights = "max:(tags.weight)"

    func isAbove(_ least: Int, _ group: [NSManagedObject]) -> Bool {
      precondition(least > 0, "a bound is above nothing")
      let tags = group.flatMap { ($0.value(forKey: "tags") as? NSOrderedSet)?.array as? [NSManagedObject] ?? [] }
      func numbers(_ objects: [NSManagedObject], _ key: String) -> [Int] {
        objects.compactMap { ($0.value(forKey: key) as? NSNumber)?.intValue }
      }
      return switch self {
      case .rows: group.count > least
      case .ranks: numbers(group, "rank").reduce(0, +) > least
      case .members: tags.count > least
      case .weights: (numbers(tags, "weight").max() ?? .min) > least
      }
    }
  }

  /// Groups in order, in pages, with a bound, and totals of each.
  private func askForGroups(
    _ reader: NSManagedObjectContext, _ saved: NSManagedObjectContext, _ items: [NSManagedObject]
  ) throws {
    precondition(reader !== saved, "the expected groups are made by a context without changes")
    let key = pick(["level", "name", "isNew", "box.title", "place.zip"]) ?? "level"
    let totals = [
      total("count", .integer64AttributeType), total("sum", .integer64AttributeType),
      total("max", .integer64AttributeType),
      total("min", .integer64AttributeType), total("average", .doubleAttributeType),
    ]
    let request = rows(([key] as [Any]) + totals)
    request.predicate = condition()
    request.propertiesToGroupBy = [key]
    let isAscending = chance(1, of: 2)
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: isAscending)]
    let (least, bound) = (draw(3), pick(GroupBound.allCases) ?? .rows)
    if least > 0 { request.havingPredicate = NSPredicate(format: "\(bound.rawValue) > %ld", argumentArray: [least]) }
    (request.fetchOffset, request.fetchLimit) = (draw(2), limit(below: 4))
    let what =
      "groups by \(key) with \(bound.rawValue) above \(least) where \(request.predicate.map { "\($0)" } ?? "all"), from "
      + "\(request.fetchOffset), at most \(request.fetchLimit), \(isAscending ? "up" : "down"), in \(reader.name ?? "")"
    note(what)
    let expected: [String] = saved.performAndWait {
      let chosen = items.filter { request.predicate?.evaluate(with: $0) ?? true }
      // The first item of each group, in the order of the key.
      let sorted = (chosen as NSArray).sortedArray(using: request.sortDescriptors ?? []) as? [NSManagedObject] ?? []
      let groups = sorted.reduce(into: [[NSManagedObject]]()) { groups, item in
        if let last = groups.last?.first,
          cell(last.value(forKeyPath: key), key) == cell(item.value(forKeyPath: key), key)
        {
          groups[groups.count - 1].append(item)
        } else {
          groups.append([item])
        }
      }
      let page = groups.filter { least == 0 || bound.isAbove(least, $0) }.dropFirst(request.fetchOffset)
      return page.prefix(request.fetchLimit == 0 ? .max : request.fetchLimit).map { group in
        let ranks = group.map { ($0.value(forKey: "rank") as? NSNumber)?.intValue ?? 0 }
        let sum = ranks.reduce(0, +)
        return
          "\(cell(group[0].value(forKeyPath: key), key)): \(group.count) \(sum) \(ranks.max() ?? 0) \(ranks.min() ?? 0) "
          + "\(Double(sum) / Double(group.count))"
      }
    }
    try reader.performAndWait {
      let seen = try reader.fetch(request).map { row in
        let numbers = ["count", "sum", "max", "min"].map { "\((row[$0] as? NSNumber)?.intValue ?? -1)" }
        return
          "\(cell(row[key], key)): \(numbers.joined(separator: " ")) \((row["average"] as? NSNumber)?.doubleValue ?? -1)"
      }
      try require(seen, expected, .wrongValue, what)
      try require(try reader.count(for: request), expected.count, .wrongValue, "the count of \(what)")
    }
  }

  /// Values that differ, in order, in pages.
  private func askForDistinct(
    _ reader: NSManagedObjectContext, _ saved: NSManagedObjectContext, _ items: [NSManagedObject]
  ) throws {
    let keys = pick([["level"], ["isNew", "level"], ["box.title"], ["rank", "isNew"], ["box"]]) ?? ["level"]
    let request = rows(keys)
    request.returnsDistinctResults = true
    request.predicate = condition()
    // An object has no order beside other columns.
    let isSorted = keys != ["box"]
    let descriptors = keys.map { NSSortDescriptor(key: $0, ascending: chance(1, of: 2)) }
    if isSorted {
      request.sortDescriptors = descriptors
      (request.fetchOffset, request.fetchLimit) = (draw(2), limit(below: 4))
    }
    let what = "distinct \(keys) where \(request.predicate.map { "\($0)" } ?? "all"), at most \(request.fetchLimit)"
    note(what)
    let expected: [String] = saved.performAndWait {
      let chosen = items.filter { request.predicate?.evaluate(with: $0) ?? true }
      let sorted =
        isSorted ? (chosen as NSArray).sortedArray(using: descriptors) as? [NSManagedObject] ?? [] : chosen
      var known: Set<String> = []
      let cells = sorted.map { item in keys.map { cell(item.value(forKeyPath: $0), $0) }.joined(separator: " ") }
        .filter { known.insert($0).inserted }
      return Array(cells.dropFirst(request.fetchOffset).prefix(request.fetchLimit == 0 ? .max : request.fetchLimit))
    }
    try reader.performAndWait {
      let seen = try reader.fetch(request).map { row in keys.map { cell(row[$0], $0) }.joined(separator: " ") }
      try require(isSorted ? seen : seen.sorted(), isSorted ? expected : expected.sorted(), .wrongValue, what)
      try require(try reader.count(for: request), expected.count, .wrongValue, "the count of \(what)")
    }
  }

  // MARK: Objects

  /// The saved values, whatever is unsaved in the reader and above it.
  private func askForSaved(
    _ reader: NSManagedObjectContext, _ saved: NSManagedObjectContext, _ items: [NSManagedObject]
  ) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.includesPendingChanges = false
    request.predicate = condition()
    let descriptors = (some(["rank", "name", "box.title"], atMost: 1) + [RuleModel.number]).map {
      NSSortDescriptor(key: $0, ascending: chance(1, of: 2))
    }
    request.sortDescriptors = descriptors
    (request.fetchOffset, request.fetchLimit) = (draw(3), limit(below: 6))
    let what =
      "a fetch of what is saved where \(request.predicate.map { "\($0)" } ?? "all"), from \(request.fetchOffset), at most "
      + "\(request.fetchLimit), in \(reader.name ?? "")"
    note(what)
    let expected = saved.performAndWait {
      let chosen = items.filter { request.predicate?.evaluate(with: $0) ?? true }
      let sorted = (chosen as NSArray).sortedArray(using: descriptors) as? [NSManagedObject] ?? []
      return sorted.dropFirst(request.fetchOffset).prefix(request.fetchLimit == 0 ? .max : request.fetchLimit)
        .map { cell($0) }
    }
    try reader.performAndWait {
      try require(try reader.fetch(request).map { cell($0) }, expected, .wrongValue, what)
      try require(try reader.count(for: request), expected.count, .wrongValue, "the count of \(what)")
    }
  }

  /// A key that only a sub-entity has: of the others it is null, in the store and in memory.
  private func askBySubentity(_ reader: NSManagedObjectContext) throws {
    try reader.performAndWait {
      func remark(_ object: NSManagedObject) -> String? {
        object.entity.name == "SpecialItem" ? object.value(forKey: "remark") as? String : nil
      }
      let all = try all("Item", reader)
      for (format, isChosen) in [
        ("remark == nil", { remark($0) == nil }),
        (
          "remark != nil AND rank > 0",
          { object in
            remark(object) != nil && ((object.value(forKey: "rank") as? NSNumber)?.intValue ?? 0) > 0
          }
        ), ("remark == 'Z' OR number == 1", { remark($0) == "Z" || RulePicture.number($0) == 1 }),
      ] as [(String, (NSManagedObject) -> Bool)] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: format, argumentArray: [])
        request.sortDescriptors = [
          NSSortDescriptor(key: "remark", ascending: true), NSSortDescriptor(key: RuleModel.number, ascending: true),
        ]
        func scalars(_ object: NSManagedObject) -> [UInt32] { (remark(object) ?? "").unicodeScalars.map(\.value) }
        let expected = all.filter(isChosen).sorted { left, right in
          switch (remark(left), remark(right)) {
          case (nil, nil): RulePicture.number(left) < RulePicture.number(right)
          case (nil, _): true
          case (_, nil): false
          default:
            scalars(left) == scalars(right)
              ? RulePicture.number(left) < RulePicture.number(right)
              : scalars(left).lexicographicallyPrecedes(scalars(right))
          }
        }
        try require(
          try reader.fetch(request).map(RulePicture.number), expected.map(RulePicture.number), .wrongValue,
          "items where \(format), by remark, in \(reader.name ?? "")")
        try require(try reader.count(for: request), expected.count, .wrongValue, "the count of items where \(format)")
      }
    }
  }

  // MARK: Fetched again

  /// Objects with values keep them until a request refreshes them; faults, and what is found, are of the newest state.
  private func fetchAgain(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    precondition(writer.persistentStoreCoordinator === coordinator, "a row that is written is newer in the row cache")
    let root = context(coordinator)
    let reader = chance(1, of: 3) ? context(in: root) : root
    let refreshes = chance(1, of: 2)
    let (objects, realised) = try reader.performAndWait {
      let objects = try all("Item", reader)
      let realised = objects.map { _ in chance(1, of: 2) }
      for (object, isRealised) in zip(objects, realised) where !isRealised {
        reader.refresh(object, mergeChanges: false)
      }
      return (objects, realised)
    }
    let old = reader.performAndWait {
      zip(objects, realised).map { $1 ? RulePicture.text($0.value(forKey: "name")) : "" }
    }
    let edited = reader.performAndWait {
      let edited = zip(objects, realised).filter(\.1).map(\.0).filter { _ in chance(1, of: 3) }
      for object in edited { object.setValue(Double(newNumber()), forKey: "weight") }
      return Set(edited.map { ObjectIdentifier($0) })
    }
    let name = "again \(newNumber())"
    let changed = try writer.performAndWait {
      writer.refreshAllObjects()
      let chosen = some(try all("Item", writer), atMost: 8)
      for item in chosen { item.setValue(name, forKey: "name") }
      try save(writer)
      return Set(chosen.map(\.objectID))
    }
    note("others changed \(changed.count) items, which are fetched again\(refreshes ? " and refreshed" : "")")
    try reader.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.shouldRefreshRefetchedObjects = refreshes
      request.returnsObjectsAsFaults = chance(1, of: 2)
      let found = try reader.fetch(request)
      try require(found.count, objects.count, .wrongValue, "how many items are fetched again")
      for (index, object) in objects.enumerated() {
        let isNew = changed.contains(object.objectID)
        guard isNew || realised[index] else { continue }
        // A child reads what its parent has, which may be older.
        if reader.parent != nil, !refreshes { continue }
        let expected = isNew && (refreshes || !realised[index]) ? name : old[index]
        let number = RulePicture.number(object)
        try require(
          RulePicture.text(object.value(forKey: "name")), expected, .staleRead,
          "the name of item \(number), \(realised[index] ? "with values" : "a fault"), which is fetched again")
        let isEdited = edited.contains(ObjectIdentifier(object))
        try require(
          object.hasPersistentChangedValues, isEdited, .lostUpdate,
          "whether item \(number) has changes when it is fetched again")
      }
      let isOlder =
        !refreshes
        && zip(objects, realised).contains { object, isRealised in
          isRealised && edited.contains(ObjectIdentifier(object)) && changed.contains(object.objectID)
        }
      guard reader.parent == nil else { return }
      try saveFetchedAgain(reader, isOlder, refreshes)
    }
  }

  /// A save compares the rows that were read: those that were refreshed are the newest; in a block of the context.
  private func saveFetchedAgain(_ reader: NSManagedObjectContext, _ isOlder: Bool, _ refreshes: Bool) throws {
    precondition(reader.parent == nil, "only a save to the file can meet a newer row")
    let code = AnythingClient.error { try reader.save() }?.code
    try require(
      code, isOlder ? NSManagedObjectMergeError : nil, .lostUpdate,
      "the error of a save of items that were fetched again\(refreshes ? " and refreshed" : "")")
  }
}
