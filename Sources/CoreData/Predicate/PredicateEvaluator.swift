/// Evaluates predicates and expressions with any object.
enum PredicateEvaluator {
  /// Whether the object meets the predicate.
  ///
  /// - Precondition: keys exist, and values are of kinds that can be compared so; the message says what is wrong.
  static func evaluate(_ predicate: NSPredicate, _ object: Any?, _ variables: [String: Any]?) -> Bool {
    guard let object = object as? NSManagedObject else {
      preconditionFailure("\(predicate) is about managed objects, not \(object.map { "\(type(of: $0))" } ?? "nil")")
    }
    do {
      return try ResolvedPredicate(predicate, entity: object.layout).matches(object)
    } catch {
      preconditionFailure("\(predicate): \(error)")
    }
  }

  static func value(_ expression: NSExpression, _ object: Any?, _ context: NSMutableDictionary?) -> Any? { nil }
}
