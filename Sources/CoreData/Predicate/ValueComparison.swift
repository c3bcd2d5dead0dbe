import RowStore

/// Compares two values of any kind, by the code that compares the values of rows.
struct ValueComparison {
  private let type: NSComparisonPredicate.Operator
  private let folding: TextFolding

  init(_ predicate: NSComparisonPredicate) {
    self.init(predicate.predicateOperatorType, predicate.options)
  }

  init(_ type: NSComparisonPredicate.Operator, _ options: NSComparisonPredicate.Options = []) {
    self.type = type
    var folding: TextFolding = []
    if options.contains(.caseInsensitive) { folding.insert(.ignoringCase) }
    if options.contains(.diacriticInsensitive) { folding.insert(.ignoringDiacritics) }
    self.folding = folding
  }

  private static let equality = ValueComparison(.equalTo)

  /// Whether the comparison holds between the left value and the right one.
  ///
  /// - Throws: when the operator does not take values of these kinds.
  func holds(_ left: Any?, _ right: Any?) throws(PredicateFailure) -> Bool {
    switch type {
    case .equalTo: return equals(left, right)
    case .notEqualTo: return !equals(left, right)
    case .in: return try isMember(left, of: right)
    case .contains: return try isMember(right, of: left)
    case .between: return try isBetween(left, right)
    default: return try compare(left, right)
    }
  }

  static func contains(_ elements: [Any], _ value: Any) -> Bool {
    elements.contains { equality.equals($0, value) }
  }

  /// The values without those that are equal to one before them.
  static func distinct(_ values: [Any]) -> [Any] {
    var found: [Any] = []
    for value in values where !contains(found, value) { found.append(value) }
    return found
  }

  // MARK: Kinds of values

  /// A value that a row could have; nil for other objects and for collections.
  static func slot(_ value: Any?) -> Slot? {
    guard case .slot(let slot) = PredicateValue(value) else { return nil }
    return slot.comparable
  }

  private static func present(_ value: Any?) -> Any? { value is NSNull ? nil : value }

  private func equals(_ left: Any?, _ right: Any?) -> Bool {
    guard let left = Self.present(left), let right = Self.present(right) else {
      return Self.present(left) == nil && Self.present(right) == nil
    }
    if let left = Self.objectID(left) { return left == Self.objectID(right) }
    if let left = Self.slot(left) {
      guard let right = Self.slot(right) else { return false }
      return folding.fold(left).isSame(as: folding.fold(right))
    }
    if let left = KeyedCollection(left) {
      guard let right = KeyedCollection(right) else { return false }
      return equals(left, right)
    }
    if let left = left as? AnyHashable, let right = right as? AnyHashable { return left == right }
    guard Swift.type(of: left) is AnyClass, Swift.type(of: right) is AnyClass else { return false }
    return (left as AnyObject) === (right as AnyObject)
  }

  private static func objectID(_ value: Any) -> NSManagedObjectID? {
    (value as? NSManagedObject)?.objectID ?? value as? NSManagedObjectID
  }

  /// Sets without regard to order, others element by element.
  private func equals(_ left: KeyedCollection, _ right: KeyedCollection) -> Bool {
    guard left.elements.count == right.elements.count else { return false }
    if left.kind == .set || right.kind == .set {
      return left.elements.allSatisfy { element in right.elements.contains { equals(element, $0) } }
    }
    return zip(left.elements, right.elements).allSatisfy { equals($0, $1) }
  }

  // MARK: Operators

  private func isMember(_ value: Any?, of container: Any?) throws(PredicateFailure) -> Bool {
    guard let container = Self.present(container) else { return false }
    if case .string(let text) = Self.slot(container) {
      guard let value = Self.present(value) else { return false }
      guard case .string(let part) = Self.slot(value) else { throw mismatch(value, container) }
      return try ResolvedComparison(op: .contains, folding: folding).holds(.string(text), .string(part))
    }
    let label = "\(PredicateWords.text(of: type)) is about a collection or a text: a side of it"
    let elements = try PredicateEvaluator.elements(container, label)
    return elements?.contains { equals($0, value) } ?? false
  }

  private func isBetween(_ value: Any?, _ bounds: Any?) throws(PredicateFailure) -> Bool {
    guard let bounds = try PredicateEvaluator.elements(bounds, "the right side of BETWEEN"), bounds.count == 2 else {
      throw PredicateFailure(position: nil, message: "BETWEEN takes a list of two values")
    }
    guard try ValueComparison(.greaterThanOrEqualTo, options).holds(value, bounds[0]) else { return false }
    return try ValueComparison(.lessThanOrEqualTo, options).holds(value, bounds[1])
  }

  private var options: NSComparisonPredicate.Options {
    var options: NSComparisonPredicate.Options = []
    if folding.contains(.ignoringCase) { options.insert(.caseInsensitive) }
    if folding.contains(.ignoringDiacritics) { options.insert(.diacriticInsensitive) }
    return options
  }

  private func compare(_ left: Any?, _ right: Any?) throws(PredicateFailure) -> Bool {
    guard let left = Self.present(left), let right = Self.present(right) else { return false }
    guard let op = ResolvedComparison.Operator(type) else {
      throw PredicateFailure(position: nil, message: "comparisons by a custom selector are not supported")
    }
    guard let leftSlot = Self.slot(left), let rightSlot = Self.slot(right) else { throw mismatch(left, right) }
    if op.isAboutText {
      guard case .string = leftSlot, case .string = rightSlot else { throw mismatch(left, right) }
    } else if leftSlot.order(rightSlot) == nil, !leftSlot.isNull, !rightSlot.isNull {
      throw mismatch(left, right)
    }
    return try ResolvedComparison(op: op, folding: folding).holds(leftSlot, rightSlot)
  }

  private func mismatch(_ left: Any, _ right: Any) -> PredicateFailure {
    PredicateFailure(
      position: nil,
      message: "\(PredicateWords.text(of: type)) does not compare \(Swift.type(of: left)) with \(Swift.type(of: right))"
    )
  }
}
