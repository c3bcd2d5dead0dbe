import Foundation

/// A predicate about one entity: keys are properties, constants have the type they are compared with. The same value is
/// evaluated in memory and translated to SQL.
///
/// Two-valued in both: `==` is true of two nulls, `!=` the opposite of `==`, any other comparison with null is false, and
/// NOT inverts the predicate below it.
package indirect enum ResolvedPredicate {
  case constant(Bool)
  case and([ResolvedPredicate])
  case or([ResolvedPredicate])
  case not(ResolvedPredicate)
  case comparison(left: ResolvedExpression, ResolvedComparison, right: ResolvedExpression)
  /// The value is among constants.
  case membership(ResolvedExpression, ConstantSet, TextFolding)
  case between(ResolvedExpression, ResolvedExpression, ResolvedExpression, TextFolding)
  /// An element of the collection meets the predicate, which is about the collection's scope.
  case exists(ResolvedCollection, ResolvedPredicate)
  /// A predicate that only its own code understands.
  case opaque(NSPredicate)
}
