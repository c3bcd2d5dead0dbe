/// Writes predicates and expressions in the format language, so that reading them gives the same tree.
enum PredicateText {
  static func text(of predicate: NSPredicate) -> String {
    switch predicate {
    case let comparison as NSComparisonPredicate: return text(of: comparison)
    case let compound as NSCompoundPredicate: return text(of: compound)
    default:
      if let value = predicate.constantPredicateValue { return value ? "TRUEPREDICATE" : "FALSEPREDICATE" }
      return "BLOCKPREDICATE(\(ObjectIdentifier(predicate).hashValue))"
    }
  }

  static func text(of comparison: NSComparisonPredicate) -> String {
    let modifier =
      switch comparison.comparisonPredicateModifier {
      case .direct: ""
      case .all: "ALL "
      case .any: "ANY "
      }
    return modifier + text(of: comparison.leftExpression) + " "
      + PredicateWords.text(of: comparison.predicateOperatorType) + text(of: comparison.options) + " "
      + text(of: comparison.rightExpression)
  }

  static func text(of compound: NSCompoundPredicate) -> String {
    let parts = compound.subpredicates
    // One part is printed as it is by itself.
    if parts.count == 1, compound.compoundPredicateType != .not { return text(of: parts[0]) }
    switch compound.compoundPredicateType {
    case .not: return parts.first.map { "NOT " + part($0) } ?? "TRUEPREDICATE"
    case .and: return parts.isEmpty ? "TRUEPREDICATE" : parts.map(part).joined(separator: " AND ")
    case .or: return parts.isEmpty ? "FALSEPREDICATE" : parts.map(part).joined(separator: " OR ")
    }
  }

  private static func part(_ predicate: NSPredicate) -> String {
    guard let compound = predicate as? NSCompoundPredicate, !compound.subpredicates.isEmpty else {
      return text(of: predicate)
    }
    return "(\(text(of: predicate)))"
  }

  private static func text(of options: NSComparisonPredicate.Options) -> String {
    let letters: [(NSComparisonPredicate.Options, String)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"), (.localeSensitive, "l"),
    ]
    let text = letters.filter { options.contains($0.0) }.map(\.1).joined()
    return text.isEmpty ? "" : "[\(text)]"
  }

  // MARK: Expressions

  /// The expression, in parentheses where it binds less tightly than `precedence`.
  static func text(of expression: NSExpression, _ precedence: Int = 0) -> String {
    switch expression.form {
    case .constant(let value): return constant(value)
    case .itself: return "SELF"
    case .variable(let name): return "$" + name
    case .keyPath(let path): return keyPath(path)
    case .function(let name, let operand, let arguments): return function(name, operand, arguments, precedence)
    case .aggregate(let parts): return "{" + list(parts) + "}"
    case .set(let type, let left, let right):
      let word = type == .unionSet ? "UNION" : type == .intersectSet ? "INTERSECT" : "MINUS"
      return binary(word, left, right, precedence)
    case .subquery(let collection, let variable, let predicate):
      return "SUBQUERY(\(text(of: collection)), $\(variable), \(text(of: predicate)))"
    case .conditional(let predicate, let left, let right):
      return "TERNARY(\(text(of: predicate)), \(text(of: left)), \(text(of: right)))"
    case .block(_, let arguments): return "BLOCK(\(list(arguments ?? [])))"
    case .anyKey: return "ANYKEY"
    case .custom(._fetchRequest): return expression.description
    case .custom(let type): return "EXPRESSION(\(type))"
    }
  }

  private static func list(_ expressions: [NSExpression]) -> String {
    expressions.map { text(of: $0) }.joined(separator: ", ")
  }

  private static func binary(_ symbol: String, _ left: NSExpression, _ right: NSExpression, _ outer: Int) -> String {
    let own = PredicateWords.precedence(symbol) ?? 0
    let bindsRight = symbol == "**"
    let result =
      text(of: left, bindsRight ? own + 1 : own) + " \(symbol) " + text(of: right, bindsRight ? own : own + 1)
    return own < outer ? "(\(result))" : result
  }

  /// Binds more tightly than every operator.
  private static let tightest = 10

  private static func function(
    _ name: String, _ operand: NSExpression?, _ arguments: [NSExpression], _ precedence: Int
  ) -> String {
    if let operand {
      if name == "valueForKeyPath:", arguments.count == 1, case .keyPath(let path) = arguments[0].form {
        return text(of: operand, tightest) + "." + keyPath(path)
      }
      return "FUNCTION(\(list([operand, NSExpression(forConstantValue: name)] + arguments)))"
    }
    if let symbol = PredicateWords.binarySymbols[name], arguments.count == 2 {
      return binary(symbol, arguments[0], arguments[1], precedence)
    }
    switch name {
    case "objectFrom:withIndex:" where arguments.count == 2:
      return "\(text(of: arguments[0], tightest))[\(index(arguments[1]))]"
    case "castObject:toType:": return "CAST(\(list(arguments)))"
    default: return "\(name)(\(list(arguments)))"
    }
  }

  /// An index; one that begins with a key such as `first` is not to be read as the symbol.
  private static func index(_ expression: NSExpression) -> String {
    let text = text(of: expression)
    if case .constant = expression.form { return text }
    let word = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return IndexSymbol(rawValue: word.uppercased()) == nil ? text : "#" + text
  }

  private static func keyPath(_ path: String) -> String {
    path.split(separator: ".", omittingEmptySubsequences: false).map { key in
      key.uppercased() != "SELF" && PredicateWords.reserved.contains(key.uppercased()) ? "#\(key)" : String(key)
    }.joined(separator: ".")
  }

  // MARK: Constants

  static func constant(_ value: Any?) -> String {
    if let symbol = value as? IndexSymbol { return symbol.rawValue }
    if let value, let collection = KeyedCollection(value) {
      return "{" + collection.textOrder.map(constant).joined(separator: ", ") + "}"
    }
    switch value {
    case is NSNull: return "<null>"
    case let value as NSManagedObject: return value.objectID.uriRepresentation().absoluteString
    case let value as NSManagedObjectID: return value.uriRepresentation().absoluteString
    case let value as Decimal: return "CAST(\"\(value)\", \"NSDecimalNumber\")"
    case let value as Date:
      return "CAST(\(number(value.timeIntervalSinceReferenceDate)), \"NSDate\")"
    default: break
    }
    switch PredicateValue(value) {
    case .slot(.null): return "nil"
    case .slot(.integer(let value)): return "\(value)"
    case .slot(.real(let value)): return number(value)
    case .slot(.string(let text)): return quoted(text)
    case .slot(.uuid(let value)): return "CAST(\"\(value.uuidString)\", \"NSUUID\")"
    case .slot(.data(let value)): return "CAST(\"\(value.base64EncodedString())\", \"NSData\")"
    case .slot(.boxed(let box)):
      return (box.value as? URL).map { "CAST(\(quoted($0.absoluteString)), \"NSURL\")" } ?? "\(box.value)"
    default: return value.map { "\($0)" } ?? "nil"
    }
  }

  private static func number(_ value: Double) -> String {
    value.isFinite ? "\(value)" : "CAST(\"\(value)\", \"NSNumber\")"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
