import CoreData

/// A derived attribute of an object, as the store computed it and as its expression says of the objects in a context.
struct DerivedValue {
  /// Sums of real numbers depend on the order of their terms, so far.
  private static let tolerance = 1e-9

  let name: String
  let expected: String
  let seen: String

  /// The derived attributes of an object with stored values other than those of their expressions; on its context's queue,
  /// with nothing to save.
  ///
  /// `now()` is left out: the time at which the store asked for it is not recorded.
  static func differences(in object: NSManagedObject) -> [DerivedValue] {
    object.entity.attributesByName.sorted { $0.key < $1.key }.compactMap { name, attribute in
      guard let expression = (attribute as? NSDerivedAttributeDescription)?.derivationExpression, !isTime(expression)
      else { return nil }
      let expected = evaluable(expression).expressionValue(with: object, context: nil)
      let seen = object.value(forKey: name)
      guard !areEqual(expected, seen) else { return nil }
      return DerivedValue(name: name, expected: text(expected), seen: text(seen))
    }
  }

  private static func isTime(_ expression: NSExpression) -> Bool {
    expression.expressionType == .function && expression.function == "now"
  }

  /// A derivation sums `chapters.words.@sum`; key-value coding, `chapters.@sum.words`.
  private static func evaluable(_ expression: NSExpression) -> NSExpression {
    guard expression.expressionType == .keyPath else { return expression }
    var keys = expression.keyPath.split(separator: ".")
    guard keys.count > 2, keys.last == "@sum" else { return expression }
    keys.swapAt(keys.count - 1, keys.count - 2)
    return NSExpression(forKeyPath: keys.joined(separator: "."))
  }

  private static func areEqual(_ expected: Any?, _ seen: Any?) -> Bool {
    switch (expected, seen) {
    case (nil, nil): return true
    case (let expected?, let seen?):
      if let one = number(expected), let other = number(seen) {
        return abs(one - other) <= tolerance * max(1, abs(one), abs(other))
      }
      return ObjectSnapshot.comparable(expected) == ObjectSnapshot.comparable(seen)
    default: return false
    }
  }

  private static func number(_ value: Any) -> Double? { (ObjectSnapshot.comparable(value) as? NSNumber)?.doubleValue }

  private static func text(_ value: Any?) -> String { ObjectSnapshot.text(value.map(ObjectSnapshot.comparable)) }
}
