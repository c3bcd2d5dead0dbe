/// `TRUEPREDICATE` or `FALSEPREDICATE`, as a format gives it.
final class ConstantPredicate: NSPredicate {
  let value: Bool

  override init(value: Bool) {
    self.value = value
    super.init(value: value)
  }

  override var predicateFormat: String { PredicateText.text(of: self) }
  override var description: String { predicateFormat }
  override func copy(with zone: NSZone?) -> Any { self }
  override func isEqual(_ object: Any?) -> Bool { (object as? NSPredicate)?.constantPredicateValue == value }
  override var hash: Int { value.hashValue }
  override func evaluate(with object: Any?, substitutionVariables: [String: Any]?) -> Bool { value }
}

/// AND, OR and NOT of a format: Foundation's class, which can be printed and compared.
final class FormatCompoundPredicate: NSCompoundPredicate {
  override var predicateFormat: String { PredicateText.text(of: self) }
  override var description: String { PredicateText.text(of: self) }
  override func copy(with zone: NSZone?) -> Any { self }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSCompoundPredicate else { return false }
    return other === self
      || compoundPredicateType == other.compoundPredicateType && subpredicates == other.subpredicates
  }

  override var hash: Int { PredicateText.text(of: self).hashValue }
}

extension NSPredicate {
  /// The value of a predicate that is the same for every object; nil for others.
  ///
  /// Only a mirror can read it from Foundation's own constants.
  var constantPredicateValue: Bool? {
    if let constant = self as? ConstantPredicate { return constant.value }
    guard type(of: self) == NSPredicate.self else { return nil }
    for child in Mirror(reflecting: self).children where child.label == "kind" {
      return Mirror(reflecting: child.value).children.first { $0.label == "boolean" }?.value as? Bool
    }
    return nil
  }
}
