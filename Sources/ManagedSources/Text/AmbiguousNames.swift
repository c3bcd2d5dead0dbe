/// Names that two modules declare.
enum AmbiguousNames {
  /// Classes of CoreData's that Foundation on Linux declares as well, without function.
  static let classes: Set<String> = ["NSExpression", "NSComparisonPredicate"]
}
