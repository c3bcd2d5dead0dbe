import RowStore

/// A predicate of comparisons that entities can be asked for, before it is known which entity it is about.
indirect enum PredicateNode: Sendable {
  case constant(Bool)
  case and([PredicateNode])
  case or([PredicateNode])
  case not(PredicateNode)
  case comparison(left: PredicateOperand, Comparison, right: PredicateOperand)

  /// - Throws: for predicates with blocks and for expressions that have no node.
  init(_ predicate: NSPredicate) throws(PredicateFailure) {
    switch predicate {
    case let comparison as NSComparisonPredicate:
      guard comparison.comparisonPredicateModifier == .direct else {
        let word = comparison.comparisonPredicateModifier == .all ? "ALL" : "ANY"
        throw PredicateFailure(position: nil, message: "\(word) over to-many relationships is not supported")
      }
      self = .comparison(
        left: try PredicateOperand(comparison.leftExpression), try Comparison(comparison),
        right: try PredicateOperand(comparison.rightExpression))
    case let compound as NSCompoundPredicate:
      var nodes: [PredicateNode] = []
      for part in compound.subpredicates { nodes.append(try PredicateNode(part)) }
      switch compound.compoundPredicateType {
      case .and: self = .and(nodes)
      case .or: self = .or(nodes)
      case .not: self = nodes.first.map { .not($0) } ?? .constant(true)
      }
    default:
      guard let value = predicate.constantPredicateValue else {
        throw PredicateFailure(position: nil, message: "a predicate with a block has no parts")
      }
      self = .constant(value)
    }
  }
}

/// One side of a comparison.
enum PredicateOperand: Sendable {
  case keyPath([String])
  case value(PredicateValue)
  /// The object itself.
  case itself

  init(_ expression: NSExpression) throws(PredicateFailure) {
    switch expression.form {
    case .itself: self = .itself
    case .keyPath(let path):
      let keys = path.split(separator: ".").map(String.init)
      if let key = keys.first(where: { $0.hasPrefix("@") }) {
        throw PredicateFailure(position: nil, message: "the collection operator \(key) is not supported")
      }
      self = .keyPath(keys)
    default:
      guard let constant = expression.form.constantValue else {
        throw PredicateFailure(position: nil, message: "the expression \(expression) is not supported")
      }
      guard let value = PredicateValue(constant.value) else {
        throw PredicateFailure(
          position: nil,
          message: "\(constant.value.map { "\(type(of: $0))" } ?? "nil") was given, which cannot be compared")
      }
      self = .value(value)
    }
  }
}

/// A constant of a predicate.
enum PredicateValue: Hashable, @unchecked Sendable {
  // Sendable: values and IDs only; nothing in them changes.
  case slot(Slot)
  case object(NSManagedObjectID)
  case list([PredicateValue])

  /// The value of a `%@` argument; nil for a type that no predicate compares.
  init?(_ argument: Any?) {
    // Subclasses of Foundation's collections are asked themselves: their casts to Swift's have nothing in them.
    if let argument, type(of: argument) is AnyClass, let elements = Self.elements(argument as AnyObject) {
      self.init(list: elements)
      return
    }
    if let slot = Slot(untyped: argument) {
      self = .slot(slot)
      return
    }
    switch argument {
    case let value as NSManagedObject: self = .object(value.objectID)
    case let value as NSManagedObjectID: self = .object(value)
    case let values as [Any?]: self.init(list: values)
    case let values as Set<AnyHashable>: self.init(list: values.map(\.base))
    default: return nil
    }
  }

  /// The elements of a collection of Foundation's.
  private static func elements(_ collection: AnyObject) -> [Any?]? {
    switch collection {
    case let set as NSSet: set.allObjects
    case let array as NSArray: (0..<array.count).map { array.object(at: $0) }
    case let set as NSOrderedSet: (0..<set.count).map { set.object(at: $0) }
    default: nil
    }
  }

  private init?(list: [Any?]) {
    var values: [PredicateValue] = []
    for element in list {
      guard let value = PredicateValue(element) else { return nil }
      values.append(value)
    }
    self = .list(values)
  }
}

/// How two sides are compared.
struct Comparison: Sendable {
  enum Operator: Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case isIn, between
    case contains, beginsWith, endsWith, like, matches
  }

  let op: Operator
  /// `[c]`
  var ignoresCase = false
  /// `[d]`
  var ignoresDiacritics = false

  /// - Throws: for comparisons that are not there.
  init(_ comparison: NSComparisonPredicate) throws(PredicateFailure) {
    switch comparison.predicateOperatorType {
    case .lessThan: op = .less
    case .lessThanOrEqualTo: op = .lessOrEqual
    case .greaterThan: op = .greater
    case .greaterThanOrEqualTo: op = .greaterOrEqual
    case .equalTo: op = .equal
    case .notEqualTo: op = .notEqual
    case .matches: op = .matches
    case .like: op = .like
    case .beginsWith: op = .beginsWith
    case .endsWith: op = .endsWith
    case .in: op = .isIn
    case .contains: op = .contains
    case .between: op = .between
    case .customSelector: throw PredicateFailure(position: nil, message: "custom selectors are not supported")
    }
    ignoresCase = comparison.options.contains(.caseInsensitive)
    ignoresDiacritics = comparison.options.contains(.diacriticInsensitive)
  }

  init(op: Operator, ignoresCase: Bool = false, ignoresDiacritics: Bool = false) {
    self.op = op
    self.ignoresCase = ignoresCase
    self.ignoresDiacritics = ignoresDiacritics
  }

  /// The same comparison with the sides exchanged; nil where that is no operator.
  var flipped: Comparison? {
    let op: Operator
    switch self.op {
    case .equal: op = .equal
    case .notEqual: op = .notEqual
    case .less: op = .greater
    case .lessOrEqual: op = .greaterOrEqual
    case .greater: op = .less
    case .greaterOrEqual: op = .lessOrEqual
    case .isIn, .between, .contains, .beginsWith, .endsWith, .like, .matches: return nil
    }
    return Comparison(op: op, ignoresCase: ignoresCase, ignoresDiacritics: ignoresDiacritics)
  }
}
