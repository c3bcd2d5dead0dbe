extension NSPredicate {
  /// A predicate from a format, or why there is none.
  package static func parsing(_ format: String, arguments: [Any?]) throws -> NSPredicate {
    try PredicateParser.predicate(format, arguments)
  }
}
