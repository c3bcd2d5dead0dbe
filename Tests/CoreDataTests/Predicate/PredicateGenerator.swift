import CoreData
import Scheduling

/// Makes random predicates about the things of a ``Warehouse``; each can be said in SQL.
struct PredicateGenerator {
  var random: SeededRandom
  /// Objects for arguments, by entity.
  let objects: [String: [NSManagedObject]]
  private var arguments: [Any?] = []

  init(seed: UInt64, objects: [String: [NSManagedObject]]) {
    random = SeededRandom(seed: seed)
    self.objects = objects
  }

  mutating func predicate() -> (predicate: NSPredicate, format: String) {
    arguments = []
    let format = condition(depth: Int.random(in: 0...2, using: &random))
    let given = arguments.map { ($0.map { "\($0)" } ?? "nil").debugDescription }.joined(separator: ", ")
    return (NSPredicate(format: format, argumentArray: arguments.map { $0 ?? NSNull() }), "\(format) [\(given)]")
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  private mutating func argument(_ value: Any?) -> String {
    arguments.append(value)
    return "%@"
  }

  // MARK: Conditions

  private mutating func condition(depth: Int) -> String {
    if depth > 0 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return "NOT (\(condition(depth: depth - 1)))"
      case 1: return "(\(condition(depth: depth - 1)) AND \(condition(depth: depth - 1)))"
      case 2: return "(\(condition(depth: depth - 1)) OR \(condition(depth: depth - 1)))"
      default: break
      }
    }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: return comparisonOfTexts(text())
    case 2, 3: return comparisonOfNumbers(number())
    case 4: return comparisonWithNil()
    case 5: return membership()
    case 6: return between()
    case 7: return other()
    case 8: return objectComparison()
    case 9, 10: return quantified()
    default: return subquery()
    }
  }

  private mutating func comparisonOfTexts(_ left: String) -> String {
    let op = pick(["==", "!=", "<", "<=", ">", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES"])
    let options = pick(["", "", "[c]", "[d]", "[cd]"])
    let right: String
    switch op {
    case "LIKE": right = argument(pick(["*", "a*", "*b", "a?b", "?", "a\\*b", "*단*", "", "??", "*a*b*", "É*", "x*"]))
    case "MATCHES": right = argument(pick(["[a-c]+", ".", ".*é.*", "a|ab", "(?i)A", "\\D+", "", "É?", "straße"]))
    default: right = Int.random(in: 0..<5, using: &random) == 0 ? text() : argument(pick(Warehouse.texts))
    }
    return "\(left) \(op)\(options) \(right)"
  }

  private mutating func comparisonOfNumbers(_ left: String) -> String {
    let op = pick(["==", "!=", "<", "<=", ">", ">="])
    return "\(left) \(op) \(Int.random(in: 0..<4, using: &random) == 0 ? number() : constantNumber())"
  }

  private mutating func comparisonWithNil() -> String {
    let keys = ["s", "i", "d", "price", "b", "day", "uuid", "url", "data", "box", "box.name", "box.room", "charm"]
    return "\(pick(keys)) \(pick(["==", "!="])) \(pick(["nil", "NULL"]))"
  }

  private mutating func membership() -> String {
    let null = Int.random(in: 0..<4, using: &random) == 0
    func list(_ values: [Any]) -> [Any] { null ? values + [NSNull()] : values }
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      return
        "\(text()) IN\(pick(["", "[c]", "[cd]"])) \(argument(list([pick(Warehouse.texts), pick(Warehouse.texts)])))"
    case 1: return "\(number()) IN \(argument(list([pick(Warehouse.integers), 2.5, pick(Warehouse.reals)])))"
    case 2: return "\(text()) IN {\(argument(pick(Warehouse.texts))), \(text())}"
    case 3: return "box IN \(argument(list(Array(objects["Box"]?.prefix(3) ?? []))))"
    case 4: return "SELF IN \(argument(Set(objects["Thing"]?.prefix(7) ?? [])))"
    case 5: return "uuid IN \(argument(list([pick(Warehouse.uuids), pick(Warehouse.uuids)])))"
    case 6: return "n IN \(argument((0..<Int.random(in: 1...90, using: &random)).map { $0 * 3 }))"
    default: return "\(argument(pick(Warehouse.texts))) IN\(pick(["", "[c]"])) \(text())"
    }
  }

  private mutating func between() -> String {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: "\(number()) BETWEEN {\(constantNumber()), \(number())}"
    case 1:
      "\(text()) BETWEEN\(pick(["", "[c]"])) {\(argument(pick(Warehouse.texts))), \(argument(pick(Warehouse.texts)))}"
    default: "day BETWEEN {\(argument(Date(timeIntervalSinceReferenceDate: 0))), \(argument(day()))}"
    }
  }

  /// Of attributes of the other types.
  private mutating func other() -> String {
    switch Int.random(in: 0..<7, using: &random) {
    case 0: "b \(pick(["==", "!="])) \(pick(["YES", "NO", "TRUE", "0", "1"]))"
    case 1: "day \(pick(["==", "<", ">=", "!="])) \(argument(day()))"
    case 2: "uuid \(pick(["==", "!="])) \(argument(pick(Warehouse.uuids)))"
    case 3: "url \(pick(["==", "BEGINSWITH", "CONTAINS[c]"])) \(argument(pick(Warehouse.urls)))"
    case 4: "data \(pick(["==", "!=", "<"])) \(argument(pick(Warehouse.datas)))"
    case 5: "entity.name \(pick(["==", "BEGINSWITH"])) \(argument(pick(["BigThing", "Thing", "S"])))"
    default: "(day \(pick(["+", "-"])) \(pick(["60", "0.5"]))) > \(argument(day()))"
    }
  }

  private mutating func day() -> Date { Date(timeIntervalSinceReferenceDate: pick(Warehouse.days)) }

  private mutating func objectComparison() -> String {
    let (key, entity) = pick([("box", "Box"), ("SELF", "Thing"), ("box.room", "Room"), ("objectID", "Thing")])
    let object = objects[entity].flatMap { $0.isEmpty ? nil : pick($0) }
    return Bool.random(using: &random)
      ? "\(key) \(pick(["==", "!="])) \(argument(object))" : "\(argument(object?.objectID)) == \(key)"
  }

  // MARK: Collections

  private mutating func quantified() -> String {
    let word = pick(["ANY", "ALL", "NONE", "SOME"])
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      return "\(word) \(comparisonOfTexts(pick(["parts.name", "tags.name", "steps.name", "stamps.name", "friends.s"])))"
    case 2:
      return
        "\(word) \(comparisonOfTexts(pick(["tags.things.s", "friends.friends.t", "friends.box.name", "box.things.s"])))"
    case 3:
      return
        "\(word) \(comparisonOfNumbers(pick(["parts.weight", "parts.count", "tags.rank", "friends.i", "friends.box.depth"])))"
    case 4: return "\(word) \(pick(["parts.name", "tags.name"])) == nil"
    case 5: return "\(argument(objects["Tag"].flatMap { $0.isEmpty ? nil : pick($0) })) IN tags"
    case 6: return "friends CONTAINS \(argument(objects["Thing"].flatMap { $0.isEmpty ? nil : pick($0) }))"
    case 7:
      return
        "\(Bool.random(using: &random) ? text() : argument(pick(Warehouse.texts))) IN\(pick(["", "[c]"])) \(pick(["tags.name", "friends.t"]))"
    case 8: return "\(word) tags IN \(argument(Array(objects["Tag"]?.prefix(2) ?? [])))"
    default: return "\(word) \(pick(["parts.weight", "tags.rank"])) BETWEEN {\(constantNumber()), \(number())}"
    }
  }

  private mutating func subquery() -> String {
    let (collection, key, rank) = pick([
      ("parts", "name", "weight"), ("tags", "name", "rank"), ("friends", "s", "i"), ("tags.things", "t", "j"),
      ("box.things", "s", "box.depth"),
    ])
    // Arguments are counted as they are written, so that only used ones are made.
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let condition = comparisonOfTexts("$x.\(key)")
      let rest = "\(pick(["AND", "OR"])) \(comparisonOfNumbers("$x.\(rank)"))"
      return
        "SUBQUERY(\(collection), $x, \(condition) \(rest)).@count \(pick(["==", ">", "<="])) \(pick(["0", "1", "2"]))"
    case 1:
      let condition = comparisonOfTexts("$x.\(key)")
      return "ANY SUBQUERY(\(collection), $x, NOT \(condition)).\(rank) > \(constantNumber())"
    case 2:
      return
        "SUBQUERY(\(collection), $x, \(collection == "friends" ? "$x == SELF OR " : "") \(comparisonOfNumbers("$x.\(rank)"))).@count == 1"
    default: return "SUBQUERY(friends, $x, SUBQUERY($x.tags, $y, $y.rank > $x.i).@count > 0).@count > 0"
    }
  }

  // MARK: Expressions

  private mutating func text() -> String {
    let keys = ["s", "s", "t", "box.name", "box.room.name", "charm"]
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return "uppercase(\(pick(keys)))"
    case 1: return "lowercase(\(pick(keys)))"
    case 2: return "TERNARY(\(comparisonOfNumbers(pick(["i", "d"]))), \(pick(keys)), \(pick(keys)))"
    case 3: return "canonical(\(pick(keys)))"
    default: return pick(keys)
    }
  }

  private mutating func number() -> String {
    let keys = ["i", "i", "j", "d", "f", "price", "b", "day", "box.depth", "size", "n"]
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return "(\(pick(keys)) \(pick(["+", "-", "*", "/"])) \(pick(keys)))"
    case 1: return "(\(pick(keys)) \(pick(["+", "-", "*", "/"])) \(constantNumber()))"
    case 2: return "\(pick(["abs", "floor", "ceiling", "trunc", "sqrt", "ln", "log", "exp"]))(\(pick(keys)))"
    case 3: return "modulus:by:(\(pick(keys)), \(pick(["2", "3", "0", "-1", "0.5"])))"
    case 4: return "\(pick(["parts", "tags", "friends", "steps", "stamps", "tags.things", "box.things"])).@count"
    case 5: return "parts.@\(pick(["sum", "avg", "min", "max"])).\(pick(["weight", "count", "cost"]))"
    case 6: return "tags.@\(pick(["sum", "avg", "min", "max"])).rank"
    case 7: return "friends.friends.@\(pick(["sum", "max"])).\(pick(["i", "d", "box.depth"]))"
    case 8: return "\(pick(["s", "charm", "box.name"])).length"
    case 9: return "\(pick(["max", "min", "sum", "average"]))({\(pick(keys)), \(pick(keys)), 2})"
    case 10: return "bitwiseAnd:with:(\(pick(["i", "n", "size"])), \(pick(["1", "6", "-1"])))"
    case 11: return "TERNARY(\(comparisonOfTexts(pick(["s", "t"]))), \(pick(keys)), 1)"
    default: return pick(keys)
    }
  }

  private mutating func constantNumber() -> String {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: argument(pick(Warehouse.integers))
    case 1: argument(pick(Warehouse.reals))
    case 2: argument(Decimal(string: pick(Warehouse.decimals)))
    default: pick(["0", "1", "2", "3", "0.5", "-7"])
    }
  }
}
