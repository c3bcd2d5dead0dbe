import Checking
import CoreData

// S7.2, S7.3: drawn predicates have one answer by hand, in SQL, in memory, and of dictionaries with the same values; beside unsaved
// changes; negated, copied, printed and read again, with variables in the place of constants, and with arguments as C passes them.

extension RuleTrial {
  func predicates() throws {
    let coordinator = try open()
    let owner = context(coordinator)
    try owner.performAndWait {
      populateHard(owner, items: 5 + draw(5))
      try save(owner)
    }
    let root = freshContext(coordinator)
    let reader = chance(1, of: 4) ? context(in: root) : root
    for isDirty in [false, true] {
      try reader.performAndWait {
        if isDirty {
          for _ in 0..<(1 + draw(4)) { try changeSomething(reader) }
          reader.processPendingChanges()
        }
        for _ in 0..<(isDirty ? 8 : 16) { try ask(condition(depth: draw(3)), reader) }
        try askWithVariables(reader)
        try askAsCDoes(reader)
        try askByFetch(reader)
        try askInMemory(reader)
      }
    }
    for _ in 0..<4 { try compareSets() }
  }

  /// Predicates of equal sets are equal, in whatever order the sets list their elements.
  private func compareSets() throws {
    let numbers = (0..<(4 + draw(8))).map { $0 * 10 + draw(10) }
    // A set of another capacity has another order.
    var (one, other) = (Set<AnyHashable>(), Set<AnyHashable>(minimumCapacity: 300 + draw(900)))
    for number in numbers {
      let element: AnyHashable = draw(4) == 0 ? "word \(number)" : number
      one.insert(element)
      other.insert(element)
    }
    precondition(one == other && one.count == numbers.count, "both sets have every element")
    let format = pick(["rank IN %@", "NOT (name IN %@)", "ANY tags.weight IN %@"]) ?? "rank IN %@"
    try requireEqual(
      NSPredicate(format: format, argumentArray: [other]), NSPredicate(format: format, argumentArray: [one]),
      "of an equal set")
  }

  /// Items with texts that are hard to compare, and tags with remarks; in a block of the context.
  func populateHard(_ context: NSManagedObjectContext, items count: Int) {
    precondition(count > 0, "there are items to be chosen")
    populate(context, items: count)
    context.processPendingChanges()
    for object in context.insertedObjects.sorted(by: { RulePicture.number($0) < RulePicture.number($1) }) {
      let key = object.entity.name == "Box" ? "title" : object.entity.name == "Tag" ? "remark" : "name"
      guard chance(2, of: 3), let text = pick(Self.hardTexts) else { continue }
      object.setValue(text, forKey: key)
      note("\(key) of \(RulePicture.number(object)) = \(RulePicture.text(text))")
      guard key == "name" else { continue }
      for key in ["rank", "level", "weight", "ratio", "place"] where chance(1, of: 2) { set(key, of: object) }
    }
  }

  private func request(_ predicate: NSPredicate?) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    request.predicate = predicate
    return request
  }

  private func found(_ predicate: NSPredicate, _ context: NSManagedObjectContext) throws -> [Int] {
    try context.fetch(request(predicate)).map(RulePicture.number).sorted()
  }

  // MARK: One predicate in every way

  /// In a block of the context.
  private func ask(_ condition: DrawnCondition, _ context: NSManagedObjectContext) throws {
    let (items, predicate) = (try all("Item", context), condition.predicate)
    let expected = items.filter { condition.holds(DrawnTerm.Subject(object: $0)) }.map(RulePicture.number)
    let what = "\(condition.words), in \(context.name ?? "")"
    note("items where \(what)")
    try require(try found(predicate, context), expected, .wrongValue, "items that are fetched where \(what)")
    try require(
      try context.count(for: request(predicate)), expected.count, .wrongValue, "the count of items where \(what)")
    let evaluated = items.filter { predicate.evaluate(with: $0) }.map(RulePicture.number)
    try require(evaluated, expected, .wrongValue, "items for which it is true that \(what)")
    let plain = items.filter { predicate.evaluate(with: Self.dictionary($0)) }.map(RulePicture.number)
    try require(plain, expected, .wrongValue, "dictionaries for which it is true that \(what)")
    let rest = items.map(RulePicture.number).filter { !expected.contains($0) }
    let negated = NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
    try require(try found(negated, context), rest, .wrongValue, "items that are fetched where not \(what)")
    let read = NSPredicate(format: "\(predicate)", argumentArray: [])
    try requireEqual(read, predicate, "printed and read again")
    try require(try found(read, context), expected, .wrongValue, "items where, printed and read again, \(what)")
    guard let copy = predicate.copy() as? NSPredicate else { return }
    try requireEqual(copy, predicate, "copied")
  }

  private func requireEqual(_ other: NSPredicate, _ predicate: NSPredicate, _ how: String) throws {
    precondition(!how.isEmpty, "what is compared is described")
    try require(other == predicate, true, .wrongValue, "whether \(predicate), \(how), is equal: it is \(other)")
    try require(other.hash == predicate.hash, true, .wrongValue, "whether \(predicate), \(how), has the same hash")
    try require("\(other)", "\(predicate)", .wrongValue, "the format of a predicate that is \(how)")
  }

  /// The values of an item, of its box and of its tags, without the stack's objects.
  static func dictionary(_ object: NSManagedObject, isWhole: Bool = true) -> [String: Any] {
    var values: [String: Any] = [:]
    for name in object.entity.attributesByName.keys { values[name] = object.value(forKey: name) }
    guard isWhole else { return values }
    values["box"] = (object.value(forKey: "box") as? NSManagedObject).map { dictionary($0, isWhole: false) }
    values["tags"] = DrawnTerm.Subject(object: object).members.map { dictionary($0, isWhole: false) }
    return values
  }

  // MARK: Variables and arguments

  /// Values in the place of variables give the predicate with the values; in a block of the context.
  private func askWithVariables(_ context: NSManagedObjectContext) throws {
    let (number, text) = (pick([-7, 0, 1, 2, 3]) ?? 0, pick(Self.hardTexts) ?? "")
    let template = NSPredicate(
      format: "($N < rank AND name != $T) OR SUBQUERY(tags, $t, $t.weight > $N AND $t.remark != $T).@count > $N + 1 "
        + "OR TERNARY(level > $N, $N, weight) == $N")
    let variables: [String: Any] = ["N": number, "T": text, "unused": 7]
    let filled = template.withSubstitutionVariables(variables)
    let direct = NSPredicate(
      format: "(%d < rank AND name != %@) OR SUBQUERY(tags, $t, $t.weight > %d AND $t.remark != %@).@count > %d + 1 "
        + "OR TERNARY(level > %d, %d, weight) == %d",
      argumentArray: [number, text, number, text, number, number, number, number])
    try requireEqual(filled, direct, "filled with variables")
    let items = try all("Item", context)
    let expected = items.filter { item in
      let subject = DrawnTerm.Subject(object: item)
      let least = TermValue.whole(number)
      let tags = subject.members.filter {
        TermValue($0.value(forKey: "weight")).holds(">", least)
          && TermValue($0.value(forKey: "remark")).holds("!=", .text(text))
      }
      return least.holds("<", subject.value("rank")) && subject.value("name").holds("!=", .text(text))
        || tags.count > number + 1
        || (subject.value("level").holds(">", least) ? least : subject.value("weight")).isSame(as: least)
    }.map(RulePicture.number)
    let what = "\(template) with \(number) and \(RulePicture.text(text))"
    try require(try found(filled, context), expected, .wrongValue, "items that are fetched where \(what)")
    let evaluated = items.filter { template.evaluate(with: $0, substitutionVariables: variables) }
    try require(evaluated.map(RulePicture.number), expected, .wrongValue, "items for which it is true that \(what)")
    let error = AnythingClient.error { _ = try context.fetch(request(template)) }
    try require(error?.code, NSCoreDataError, .wrongValue, "the error of a fetch by variables without values")
  }

  /// Arguments as C passes them, in their order and by number; in a block of the context.
  private func askAsCDoes(_ context: NSManagedObjectContext) throws {
    let (number, text) = (pick([-7, 0, 1, 2]) ?? 0, pick(Self.hardTexts) ?? "")
    let real: Double = pick([0.5, -1.5, 2]) ?? 0
    let (letter, code) = (
      pick(["rank", "level"]) ?? "rank", UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6))
    )
    let arguments: [any CVarArg] = [letter, number, real, text, code]
    let predicate = withVaList(arguments) {
      NSPredicate(format: "%K > %ld AND (ratio != %f OR name == %@) AND code != %@", arguments: $0)
    }
    let numbered = withVaList(arguments) {
      NSPredicate(format: "%1$K > %2$ld AND (ratio != %3$f OR name == %4$@) AND code != %5$@", arguments: $0)
    }
    let given = NSPredicate(
      format: "%K > %ld AND (ratio != %f OR name == %@) AND code != %@",
      argumentArray: [letter, number, real, text, code])
    try requireEqual(predicate, given, "made of C's arguments")
    try requireEqual(numbered, given, "made of numbered arguments")
    for text in Self.hardTexts {
      let predicate = NSPredicate(format: "name == %@", argumentArray: [text])
      try requireEqual(NSPredicate(format: "\(predicate)", argumentArray: []), predicate, "printed and read again")
    }
    let expected = try all("Item", context).filter { item in
      let subject = DrawnTerm.Subject(object: item)
      return subject.value(letter).holds(">", .whole(number))
        && (!subject.value("ratio").isSame(as: .real(real)) || subject.value("name").isSame(as: .text(text)))
        && item.value(forKey: "code") as? UUID != code
    }.map(RulePicture.number)
    try require(try found(predicate, context), expected, .wrongValue, "items that are fetched where \(predicate)")
    let expression = withVaList([letter, number]) { NSExpression(format: "%K + %ld", arguments: $0) }
    try require(
      expression, NSExpression(format: "\(letter) + (\(number))"), .wrongValue, "an expression of C's arguments")
  }

  // MARK: Others

  /// A fetch in a predicate gives its objects, or how many there are; in a block of the context.
  private func askByFetch(_ context: NSManagedObjectContext) throws {
    let (inner, items) = (condition(depth: 1), try all("Item", context))
    let chosen = items.filter { inner.holds(DrawnTerm.Subject(object: $0)) }
    func expression(_ counts: Bool) -> NSExpression {
      NSFetchRequestExpression.expression(
        forFetch: NSExpression(forConstantValue: request(inner.predicate)),
        context: NSExpression(forConstantValue: context), countOnly: counts)
    }
    let more = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "rank"), rightExpression: expression(true), modifier: .direct,
      type: .lessThan)
    let some = NSComparisonPredicate(
      leftExpression: NSExpression.expressionForEvaluatedObject(), rightExpression: expression(false),
      modifier: .direct, type: .in)
    let fewer = items.filter { DrawnTerm.Subject(object: $0).value("rank").holds("<", .whole(chosen.count)) }
    let what = "a fetch where \(inner.words), in \(context.name ?? "")"
    try require(try found(more, context), fewer.map(RulePicture.number), .wrongValue, "items by the count of \(what)")
    try require(try found(some, context), chosen.map(RulePicture.number), .wrongValue, "items by \(what)")
  }

  /// Sets and blocks are evaluated in memory, over what the rest of the predicate selects; in a block of the context.
  private func askInMemory(_ context: NSManagedObjectContext) throws {
    let (rest, items) = (condition(depth: 1), try all("Item", context))
    let terms = (0..<4).map { _ in numberTerm(depth: draw(2)) }
    let (word, isElement) = (pick(["UNION", "INTERSECT", "MINUS"]) ?? "UNION", chance(1, of: 2))
    let set = "({\(terms[1].format), \(terms[2].format)} \(word) {\(terms[3].format)})"
    let arguments = terms.dropFirst().flatMap(\.arguments)
    let format =
      isElement
      ? "(\(rest.format)) AND \(terms[0].format) IN \(set)" : "(\(rest.format)) AND \(set) CONTAINS \(terms[0].format)"
    let condition = DrawnCondition(
      format, rest.arguments + (isElement ? terms[0].arguments + arguments : arguments + terms[0].arguments)
    ) { subject in
      let values = terms.map { $0.value(subject) }
      let isLeft = values[0].isSame(as: values[1]) || values[0].isSame(as: values[2])
      let isRight = values[0].isSame(as: values[3])
      let isThere = word == "UNION" ? isLeft || isRight : word == "MINUS" ? isLeft && !isRight : isLeft && isRight
      return rest.holds(subject) && isThere
    }
    try ask(condition, context)
    let block = NSCompoundPredicate(andPredicateWithSubpredicates: [
      rest.predicate,
      NSPredicate { object, _ in (object as? NSManagedObject).map(RulePicture.number)?.isMultiple(of: 2) ?? false },
    ])
    let even = items.filter { rest.holds(DrawnTerm.Subject(object: $0)) && RulePicture.number($0).isMultiple(of: 2) }
    try require(
      try found(block, context), even.map(RulePicture.number), .wrongValue, "even items where \(rest.words)")
  }
}
