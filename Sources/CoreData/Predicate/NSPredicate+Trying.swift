extension NSPredicate {
  /// A predicate from a format, or why there is none.
  package static func parsing(_ format: String, arguments: [Any?]) throws -> NSPredicate {
    try PredicateParser.predicate(format, arguments)
  }

  /// Whether the object meets the predicate; throws where that cannot be said.
  package func evaluating(_ object: Any?, variables: [String: Any] = [:]) throws -> Bool {
    try PredicateEvaluator(variables: variables).holds(self, object)
  }
}
