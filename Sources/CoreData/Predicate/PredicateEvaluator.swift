import RowStore

/// Evaluates predicates and expressions with any object: managed objects, dictionaries, collections, texts, numbers, and
/// instances of classes and structures with stored properties of the keys' names.
///
/// A predicate that can be resolved in a managed object's entity is evaluated as fetches evaluate it; everything else
/// follows key paths by key-value coding and compares the values by the same code.
struct PredicateEvaluator {
  var variables: [String: Any]

  /// Whether the object meets the predicate.
  ///
  /// - Precondition: keys exist, and values are of kinds that can be compared so; the message has the mistake.
  static func evaluate(_ predicate: NSPredicate, _ object: Any?, _ variables: [String: Any]?) -> Bool {
    do {
      return try PredicateEvaluator(variables: variables ?? [:]).holds(predicate, object)
    } catch {
      preconditionFailure("\(predicate): \(error)")
    }
  }

  /// The value of the expression for the object.
  ///
  /// - Precondition: as for ``evaluate(_:_:_:)``.
  static func value(_ expression: NSExpression, _ object: Any?, _ context: NSMutableDictionary?) -> Any? {
    var variables: [String: Any] = [:]
    for key in context?.allKeys ?? [] {
      if let name = key as? String { variables[name] = context?.object(forKey: key) }
    }
    do {
      return try PredicateEvaluator(variables: variables).value(expression, object)
    } catch {
      preconditionFailure("\(expression): \(error)")
    }
  }

  // MARK: Predicates

  func holds(_ predicate: NSPredicate, _ object: Any?) throws(PredicateFailure) -> Bool {
    switch predicate {
    case let comparison as NSComparisonPredicate:
      if let managed = object as? NSManagedObject, let resolved = resolved(comparison, managed) {
        return try resolved.matches(managed)
      }
      return try holds(comparison, object)
    case let compound as NSCompoundPredicate:
      switch compound.compoundPredicateType {
      case .and:
        for part in compound.subpredicates where try !holds(part, object) { return false }
        return true
      case .or:
        for part in compound.subpredicates where try holds(part, object) { return true }
        return false
      case .not:
        return try compound.subpredicates.first.map { part throws(PredicateFailure) in try !holds(part, object) }
          ?? true
      }
    default:
      return predicate.constantPredicateValue ?? predicate.evaluate(with: object, substitutionVariables: variables)
    }
  }

  /// The comparison in the object's entity; nil where it can only be followed by key-value coding.
  private func resolved(_ comparison: NSComparisonPredicate, _ object: NSManagedObject) -> ResolvedPredicate? {
    if comparison.needsOwnCode { return nil }
    var substitution = PredicateSubstitution(variables)
    let bound = variables.isEmpty ? comparison : substitution.predicate(comparison)
    return try? ResolvedPredicate(bound, entity: object.layout)
  }

  private func holds(_ predicate: NSComparisonPredicate, _ object: Any?) throws(PredicateFailure) -> Bool {
    let left = try value(predicate.leftExpression, object)
    let right = try value(predicate.rightExpression, object)
    let comparison = ValueComparison(predicate)
    guard predicate.comparisonPredicateModifier != .direct else { return try comparison.holds(left, right) }
    guard let elements = try Self.elements(left, "\(predicate.leftExpression)") else {
      return predicate.comparisonPredicateModifier == .all
    }
    for element in elements {
      let holds = try comparison.holds(element, right)
      if holds != (predicate.comparisonPredicateModifier == .all) { return holds }
    }
    return predicate.comparisonPredicateModifier == .all
  }

  /// The elements of a collection, the values of a dictionary; nil for nil.
  static func elements(_ value: Any?, _ label: String) throws(PredicateFailure) -> [Any]? {
    guard let value, !(value is NSNull) else { return nil }
    guard let elements = KeyedCollection.elementsOrValues(value) else {
      throw PredicateFailure(position: nil, message: "\(label) gives no collection but \(type(of: value))")
    }
    return elements
  }

  // MARK: Expressions

  func value(_ expression: NSExpression, _ object: Any?) throws(PredicateFailure) -> Any? {
    guard type(of: expression) == NSExpression.self else {
      return expression.expressionValue(with: object, context: NSMutableDictionary(dictionary: variables))
    }
    switch expression.form {
    case .constant(let value): return value is NSNull ? nil : value
    case .itself: return object is NSNull ? nil : object
    case .keyPath(let path): return try value(object, path)
    case .variable(let name): return try variable(name, object)
    case .function(let name, let operand?, let arguments): return try method(name, operand, arguments, object)
    case .function(let name, nil, let arguments):
      var values: [Any?] = []
      for argument in arguments { values.append(try value(argument, object)) }
      return try FunctionCall(name: name, arguments: values).value()
    case .aggregate(let parts):
      var values: [Any] = []
      for part in parts { values.append(try value(part, object) ?? NSNull()) }
      return values
    case .set(let type, let left, let right): return try combined(type, left, right, object)
    case .subquery(let collection, let variable, let predicate):
      return try subquery(collection, variable, predicate, object)
    case .conditional(let predicate, let yes, let no):
      return try value(try holds(predicate, object) ? yes : no, object)
    case .block(let block, let arguments):
      var values: [Any] = []
      for argument in arguments ?? [] { values.append(try value(argument, object) ?? NSNull()) }
      return block(object, values, NSMutableDictionary(dictionary: variables))
    case .anyKey: throw PredicateFailure(position: nil, message: "ANYKEY has no value of its own")
    case .custom(let type):
      throw PredicateFailure(position: nil, message: "an expression of the type \(type) is evaluated by its subclass")
    }
  }

  private func value(_ object: Any?, _ path: String) throws(PredicateFailure) -> Any? {
    guard let object, !(object is NSNull) else { return nil }
    let value = try KeyValuePath.find(object, path[...])
    return value is NSNull ? nil : value
  }

  private func variable(_ name: String, _ object: Any?) throws(PredicateFailure) -> Any? {
    guard let value = variables[name] else {
      throw PredicateFailure(position: nil, message: "the variable $\(name) has no value")
    }
    if let expression = value as? NSExpression { return try self.value(expression, object) }
    return value is NSNull ? nil : value
  }

  private func method(
    _ name: String, _ operand: NSExpression, _ arguments: [NSExpression], _ object: Any?
  ) throws(PredicateFailure) -> Any? {
    guard name == "valueForKeyPath:" || name == "valueForKey:", arguments.count == 1 else {
      throw PredicateFailure(
        position: nil, message: "the method \(name) cannot be called: Swift has none that could be looked up by name")
    }
    let path: String
    if case .keyPath(let text) = arguments[0].form {
      path = text
    } else if let text = try value(arguments[0], object) as? String {
      path = text
    } else {
      throw PredicateFailure(position: nil, message: "\(name) takes a key path, not \(arguments[0])")
    }
    return try value(try value(operand, object), path)
  }

  private func combined(
    _ type: NSExpression.ExpressionType, _ left: NSExpression, _ right: NSExpression, _ object: Any?
  ) throws(PredicateFailure) -> Any? {
    let left = try Self.elements(try value(left, object), "\(left)") ?? []
    let right = try Self.elements(try value(right, object), "\(right)") ?? []
    switch type {
    case .unionSet: return ValueComparison.distinct(left + right)
    case .intersectSet:
      return ValueComparison.distinct(left.filter { element in ValueComparison.contains(right, element) })
    default: return ValueComparison.distinct(left.filter { element in !ValueComparison.contains(right, element) })
    }
  }

  private func subquery(
    _ collection: NSExpression, _ variable: String, _ predicate: NSPredicate, _ object: Any?
  ) throws(PredicateFailure) -> Any? {
    guard let elements = try Self.elements(try value(collection, object), "\(collection)") else { return nil }
    var inner = self
    var found: [Any] = []
    for element in elements {
      inner.variables[variable] = element
      if try inner.holds(predicate, object) { found.append(element) }
    }
    return found
  }
}
