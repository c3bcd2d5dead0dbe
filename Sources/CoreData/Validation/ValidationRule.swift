import RowStore

/// One predicate that a property's values must meet, and the error that it makes.
struct ValidationRule: @unchecked Sendable {
  // Sendable: predicates do not change.

  let predicate: NSPredicate
  /// The error's code, where the model gives one.
  private let code: Int?
  /// The error's sentence, where the model gives one.
  let warning: String?
  /// The predicate as a tree, where it is about the value and its length alone.
  private let node: PredicateNode?

  init(_ predicate: NSPredicate, code: Int?, warning: String?) {
    self.predicate = predicate
    self.code = code
    self.warning = warning
    node = (try? PredicateNode(predicate)).flatMap { $0.isAboutOneValue ? $0 : nil }
  }

  /// The code of the error, or nil where the value meets the predicate.
  ///
  /// - Parameter value: not null.
  func failure(_ value: Slot, _ type: AttributeType) -> Int? {
    let failed: Int?
    if let node {
      failed = node.failure(value.comparable)
    } else {
      failed = predicate.evaluate(with: value.value(as: type)) ? nil : NSManagedObjectValidationError
    }
    return failed.map { code ?? $0 }
  }
}

extension PredicateNode {
  /// Whether no operand is anything but the value itself, its length, and constants.
  fileprivate var isAboutOneValue: Bool {
    switch self {
    case .constant: true
    case .and(let nodes), .or(let nodes): nodes.allSatisfy(\.isAboutOneValue)
    case .not(let node): node.isAboutOneValue
    case .comparison(let left, _, let right): left.isAboutOneValue && right.isAboutOneValue
    }
  }

  /// The code of the error where the value does not meet the predicate; its form says which one.
  fileprivate func failure(_ value: Slot) -> Int? {
    switch self {
    case .and(let nodes):
      for node in nodes {
        if let code = node.failure(value) { return code }
      }
      return nil
    case .comparison(let left, let comparison, let right):
      if left.isValue, let flipped = comparison.flipped {
        return PredicateNode.comparison(left: right, flipped, right: left).failure(value)
      }
      return comparison.failure(left, value, right.slots(for: value))
    case .constant, .or, .not: return holds(for: value) ? nil : NSManagedObjectValidationError
    }
  }

  /// Whether the value meets the predicate.
  fileprivate func holds(for value: Slot) -> Bool {
    switch self {
    case .constant(let value): value
    case .and(let nodes): nodes.allSatisfy { $0.holds(for: value) }
    case .or(let nodes): nodes.contains { $0.holds(for: value) }
    case .not(let node): !node.holds(for: value)
    case .comparison(let left, let comparison, let right):
      comparison.holds(left.slots(for: value).first ?? .null, right.slots(for: value))
    }
  }
}

extension PredicateOperand {
  fileprivate var isValue: Bool {
    if case .value = self { true } else { false }
  }

  private var isLength: Bool {
    if case .keyPath(["length"]) = self { true } else { false }
  }

  fileprivate var isAboutOneValue: Bool {
    switch self {
    case .itself: true
    case .keyPath: isLength
    case .value(.object): false
    case .value: true
    }
  }

  /// The operand's slots for a value; several for a list.
  fileprivate func slots(for value: Slot) -> [Slot] {
    switch self {
    case .itself: return [value]
    case .keyPath: return [value.length]
    case .value(let constant): return constant.slots(comparedWith: value)
    }
  }
}

extension PredicateValue {
  /// The constant, a number as a date where dates are compared.
  fileprivate func slots(comparedWith value: Slot) -> [Slot] {
    switch self {
    case .list(let values): return values.flatMap { $0.slots(comparedWith: value) }
    case .object: return []
    case .slot(let slot):
      guard case .date = value else { return [slot.comparable] }
      switch slot {
      case .integer(let seconds): return [.date(Double(seconds))]
      case .real(let seconds): return [.date(seconds)]
      default: return [slot]
      }
    }
  }
}

extension Slot {
  /// UTF-16 units of a text, bytes of data; null for anything else.
  fileprivate var length: Slot {
    switch self {
    case .string(let text): .integer(Int64(text.utf16.count))
    case .data(let data): .integer(Int64(data.count))
    default: .null
    }
  }
}

extension Comparison {
  /// The code of the error where the comparison does not hold.
  fileprivate func failure(_ subject: PredicateOperand, _ value: Slot, _ right: [Slot]) -> Int? {
    let left = subject.slots(for: value).first ?? .null
    guard !holds(left, right) else { return nil }
    let isLength = if case .keyPath = subject { true } else { false }
    switch op {
    case .less, .lessOrEqual: return Comparison.code(for: value, isLength: isLength, isAbove: true)
    case .greater, .greaterOrEqual: return Comparison.code(for: value, isLength: isLength, isAbove: false)
    case .between:
      guard let low = right.first, let order = left.order(low) else { return NSManagedObjectValidationError }
      return Comparison.code(for: value, isLength: isLength, isAbove: order >= 0)
    case .matches, .like, .contains, .beginsWith, .endsWith: return NSValidationStringPatternMatchingError
    case .equal, .notEqual, .isIn: return NSManagedObjectValidationError
    }
  }

  private static func code(for value: Slot, isLength: Bool, isAbove: Bool) -> Int {
    switch value {
    case .string where isLength: isAbove ? NSValidationStringTooLongError : NSValidationStringTooShortError
    case .date: isAbove ? NSValidationDateTooLateError : NSValidationDateTooSoonError
    case .integer, .real: isAbove ? NSValidationNumberTooLargeError : NSValidationNumberTooSmallError
    default: NSManagedObjectValidationError
    }
  }
}
