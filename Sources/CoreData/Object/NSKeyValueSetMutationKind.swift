/// How a set is changed; raw values are Apple's.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// Objects are added.
  case union = 1
  /// Objects are taken out.
  case minus = 2
  /// All but some objects are taken out.
  case intersect = 3
  /// The set becomes another one.
  case set = 4
}
