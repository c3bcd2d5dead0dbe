import Foundation

// Numbers as they are given to attributes. One that an integer attribute is too narrow for is kept as it is, until a save
// refuses it.

extension AttributeType {
  /// How many bits a whole number of the type has; nil for other types.
  package var integerBits: Int? {
    switch self {
    case .integer16: 16
    case .integer32: 32
    case .integer64: 64
    default: nil
    }
  }
}

/// A number that an integer attribute cannot hold.
package struct NumberOutOfRange: @unchecked Sendable {
  // Sendable: slots of numbers, which nothing changes.

  /// Whether the number is above all that the attribute can hold; nil for NaN.
  package let isAbove: Bool?
  /// The slots with the number: one, or those of a composite attribute's elements.
  package let slots: [Slot]
}

extension Slot {
  /// The number that an integer attribute of so many bits cannot hold; nil where it can.
  package func excess(bits: Int) -> NumberOutOfRange? {
    let limit = Int64.max >> Int64(64 - bits)
    switch self {
    case .integer(let value):
      return -limit - 1 <= value && value <= limit ? nil : NumberOutOfRange(isAbove: value > 0, slots: [self])
    case .real(let value):
      if let whole = Int64(exactly: value.rounded(.towardZero)), -limit - 1 <= whole, whole <= limit { return nil }
      return NumberOutOfRange(isAbove: value.isNaN ? nil : value > 0, slots: [self])
    case .boxed(let box):
      guard let decimal = box.value as? Decimal else { return nil }
      let number = Slot(decimal)
      // As a floating-point number it may be rounded to one that 64 bits hold.
      if case .real(let value) = number, value.magnitude >= 0x1p63 {
        return NumberOutOfRange(isAbove: value > 0, slots: [self])
      }
      return number.excess(bits: bits).map { NumberOutOfRange(isAbove: $0.isAbove, slots: [self]) }
    case .null, .string, .date, .uuid, .data, .reference: return nil
    }
  }

  /// A number without its fraction, exact where 64 bits hold it; nil for a value that is no number.
  ///
  /// Beyond 64 bits: a floating-point number as it is, any other as a decimal.
  package static func whole(_ value: Any) -> Slot? {
    if let value = value as? any BinaryInteger {
      if let narrow = Int64(exactly: value) { return .integer(narrow) }
      return Decimal(string: "\(value)").map { .boxed(SlotBox($0)) }
    }
    guard let number = value as? NSNumber else { return nil }
    if let decimal = number as? NSDecimalNumber { return whole(decimal.decimalValue) }
    switch number.objCType.pointee {
    case 0x64, 0x66:  // "d", "f"
      let double = number.doubleValue
      return Int64(exactly: double.rounded(.towardZero)).map { .integer($0) } ?? .real(double)
    case 0x51 where number.uint64Value > UInt64(Int64.max):  // "Q"
      return .boxed(SlotBox(Decimal(number.uint64Value)))
    default: return .integer(number.int64Value)
    }
  }

  /// The decimal of a column's text; null for a text that is none.
  init(decimal text: String) {
    let value = text == "NaN" ? Decimal.nan : Decimal(string: text) ?? Self.longDecimal(text)
    self = value.map { .boxed(SlotBox($0)) } ?? .null
  }

  /// The greatest exponent of a decimal.
  private static let decimalExponentMax = 127

  /// The decimal of a text such as `1.5e+140`: with zeros behind its digits the exponent is one that a decimal can have.
  private static func longDecimal(_ text: String) -> Decimal? {
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]) else { return nil }
    let digits = parts[0].split(separator: ".")
    let zeros = exponent - (digits.count > 1 ? digits[1].count : 0) - decimalExponentMax
    guard zeros > 0 else { return nil }
    return Decimal(string: digits.joined() + String(repeating: "0", count: zeros) + "e\(decimalExponentMax)")
  }

  private static func whole(_ decimal: Decimal) -> Slot {
    if decimal.isNaN { return .real(.nan) }
    var (rounded, exact) = (Decimal(), decimal)
    NSDecimalRound(&rounded, &exact, 0, decimal.isSignMinus ? .up : .down)
    return Int64("\(rounded)").map { .integer($0) } ?? .boxed(SlotBox(decimal))
  }

  static func real(_ value: Any) -> Double? {
    switch value {
    case let value as Double: value
    case let value as Float: Double(value)
    case let value as any BinaryInteger: Double(value)
    default: (value as? NSNumber)?.doubleValue
    }
  }

  /// A number as a decimal; NaN for a number that no decimal can hold.
  static func decimal(_ value: Any) -> Decimal? {
    if let decimal = value as? Decimal { return decimal }
    if case .real(let value)? = fraction(value) { return value.isFinite ? Decimal(value) : .nan }
    return switch whole(value) {
    case .integer(let value)?: Decimal(value)
    case .boxed(let box)?: box.value as? Decimal
    default: nil
    }
  }

  /// A floating-point number; nil for any other.
  private static func fraction(_ value: Any) -> Slot? {
    guard !(value is any BinaryInteger), let number = value as? NSNumber, !(number is NSDecimalNumber) else {
      return nil
    }
    return [0x64, 0x66].contains(number.objCType.pointee) ? .real(number.doubleValue) : nil
  }
}

extension NSNumber {
  /// A decimal that an integer attribute was given.
  static func whole(_ decimal: Decimal) -> NSNumber {
    UInt64("\(decimal)").map { NSNumber(value: $0) } ?? NSDecimalNumber(decimal: decimal)
  }
}

extension PropertyLayout {
  /// The number that the integer attribute, or an integer of a composite one, cannot hold; nil where it can.
  package func excess(of slot: Slot) -> NumberOutOfRange? {
    guard case .attribute(let type) = kind else { return nil }
    if case .composite(let layout)? = encoding {
      guard case .boxed(let box) = slot, let value = box.value as? CompositeValue else { return nil }
      precondition(value.slots.count == layout.leaves.count, "a composite has a slot for each leaf")
      for (leaf, slot) in zip(layout.leaves, value.slots) {
        guard let bits = leaf.type.integerBits, let excess = slot.excess(bits: bits) else { continue }
        return NumberOutOfRange(isAbove: excess.isAbove, slots: value.slots)
      }
      return nil
    }
    return type.integerBits.flatMap { slot.excess(bits: $0) }
  }

  /// The slot that keeps the number.
  package func slot(keeping excess: NumberOutOfRange) -> Slot {
    if case .composite(let layout)? = encoding { return CompositeValue.slot(layout, excess.slots) }
    return excess.slots[0]
  }
}

/// A stored attribute with an integer, or a composite one with integers among its elements.
public struct IntegerSlot {
  @usableFromInline package let index: Int
  /// A value that can be shifted so far to the left, and back, fits.
  @usableFromInline let shift: Int64

  init?(_ property: PropertyLayout) {
    guard !property.isTransient, !property.isDerived, case .attribute(let type) = property.kind else { return nil }
    index = property.index
    if let bits = type.integerBits {
      shift = Int64(64 - bits)
    } else if case .composite(let layout)? = property.encoding,
      layout.leaves.contains(where: { $0.type.integerBits != nil })
    {
      shift = 0
    } else {
      return nil
    }
  }
}

extension EntityLayout {
  /// Whether a look at the row shows that its integers fit their attributes; false does not say that they do not.
  @inlinable @inline(__always)
  public func plainlyHolds(_ values: RowValues) -> Bool {
    for slot in integerSlots {
      switch values.kind(slot.index) {
      case .null: continue
      case .integer:
        let value = values.place(slot.index, of: Int64.self).pointee
        if (value &<< slot.shift) &>> slot.shift != value { return false }
      default: return false
      }
    }
    return true
  }

  /// Each attribute of the row that has a number out of its range.
  package func excesses(in row: Row) -> [(property: PropertyLayout, excess: NumberOutOfRange)] {
    if plainlyHolds(row.values) { return [] }
    return integerSlots.compactMap { slot in
      let property = properties[slot.index]
      return property.excess(of: row[slot.index]).map { (property, $0) }
    }
  }
}
