import RowStore

extension Slot {
  /// A value by its own type alone; nil for one that no slot holds.
  init?(untyped value: Any?) {
    // Asked itself, since a number of Foundation's can be cast to every type that holds it.
    if let value, type(of: value) is AnyClass, let number = value as? NSNumber {
      self.init(number)
      return
    }
    switch value {
    case nil, is NSNull: self = .null
    case let value as Bool: self = .integer(value ? 1 : 0)
    case let value as any BinaryInteger:
      self = Int64(exactly: value).map { .integer($0) } ?? .real(Double(value))
    case let value as Double: self = .real(value)
    case let value as Float: self = .real(Double(value))
    case let value as String: self = .string(value)
    case let value as Date: self = .date(value.timeIntervalSinceReferenceDate)
    case let value as UUID: self = .uuid(value)
    case let value as Data: self = .data(value)
    case let value as URL: self = .boxed(SlotBox(value))
    case let value as Decimal: self = .boxed(SlotBox(value))
    case let value as NSNumber: self.init(value)
    default: return nil
    }
  }

  private init(_ number: NSNumber) {
    if let decimal = number as? NSDecimalNumber {
      self = .boxed(SlotBox(decimal.decimalValue))
      return
    }
    switch number.objCType.pointee {
    case 0x64, 0x66: self = .real(number.doubleValue)  // "d", "f"
    case 0x51 where number.uint64Value > UInt64(Int64.max): self = .real(number.doubleValue)  // "Q"
    default: self = .integer(number.int64Value)
    }
  }
}
