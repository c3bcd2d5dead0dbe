/// An attribute that the store computes from other values when an object is saved.
///
/// - SeeAlso: Apple, "NSDerivedAttributeDescription".
open nonisolated class NSDerivedAttributeDescription: NSAttributeDescription {
  /// The expression that gives the value: `name.length`, `uppercase:(name)`, `words.@count`, `words.level.@sum`, `now()`.
  open var derivationExpression: NSExpression? {
    willSet { requireMutable() }
  }

  /// The same as a format.
  final var derivationFormat: String? { derivationExpression?.description }

  override func copied() -> NSPropertyDescription {
    let copy = NSDerivedAttributeDescription()
    copyState(to: copy)
    copy.derivationExpression = derivationExpression
    return copy
  }

  override func isSame(_ other: NSPropertyDescription) -> Bool {
    guard super.isSame(other), let other = other as? NSDerivedAttributeDescription else { return false }
    return derivationExpression?.description == other.derivationExpression?.description
  }
}
