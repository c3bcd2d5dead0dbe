/// A property's value as a history has it: 32 bits, compared with the store's file.
///
/// Stores 31-bit integers as they are, and a hash of every other value.
public struct RecordedValue: Sendable, Hashable {
  /// The property has no value.
  public static let none = RecordedValue(code: Int64(Int32.min))
  /// The operation says nothing of the property.
  public static let unchanged = RecordedValue(code: Int64(Int32.min) + 1)

  /// The recorded value, in 32 bits.
  package let code: Int64

  package init(code: Int64) {
    precondition(Int32(exactly: code) != nil, "a value is recorded in 32 bits")
    self.code = code
  }

  /// A whole number, or a truth value as 0 or 1.
  public init(_ number: Int64) {
    let kept = Int64(Int32.min) + 2...Int64(Int32.max)
    self.init(code: kept.contains(number) ? number : Self.hash(UInt64(bitPattern: number)))
  }

  /// A number; one without a fraction is a whole number, as in the file.
  public init(_ number: Double) {
    if let whole = Int64(exactly: number) {
      self.init(whole)
    } else {
      self.init(code: Self.hash(number.bitPattern))
    }
  }

  /// A text.
  public init(_ text: String) { self.init(bytes: text.utf8) }

  /// Bytes.
  public init(bytes: some Sequence<UInt8>) {
    // FNV-1a: the same in every process.
    self.init(code: Self.hash(bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }))
  }

  /// 31 bits of a word.
  private static func hash(_ word: UInt64) -> Int64 {
    let mixed = (word ^ (word >> 31)) &* 0x9E37_79B9_7F4A_7C15
    return Int64(mixed >> 33)
  }
}

extension RecordedValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  /// A whole number.
  public init(integerLiteral value: Int64) { self.init(value) }

  /// A text.
  public init(stringLiteral value: String) { self.init(value) }
}
