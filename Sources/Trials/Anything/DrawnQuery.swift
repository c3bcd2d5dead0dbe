import CoreData
import Scheduling

/// A condition on objects, as a predicate and as a question to a graph.
indirect enum DrawnQuery: Sendable {
  enum Relation: String, CaseIterable, Sendable {
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case greater = ">"
    case lessOrEqual = "<="

    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
      switch self {
      case .equal: left == right
      case .unequal: left != right
      case .less: left < right
      case .greater: left > right
      case .lessOrEqual: left <= right
      }
    }
  }

  enum TextRelation: String, CaseIterable, Sendable {
    case equal = "=="
    case begins = "BEGINSWITH"
    case beginsInAnyCase = "BEGINSWITH[c]"
    case contains = "CONTAINS"
    case ends = "ENDSWITH"

    func holds(_ text: String, _ part: String) -> Bool {
      switch self {
      case .equal: text == part
      case .begins: text.hasPrefix(part)
      case .beginsInAnyCase: text.lowercased().hasPrefix(part.lowercased())
      case .contains: text.contains(part)
      case .ends: text.hasSuffix(part)
      }
    }
  }

  case number(String, Relation, Int)
  case text(String, TextRelation, String)
  case isNull(String)
  case isIn(String, [Int])
  /// A to-one relationship leads to an object for which the condition holds.
  case one(String, DrawnQuery)
  /// One member at least meets the condition.
  case any(String, DrawnQuery)
  case count(String, Relation, Int)
  case leads(String, to: Int)
  case not(DrawnQuery)
  case both(DrawnQuery, DrawnQuery)
  case either(DrawnQuery, DrawnQuery)

  // MARK: As a question

  func holds(for name: Int, in graph: ObjectGraph) -> Bool {
    guard let node = graph.nodes[name] else { return false }
    switch self {
    case .number(let attribute, let relation, let value):
      guard let number = node.values[attribute].flatMap({ Int($0) }) else { return relation == .unequal }
      return relation.holds(number, value)
    case .text(let attribute, let relation, let part):
      return node.values[attribute].map { relation.holds($0, part) } ?? false
    case .isNull(let property): return node.values[property] == nil && node.ones[property] == nil
    case .isIn(let attribute, let values):
      return node.values[attribute].flatMap { Int($0) }.map(values.contains) ?? false
    case .one(let relationship, let query):
      return node.ones[relationship].map { query.holds(for: $0, in: graph) } ?? false
    case .any(let relationship, let query):
      return node.members(relationship).contains { query.holds(for: $0, in: graph) }
    case .count(let relationship, let relation, let value):
      return relation.holds(node.members(relationship).count, value)
    case .leads(let relationship, let target):
      return node.ones[relationship] == target || node.members(relationship).contains(target)
    case .not(let query): return !query.holds(for: name, in: graph)
    case .both(let left, let right): return left.holds(for: name, in: graph) && right.holds(for: name, in: graph)
    case .either(let left, let right): return left.holds(for: name, in: graph) || right.holds(for: name, in: graph)
    }
  }

  // MARK: As a predicate

  /// - Parameter object: gives the object of a number.
  func predicate(_ model: DrawnModel, path: String = "", _ object: (Int) throws -> NSManagedObject?) rethrows
    -> NSPredicate
  {
    precondition(path.isEmpty || path.hasSuffix("."), "a path ends where a key follows")
    switch self {
    case .number(let attribute, let relation, let value):
      return NSPredicate(format: "\(path)\(attribute) \(relation.rawValue) %ld", value)
    case .text(let attribute, let relation, let part):
      return NSPredicate(format: "\(path)\(attribute) \(relation.rawValue) %@", part)
    case .isNull(let property): return NSPredicate(format: "\(path)\(property) == nil")
    case .isIn(let attribute, let values):
      return NSPredicate(format: "\(path)\(attribute) IN %@", values.map { NSNumber(value: $0) })
    case .one(let relationship, let query): return try query.predicate(model, path: "\(path)\(relationship).", object)
    case .any(let relationship, let query):
      return try query.predicate(model, path: "ANY \(path)\(relationship).", object)
    case .count(let relationship, let relation, let value):
      return NSPredicate(format: "\(path)\(relationship).@count \(relation.rawValue) %ld", value)
    case .leads(let relationship, let target):
      guard let target = try object(target) else { return NSPredicate(value: false) }
      return model.relationship(relationship).isToMany
        ? NSPredicate(format: "%@ IN \(path)\(relationship)", target)
        : NSPredicate(format: "\(path)\(relationship) == %@", target)
    case .not(let query): return NSCompoundPredicate(notPredicateWithSubpredicate: try query.predicate(model, object))
    case .both(let left, let right):
      return NSCompoundPredicate(
        andPredicateWithSubpredicates: [try left.predicate(model, object), try right.predicate(model, object)])
    case .either(let left, let right):
      return NSCompoundPredicate(
        orPredicateWithSubpredicates: [try left.predicate(model, object), try right.predicate(model, object)])
    }
  }

  // MARK: Drawing

  /// Draws a condition on objects of an entity.
  static func drawn(
    _ entity: String, _ graph: ObjectGraph, _ random: inout SeededRandom, depth: Int = 2
  ) -> DrawnQuery {
    precondition(depth >= 0, "conditions are combined to a depth")
    func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    if depth > 0, draw(10) < 5 {
      let left = drawn(entity, graph, &random, depth: depth - 1)
      let right = drawn(entity, graph, &random, depth: depth - 1)
      return [.not(left), .both(left, right), .either(left, right)][draw(3)]
    }
    let relationships = graph.model.entity(entity).relationships
    guard draw(10) < 5, let relationship = relationships.randomElement(using: &random) else {
      return attribute(of: entity, graph.model, &random)
    }
    let property = graph.model.relationship(relationship)
    if draw(3) == 0, let target = graph.names(of: property.destination).randomElement(using: &random) {
      return .leads(relationship, to: target)
    }
    if property.isToMany {
      if draw(2) == 0 { return .count(relationship, Relation.allCases[draw(Relation.allCases.count)], draw(4)) }
      return .any(relationship, comparison(of: property.destination, graph.model, &random))
    }
    return draw(3) == 0
      ? .isNull(relationship) : .one(relationship, comparison(of: property.destination, graph.model, &random))
  }

  private static func attribute(of entity: String, _ model: DrawnModel, _ random: inout SeededRandom) -> DrawnQuery {
    guard Int.random(in: 0..<4, using: &random) == 0 else {
      let size = sizes(of: entity, model).randomElement(using: &random) ?? DrawnModel.number
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return .isIn(size, (0..<3).map { _ in number(&random) })
      case 1: return .number(size, .unequal, number(&random))
      default: return comparison(of: entity, model, &random)
      }
    }
    return .isNull(model.entity(entity).attributes.randomElement(using: &random) ?? DrawnModel.number)
  }

  /// A comparison that null never meets.
  private static func comparison(of entity: String, _ model: DrawnModel, _ random: inout SeededRandom) -> DrawnQuery {
    if Bool.random(using: &random), let size = sizes(of: entity, model).randomElement(using: &random) {
      let relations = Relation.allCases.filter { $0 != .unequal }
      return .number(size, relations.randomElement(using: &random) ?? .equal, number(&random))
    }
    let texts = model.entity(entity).attributes.filter { $0.hasSuffix("Text") }
    precondition(!texts.isEmpty, "each entity has a text")
    return .text(
      texts.randomElement(using: &random) ?? "", TextRelation.allCases.randomElement(using: &random) ?? .equal,
      ["alpha", "Alpha", "alp", "a", "ta", "äpfel", "z%", "na"].randomElement(using: &random) ?? "a")
  }

  private static func sizes(of entity: String, _ model: DrawnModel) -> [String] {
    model.entity(entity).attributes.filter { $0.hasSuffix("Size") }
  }

  private static func number(_ random: inout SeededRandom) -> Int {
    [0, 1, -1, 7, 100, 2].randomElement(using: &random) ?? 0
  }
}
