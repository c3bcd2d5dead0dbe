import RowStore

extension ValueType {
  /// The constant as a value of this type.
  ///
  /// - Throws: for a constant that is of another kind.
  func slot(_ constant: Any?, comparedWith expression: ResolvedExpression) throws(PredicateFailure) -> Slot {
    if let entity = constant as? any EntityConstant {
      guard self == .entity else { throw mismatch(expression, "the entity \(entity.constantName)") }
      return .integer(Int64(entity.constantNumber))
    }
    guard let value = PredicateValue(constant) else {
      throw PredicateFailure(
        position: nil,
        message: "\(constant.map { "\(Swift.type(of: $0))" } ?? "nil") was given, which cannot be compared")
    }
    switch value {
    case .list: throw PredicateFailure(position: nil, message: "a list cannot be used as one value")
    case .object(let id):
      guard case .object(let entity) = self else { throw mismatch(expression, "an object of \(id.layout.name)") }
      // Another table has other objects under the same keys.
      guard id.layout.root.name == entity.root.name else { return .reference(.ofNoObject) }
      return .reference(RowReference(key: id.key, entity: UInt16(truncatingIfNeeded: id.layout.number)))
    case .slot(let slot):
      guard let converted = converted(slot) else { throw mismatch(expression, slot.phrase) }
      return converted.comparable
    }
  }

  private func mismatch(_ expression: ResolvedExpression, _ given: String) -> PredicateFailure {
    let name =
      if case .path(let path) = expression, !path.steps.isEmpty {
        path.steps.map(\.name).joined(separator: ".") + " is"
      } else {
        "compared is"
      }
    return PredicateFailure(position: nil, message: "\(name) \(description); \(given) cannot be compared with it")
  }

  /// The same value in this type where that is possible without loss; nil otherwise.
  private func converted(_ slot: Slot) -> Slot? {
    switch (self, slot.comparable) {
    case (_, .null): return .null
    case (.boolean, .integer(let value)), (.integer, .integer(let value)), (.real, .integer(let value)),
      (.decimal, .integer(let value)):
      return .integer(value)
    case (.boolean, .real(let value)), (.integer, .real(let value)), (.real, .real(let value)),
      (.decimal, .real(let value)):
      return .real(value)
    case (.boolean, .string(let text)), (.integer, .string(let text)), (.real, .string(let text)),
      (.decimal, .string(let text)):
      return Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) }
    case (.boolean, .date(let seconds)), (.integer, .date(let seconds)), (.real, .date(let seconds)),
      (.decimal, .date(let seconds)), (.date, .date(let seconds)), (.date, .real(let seconds)):
      return .date(seconds)
    case (.date, .integer(let seconds)): return .date(Double(seconds))
    case (.text, .string), (.url, .string), (.uuid, .uuid), (.data, .data): return slot.comparable
    case (.text, .integer(let value)): return .string("\(value)")
    case (.uuid, .string(let text)): return UUID(uuidString: text).map { .uuid($0) }
    case (.other, .boxed): return slot
    default: return nil
    }
  }

  /// A constant and its own type.
  ///
  /// - Throws: for a constant of a type that no predicate compares.
  static func infer(_ constant: Any?) throws(PredicateFailure) -> (Slot, ValueType) {
    guard let value = PredicateValue(constant), case .slot(let slot) = value else {
      if let value = PredicateValue(constant), case .object(let id) = value {
        let reference = RowReference(key: id.key, entity: UInt16(truncatingIfNeeded: id.layout.number))
        return (.reference(reference), .object(id.layout))
      }
      throw PredicateFailure(
        position: nil,
        message: "\(constant.map { "\(Swift.type(of: $0))" } ?? "nil") was given, which cannot be compared")
    }
    let type: ValueType =
      switch slot {
      case .null: .null
      case .integer: .integer
      case .real: .real
      case .date: .date
      case .string: .text
      case .uuid: .uuid
      case .data: .data
      case .reference: .null
      case .boxed(let box): box.value is Decimal ? .decimal : box.value is URL ? .url : .other("\(type(of: box.value))")
      }
    return (slot.comparable, type)
  }
}

extension Slot {
  /// The value with its kind, for messages.
  fileprivate var phrase: String {
    switch self {
    case .null: "nil"
    case .integer(let value): "the number \(value)"
    case .real(let value): "the number \(value)"
    case .date(let seconds): "the date \(Date(timeIntervalSinceReferenceDate: seconds))"
    case .string(let text): "the text \"\(text)\""
    case .uuid(let uuid): "the UUID \(uuid)"
    case .data(let data): "data of \(data.count) bytes"
    case .reference: "an object"
    case .boxed(let box): "\(box.value)"
    }
  }
}

/// An entity as a constant of a predicate.
protocol EntityConstant {
  var constantName: String { get }
  /// Its number in the model; 0 for one that is in none.
  var constantNumber: Int { get }
}
