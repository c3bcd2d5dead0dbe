/// The words of the format language.
enum PredicateWords {
  static let stringOperators: [String: NSComparisonPredicate.Operator] = [
    "CONTAINS": .contains, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "LIKE": .like, "MATCHES": .matches,
    "IN": .in, "BETWEEN": .between,
  ]
  static let symbolOperators: [String: NSComparisonPredicate.Operator] = [
    "==": .equalTo, "=": .equalTo, "!=": .notEqualTo, "<>": .notEqualTo, "<": .lessThan, "<=": .lessThanOrEqualTo,
    "=<": .lessThanOrEqualTo, ">": .greaterThan, ">=": .greaterThanOrEqualTo, "=>": .greaterThanOrEqualTo,
  ]
  static let setOperators: [String: NSExpression.ExpressionType] = [
    "UNION": .unionSet, "INTERSECT": .intersectSet, "MINUS": .minusSet,
  ]
  /// Functions between their two arguments.
  static let binaryFunctions: [String: String] = [
    "|": "bitwiseOr:with:", "^": "bitwiseXor:with:", "&": "bitwiseAnd:with:", "<<": "leftshift:by:",
    ">>": "rightshift:by:", "+": "add:to:", "-": "from:subtract:", "*": "multiply:by:", "/": "divide:by:",
    "**": "raise:toPower:",
  ]
  static let binarySymbols = Dictionary(uniqueKeysWithValues: binaryFunctions.map { ($1, $0) })

  /// How tightly an operator binds; all bind to the left but `**`.
  static func precedence(_ symbol: String) -> Int? {
    switch symbol {
    case "UNION", "INTERSECT", "MINUS": 1
    case "|": 2
    case "^": 3
    case "&": 4
    case "<<", ">>": 5
    case "+", "-": 6
    case "*", "/": 7
    case "**": 8
    default: nil
    }
  }

  static func text(of type: NSComparisonPredicate.Operator) -> String {
    switch type {
    case .lessThan: "<"
    case .lessThanOrEqualTo: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqualTo: ">="
    case .equalTo: "=="
    case .notEqualTo: "!="
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .in: "IN"
    case .customSelector: "CUSTOM"
    case .contains: "CONTAINS"
    case .between: "BETWEEN"
    }
  }

  /// Words that are keys only with `#` before them.
  static let reserved = Set([
    "AND", "OR", "NOT", "ANY", "ALL", "NONE", "SOME", "SELF", "NIL", "NULL", "TRUE", "YES", "FALSE", "NO",
    "TRUEPREDICATE", "FALSEPREDICATE",
  ]).union(stringOperators.keys).union(setOperators.keys)
}
