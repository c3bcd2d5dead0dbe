import Foundation

/// One value of a row, unboxed where its type allows.
public enum Slot {
  case null
  /// Integers of every width, and booleans as 0 and 1.
  case integer(Int64)
  /// Doubles and floats.
  case real(Double)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
  case string(String)
  case uuid(UUID)
  case data(Data)
  /// The key of a to-one relationship's object: positive in the store, negative while temporary.
  case reference(RowReference)
  /// A type without a case of its own: `Decimal`, `URL`.
  case boxed(SlotBox)
}

/// The object a to-one relationship leads to: its primary key and its entity's number.
public struct RowReference: Hashable {
  /// Of the object: positive in the store, negative while temporary.
  public var key: Int64
  /// Number of its entity.
  public var entity: UInt16

  /// Names an object.
  @inlinable
  public init(key: Int64, entity: UInt16) {
    self.key = key
    self.entity = entity
  }

  /// Equal to the reference of no object: temporary keys never get there.
  package static var ofNoObject: RowReference { RowReference(key: .min, entity: 0) }
}

/// A value kept by reference.
public final class SlotBox: @unchecked Sendable {
  // Sendable: the value is a `let` of a value type (`Decimal`, `URL`).
  @usableFromInline package let value: any Hashable

  package init(_ value: any Hashable) { self.value = value }
}

/// A value that an attribute cannot hold.
package struct SlotMismatch: Error {
  package var message: String
  /// Set where the value is a number, and the attribute too narrow for it.
  package var excess: NumberOutOfRange?
}

extension Slot {
  /// Whether there is no value.
  @inlinable @inline(__always)
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// `value` as the slot of an attribute of `type`; nil and `NSNull` are null.
  package static func converting(
    _ value: Any?, to type: AttributeType, _ encoding: AttributeEncoding? = nil
  ) -> Result<Slot, SlotMismatch> {
    guard let value, !(value is NSNull) else { return .success(.null) }
    if case .composite(let layout)? = encoding, let members = value as? [String: Any] {
      return layout.slots(members).map { CompositeValue.slot(layout, $0) }
    }
    if let bits = type.integerBits, let slot = whole(value) {
      guard let excess = slot.excess(bits: bits) else { return .success(slot) }
      return .failure(SlotMismatch(message: "\(value) is no \(type.valueDescription)", excess: excess))
    }
    if let slot = convert(value, to: type) { return .success(slot) }
    return .failure(
      SlotMismatch(message: "expected \(type.valueDescription), found \(Swift.type(of: value))"))
  }

  private static func convert(_ value: Any, to type: AttributeType) -> Slot? {
    switch type {
    case .undefined, .objectID, .composite, .integer16, .integer32, .integer64: nil
    case .transformable: .boxed(SlotBox(TransformedValue(value)))
    case .boolean:
      (value as? Bool).map { .integer($0 ? 1 : 0) } ?? (value as? NSNumber).map { .integer($0.boolValue ? 1 : 0) }
    case .double, .float: real(value).map { .real($0) }
    case .decimal: decimal(value).map { .boxed(SlotBox($0)) }
    case .string: (value as? String).map { .string($0) }
    case .date: (value as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
    case .data: (value as? Data).map { .data($0) }
    case .uuid: (value as? UUID).map { .uuid($0) }
    case .url: (value as? URL).map { .boxed(SlotBox($0)) }
    }
  }

  /// The value as `value(forKey:)` gives it; numbers as `NSNumber`, which can be cast to every Swift type that holds them.
  package func value(as type: AttributeType) -> Any? {
    switch self {
    case .null, .reference: nil
    case .integer(let value):
      switch type {
      case .boolean: value != 0
      case .integer16: Int16(exactly: value).map { NSNumber(value: $0) } ?? NSNumber(value: value)
      case .integer32: Int32(exactly: value).map { NSNumber(value: $0) } ?? NSNumber(value: value)
      default: NSNumber(value: value)
      }
    case .real(let value): type == .float ? NSNumber(value: Float(value)) : NSNumber(value: value)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .string(let value): value
    case .uuid(let value): value
    case .data(let value): value
    case .boxed(let box):
      switch type {
      case .transformable, .composite, .data:
        (box.value as? any EncodedValue).map(\.attributeValue) ?? box.value
      case .integer16, .integer32, .integer64:
        (box.value as? Decimal).map { NSNumber.whole($0) } ?? box.value
      default: box.value
      }
    }
  }
}

extension Slot: Hashable {
  /// Whether both are the same value of the same kind.
  public static func == (left: Slot, right: Slot) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.uuid(let left), .uuid(let right)): left == right
    case (.data(let left), .data(let right)): left == right
    case (.reference(let left), .reference(let right)): left == right
    case (.boxed(let left), .boxed(let right)): AnyHashable(left.value) == AnyHashable(right.value)
    default: false
    }
  }

  /// Equal slots have equal hashes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: break
    case .integer(let value): hasher.combine(value)
    case .real(let value), .date(let value): hasher.combine(value)
    case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
    case .uuid(let value): hasher.combine(value)
    case .data(let value): hasher.combine(value)
    case .reference(let value): hasher.combine(value)
    case .boxed(let box): hasher.combine(AnyHashable(box.value))
    }
  }
}
