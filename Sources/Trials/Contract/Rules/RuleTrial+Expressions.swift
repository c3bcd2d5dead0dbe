import Checking
import CoreData

// S7.1, S7.2, S7.4: drawn expressions have one value by hand, of objects, of dictionaries, in the dictionaries of a fetch, in
// groups and totals, and in the rows that a batch update changes; printed and read again; and functions of memory alone.

extension RuleTrial {
  func expressions() throws {
    let coordinator = try open()
    let owner = context(coordinator)
    try owner.performAndWait {
      populateHard(owner, items: 6 + draw(6))
      try save(owner)
      owner.refreshAllObjects()
      for term in everyFunction() { try compute(term, owner) }
      for _ in 0..<6 { try compute(drawnTerm(), owner) }
      for term in listFunctions() { try compute(term, owner) }
      for _ in 0..<4 { try computeInGroups(drawnTerm(), owner) }
      for _ in 0..<2 { try computeTotals(owner) }
      try computeGreatSum(owner)
      for _ in 0..<6 { try computeInMemory(owner) }
      try requireParts()
    }
    for _ in 0..<3 { try computeInUpdate(coordinator) }
    let keys = RuleModel.attributes(of: "Item").filter { !["photo", "place"].contains($0) }
    for key in shuffled(keys).prefix(6) { try chooseInUpdate(key, coordinator) }
  }

  private func drawnTerm() -> DrawnTerm {
    let term = chance(2, of: 3) ? numberTerm(depth: 1 + draw(2)) : textTerm(depth: 1 + draw(2))
    note("expression \(term.words)")
    return term
  }

  private func described(_ name: String, _ expression: NSExpression, _ type: NSAttributeType = .undefinedAttributeType)
    -> NSExpressionDescription
  {
    precondition(!name.isEmpty, "a column has a name")
    let description = NSExpressionDescription()
    (description.name, description.expression, description.expressionResultType) = (name, expression, type)
    return description
  }

  private func rows(_ properties: [Any]) -> NSFetchRequest<NSDictionary> {
    precondition(!properties.isEmpty, "dictionaries have columns")
    let request = NSFetchRequest<NSDictionary>(entityName: "Item")
    (request.resultType, request.propertiesToFetch) = (.dictionaryResultType, properties)
    return request
  }

  // MARK: One value of each item

  /// In a block of a context without changes.
  private func compute(_ term: DrawnTerm, _ context: NSManagedObjectContext) throws {
    let (items, expression) = (try all("Item", context), term.expression)
    let expected = items.map { term.value(DrawnTerm.Subject(object: $0)).words }
    let values = items.map { TermValue(expression.expressionValue(with: $0, context: nil)).words }
    try require(values, expected, .wrongValue, "the values for items of \(term.words)")
    let plain = items.map {
      TermValue(expression.expressionValue(with: Self.dictionary($0), context: NSMutableDictionary())).words
    }
    try require(plain, expected, .wrongValue, "the values for dictionaries of \(term.words)")
    let read = NSExpression(format: "\(expression)")
    try require(read, expression, .wrongValue, "an expression that is printed and read again")
    try require(read.hash == expression.hash, true, .wrongValue, "whether \(read) has the hash of \(expression)")
    try require(expression.copy() as? NSExpression, expression, .wrongValue, "a copied expression")
    let type: NSAttributeType =
      chance(1, of: 2)
      ? .undefinedAttributeType : term.kind == .text ? .stringAttributeType : .doubleAttributeType
    // Alone, or beside a key of its row.
    let isAlone = chance(1, of: 2)
    let request = rows((isAlone ? [] : [RuleModel.number]) + [described("value", expression, type)])
    let isByValue = chance(1, of: 2)
    let isAscending = chance(1, of: 2)
    let byNumber = NSSortDescriptor(key: RuleModel.number, ascending: true)
    request.sortDescriptors =
      isByValue ? [NSSortDescriptor(key: "value", ascending: isAscending), byNumber] : [byNumber]
    request.fetchLimit = chance(1, of: 3) ? 1 + draw(4) : 0
    let sorted = isByValue ? sort(items, by: term, isAscending) : items
    let page = sorted.prefix(request.fetchLimit == 0 ? .max : request.fetchLimit).map { item in
      "\(isAlone ? -1 : RulePicture.number(item)): \(inColumn(term.value(DrawnTerm.Subject(object: item)), type).words)"
    }
    let seen = try context.fetch(request).map { row in
      "\((row[RuleModel.number] as? NSNumber)?.intValue ?? -1): \(TermValue(row["value"]).words)"
    }
    try require(
      seen, page, .wrongValue,
      "dictionaries with \(term.words)\(isAlone ? " alone" : ""), of type \(type.rawValue)\(isByValue ? ", by it, \(isAscending)" : "")"
    )
  }

  /// A number as a column of floating-point numbers has it.
  private func inColumn(_ value: TermValue, _ type: NSAttributeType) -> TermValue {
    type == .doubleAttributeType ? value.number.map { .real($0) } ?? .null : value
  }

  /// Null is first, or last in the other direction; equal ones by their numbers.
  private func sort(_ items: [NSManagedObject], by term: DrawnTerm, _ isAscending: Bool) -> [NSManagedObject] {
    precondition(Set(items).count == items.count, "each item has one place")
    let values = items.map { term.value(DrawnTerm.Subject(object: $0)) }
    return items.indices.sorted { left, right in
      let (first, second) = (values[left], values[right])
      if first.isSame(as: second) { return left < right }
      let isBefore = first.isNull || !second.isNull && (first.order(second) ?? 0) < 0
      return isBefore == isAscending
    }.map { items[$0] }
  }

  // MARK: Groups

  /// Items with one value of an expression, of which there are more than some; in a block of a context without changes.
  private func computeInGroups(_ term: DrawnTerm, _ context: NSManagedObjectContext) throws {
    let items = try all("Item", context)
    let (group, least) = (described("value", term.expression), draw(3))
    let counted = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: RuleModel.number)])
    let greatest = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "rank")])
    let request = rows([
      group, described("many", counted), described("greatest", greatest), described("kinds", countOfDistinct("rank")),
    ])
    request.propertiesToGroupBy = chance(1, of: 2) ? [group] : ["value"]
    let having = pick(["many > %ld", "$many > %ld", "count:(number) > %ld"]) ?? "many > %ld"
    if least > 0 { request.havingPredicate = NSPredicate(format: having, least) }
    let isAscending = chance(1, of: 2)
    request.sortDescriptors = [NSSortDescriptor(key: "value", ascending: isAscending)]
    var groups: [(words: String, items: [NSManagedObject])] = []
    for item in sort(items, by: term, isAscending) {
      let words = term.value(DrawnTerm.Subject(object: item)).words
      if groups.last?.words == words {
        groups[groups.count - 1].items.append(item)
      } else {
        groups.append((words, [item]))
      }
    }
    let expected = groups.filter { $0.items.count > least }.map { group in
      let ranks = group.items.map { DrawnTerm.Subject(object: $0).value("rank") }
      let kinds = Set(ranks.compactMap(\.number)).count
      return "\(group.words): \(group.items.count), \(TermValue.aggregate("max", ranks).words), \(kinds) kinds"
    }
    let seen = try context.fetch(request).map { row in
      "\(TermValue(row["value"]).words): \(TermValue(row["many"]).words), \(TermValue(row["greatest"]).words), "
        + "\((row["kinds"] as? NSNumber)?.intValue ?? -1) kinds"
    }
    try require(seen, expected, .wrongValue, "groups of more than \(least) by \(term.words), having \(having)")
    try require(try context.count(for: request), expected.count, .wrongValue, "the count of groups by \(term.words)")
  }

  /// How many values of a key differ.
  private func countOfDistinct(_ key: String) -> NSExpression {
    let values = NSExpression(forFunction: "distinct:", arguments: [NSExpression(forKeyPath: key)])
    return NSExpression(forFunction: "count:", arguments: [values])
  }

  /// Statistics over all items, of one drawn key; in a block of a context without changes.
  private func computeTotals(_ context: NSManagedObjectContext) throws {
    let (items, key) = (try all("Item", context), pick(["rank", "weight", "ratio", "level"]) ?? "rank")
    let filter = condition(depth: 1)
    let numbers = items.map { DrawnTerm.Subject(object: $0) }.filter(filter.holds).compactMap { $0.value(key).number }
    let names = ["count", "sum", "min", "max", "median", "mode", "stddev"]
    let request = rows(
      names.map { name in
        described(name, NSExpression(forFunction: name + ":", arguments: [NSExpression(forKeyPath: key)]))
      } + [described("kinds", countOfDistinct(key))])
    request.predicate = filter.predicate
    let row = try context.fetch(request).first
    let seen = (names + ["kinds"]).map { "\($0) \(rounded((row?[$0] as? NSNumber)?.doubleValue))" }
    let sorted = numbers.sorted()
    let counts = Dictionary(numbers.map { ($0, 1) }, uniquingKeysWith: +)
    let most = sorted.filter { counts[$0] == counts.values.max() }.first
    let sum: Double? = numbers.isEmpty ? 0 : numbers.reduce(0, +)
    let expected: [Double?] = [
      Double(numbers.count), sum, sorted.first, sorted.last, Self.median(sorted), most, Self.deviation(numbers),
      Double(counts.count),
    ]
    try require(
      seen, zip(names + ["kinds"], expected).map { "\($0) \(rounded($1))" }, .wrongValue,
      "totals of \(key) where \(filter.words)")
  }

  /// A sum that may be beyond all integers is that of key-value coding; in a block of a context without changes.
  private func computeGreatSum(_ context: NSManagedObjectContext) throws {
    precondition(!context.hasChanges, "a dictionary fetch is about what is saved")
    let isNegative = chance(1, of: 3)
    let ranks = (0..<(2 + draw(3))).map { _ in pick([.max, .max - 1, 1 << 62, (1 << 53) + 1, 7]) ?? 0 }
    let objects = ranks.map { insertPlain(context, rank: isNegative ? -$0 : $0) }
    note("the sum of \(objects.map { RulePicture.text($0.value(forKey: "rank")) })")
    try save(context)
    let sum = described("sum", NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "rank")]))
    let request = rows([sum])
    request.entity = objects[0].entity
    let (seen, exact) = (
      try context.fetch(request).first?["sum"] as? NSNumber, ranks.reduce(Decimal(0)) { $0 + Decimal($1) }
    )
    let expected = (objects as NSArray).value(forKeyPath: "@sum.rank") as? NSNumber
    try require(
      exact > Decimal(Int.max) ? seen.map { "\($0.doubleValue)" } : seen.map { "\($0.int64Value)" },
      exact > Decimal(Int.max) ? expected.map { "\($0.doubleValue)" } : "\(isNegative ? -exact : exact)", .wrongValue,
      "the sum of integers in a dictionary")
  }

  private func rounded(_ number: Double?) -> String { number.map { String(format: "%.8g", $0) } ?? "null" }

  private static func median(_ sorted: [Double]) -> Double? {
    precondition(sorted == sorted.sorted(), "the one in the middle is looked for in order")
    guard !sorted.isEmpty else { return nil }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  private static func deviation(_ numbers: [Double]) -> Double? {
    guard !numbers.isEmpty else { return nil }
    precondition(numbers.allSatisfy(\.isFinite), "numbers that deviate are finite")
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    return (numbers.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(numbers.count)).squareRoot()
  }

  // MARK: Memory alone

  /// Functions of lists, places in them and casts; a fetch by a place in a list is refused; in a block of the context.
  private func computeInMemory(_ context: NSManagedObjectContext) throws {
    let numbers = (0..<(1 + draw(5))).map { _ in pick([-7, 0, 1, 2, 2, 3, 5, 40]) ?? 0 }
    let (list, index) = ("{\(numbers.map { "\($0)" }.joined(separator: ", "))}", draw(numbers.count))
    let doubles = numbers.map(Double.init)
    let counts = Dictionary(numbers.map { ($0, 1) }, uniquingKeysWith: +)
    let modes = counts.filter { $0.value == counts.values.max() }.keys.sorted()
    func value(_ format: String) -> Any? { NSExpression(format: format).expressionValue(with: nil, context: nil) }
    let expected: [(String, Double?)] = [
      ("median(\(list))", Self.median(doubles.sorted())), ("stddev:(\(list))", Self.deviation(doubles)),
      ("\(list)[\(index)]", doubles[index]), ("\(list)[FIRST]", doubles.first), ("\(list)[last]", doubles.last),
      ("\(list)[SIZE]", Double(numbers.count)), ("count(distinct(\(list)))", Double(Set(numbers).count)),
      ("sum(\(list) UNION {1, 9})", Double(Set(numbers + [1, 9]).reduce(0, +))),
      ("count(\(list) MINUS {2})", Double(Set(numbers).subtracting([2]).count)),
      ("count(\(list) INTERSECT {2, 3})", Double(Set(numbers).intersection([2, 3]).count)),
      ("CAST('\(numbers[0])', 'NSNumber') + 1", doubles[0] + 1), ("CAST(\(numbers[0]), 'NSDate')", doubles[0]),
      ("CAST('\(doubles[0])', 'NSDecimalNumber')", doubles[0]), ("randomn:(1)", 0),
    ]
    for (format, number) in expected {
      try require(rounded(TermValue(value(format)).number), rounded(number), .wrongValue, "the value of \(format)")
    }
    let seen = (value("mode(\(list))") as? [NSNumber])?.map(\.intValue)
    try require(seen, modes, .wrongValue, "the value of mode(\(list))")
    try require(value("CAST(\(numbers[0]), 'NSString')") as? String, "\(numbers[0])", .wrongValue, "a number as a text")
    let byPlace = NSPredicate(format: "tags[LAST].weight > %ld", numbers[0])
    for item in try all("Item", context) {
      let subject = DrawnTerm.Subject(object: item)
      guard let last = subject.tags("weight").last else { continue }
      try require(
        byPlace.evaluate(with: item), last.holds(">", .whole(numbers[0])), .wrongValue, "whether \(byPlace) for an item"
      )
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.predicate = byPlace
    let error = AnythingClient.error { _ = try context.fetch(request) }
    try require(error?.code, NSCoreDataError, .wrongValue, "the error of a fetch where \(byPlace)")
  }

  /// Expressions that are made of parts have them, and are those of a format.
  private func requireParts() throws {
    let (left, right) = (numberTerm(depth: 1).expression, numberTerm(depth: 1).expression)
    let predicate = condition(depth: 1).predicate
    let sum = NSExpression(forFunction: "add:to:", arguments: [left, right])
    let union = NSExpression(
      forUnionSet: NSExpression(forAggregate: [left]), with: NSExpression(forAggregate: [right, 5]))
    let choice = NSExpression(forConditional: predicate, trueExpression: left, falseExpression: right)
    let part = NSExpression(
      forSubquery: NSExpression(forKeyPath: "tags"), usingIteratorVariable: "t", predicate: predicate)
    let block = NSExpression(block: { _, values, _ in values.count }, arguments: [left, right])
    for (made, format) in [
      (sum, "add:to:(%@, %@)"), (sum, "%@ + %@"), (union, "{%@} UNION {%@, 5}"),
      (NSExpression(forMinusSet: union.left, with: union.right), "{%@} MINUS {%@, 5}"),
      (NSExpression(forIntersectSet: union.left, with: union.right), "{%@} INTERSECT {%@, 5}"),
      (NSExpression(forFunction: "max:", arguments: [left, right]), "max(%@, %@)"),
    ] {
      let read = NSExpression(format: format, argumentArray: [left, right])
      try require(made, read, .wrongValue, "an expression made of parts, and one of the format \(format)")
      try require(made.hash == read.hash, true, .wrongValue, "whether \(made) and \(read) have one hash")
    }
    let seen: [Bool] = [
      sum.expressionType == .function, sum.function == "add:to:", sum.arguments ?? [] == [left, right],
      union.expressionType == .unionSet, union.left.collection as? [NSExpression] ?? [] == [left],
      choice.expressionType == .conditional, choice.predicate == predicate, choice.true == left, choice.false == right,
      part.expressionType == .subquery, part.variable == "t", part.predicate == predicate,
      (part.collection as? NSExpression)?.keyPath == "tags", block.arguments ?? [] == [left, right],
      block.expressionValue(with: ["tags": []] as [String: Any], context: nil) as? Int == 2,
      block.expressionBlock(nil, [1], nil) as? Int == 1, NSExpression(forConstantValue: 3).constantValue as? Int == 3,
      NSExpression(forVariable: "x").expressionValue(with: nil, context: ["x": 4]) as? Int == 4,
    ]
    try require(seen, seen.map { _ in true }, .wrongValue, "the parts of \(sum), \(union), \(choice), \(part)")
  }

  // MARK: Batch updates

  /// New values from the row as it was before; the others are as they were.
  private func computeInUpdate(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (owner, filter) = (freshContext(coordinator), condition(depth: 1))
    let (rank, weight, name) = (numberTerm(depth: 1), numberTerm(depth: 1 + draw(2)), textTerm(depth: 1 + draw(2)))
    let what =
      "a batch update of rank to \(rank.words), weight to \(weight.words), name to \(name.words) where \(filter.words)"
    note(what)
    func clamped(_ value: TermValue) -> TermValue {
      TermValue.aggregate("max", [.whole(-100), TermValue.aggregate("min", [.whole(100), value])])
    }
    func words(_ values: [TermValue]) -> String { values.map(\.words).joined(separator: ", ") }
    try owner.performAndWait {
      let items = try all("Item", owner)
      let expected = items.map { item in
        let subject = DrawnTerm.Subject(object: item)
        let number = RulePicture.number(item)
        guard filter.holds(subject) else {
          return "\(number): \(words(["rank", "weight", "name"].map { subject.value($0) }))"
        }
        let limited = clamped(rank.value(subject)).applying("trunc")
        return
          "\(number): \(words([limited, weight.value(subject).number.map { .real($0) } ?? .null, name.value(subject)]))"
      }
      let request = NSBatchUpdateRequest(entityName: "Item")
      (request.predicate, request.resultType) = (filter.predicate, .updatedObjectsCountResultType)
      let bounded = NSExpression(format: "max({-100, min({100, \(rank.format)})})", argumentArray: rank.arguments)
      request.propertiesToUpdate = ["rank": bounded, "weight": weight.expression, "name": name.expression]
      let count = (try owner.execute(request) as? NSBatchUpdateResult)?.result as? Int
      let chosen = items.filter { filter.holds(DrawnTerm.Subject(object: $0)) }.count
      try require(count, chosen, .wrongValue, "how many items were changed by \(what)")
      let reader = freshContext(coordinator)
      let seen = try reader.performAndWait {
        try all("Item", reader).map { item in
          let subject = DrawnTerm.Subject(object: item)
          return "\(RulePicture.number(item)): \(words(["rank", "weight", "name"].map { subject.value($0) }))"
        }
      }
      try require(seen, expected, .wrongValue, "items after \(what)")
    }
  }

  /// Each constant of a choice, of any type, becomes the value as if it were given by itself.
  private func chooseInUpdate(_ key: String, _ coordinator: NSPersistentStoreCoordinator) throws {
    let (owner, first, second) = (freshContext(coordinator), condition(depth: 1), condition(depth: 0))
    let values = (0..<3).map { _ in pick(RuleModel.values(key))?.flatMap { $0 } }
    precondition(values.count == 3, "two conditions choose one of three")
    let inner = NSExpression(
      forConditional: second.predicate, trueExpression: NSExpression(forConstantValue: values[1]),
      falseExpression: NSExpression(forConstantValue: values[2]))
    let choice = NSExpression(
      forConditional: first.predicate, trueExpression: NSExpression(forConstantValue: values[0]),
      falseExpression: inner)
    let what = "a batch update of \(key) to \(choice)"
    note(what)
    func texts(_ context: NSManagedObjectContext, _ value: (NSManagedObject) -> Any?) throws -> [String] {
      try all("Item", context).map { "\(RulePicture.number($0)): \(RulePicture.text(value($0)))" }
    }
    let expected = try owner.performAndWait {
      let expected = try texts(owner) { item in
        let subject = DrawnTerm.Subject(object: item)
        return values[first.holds(subject) ? 0 : second.holds(subject) ? 1 : 2]
      }
      let request = NSBatchUpdateRequest(entityName: "Item")
      request.propertiesToUpdate = [key: choice]
      _ = try owner.execute(request)
      return expected
    }
    let reader = freshContext(coordinator)
    let seen = try reader.performAndWait { try texts(reader) { $0.value(forKey: key) } }
    try require(seen, expected, .wrongValue, "items after \(what)")
  }
}
