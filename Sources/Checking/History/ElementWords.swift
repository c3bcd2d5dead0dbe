/// Up to six values of 32 bits in the three free words of an `elements` record.
struct ElementWords {
  /// Values of one record.
  static let capacity = 6

  private(set) var first: Int64 = 0
  private(set) var second: Int64 = 0
  private(set) var third: Int64 = 0

  init(_ values: [Int64], from first: Int, count: Int) {
    precondition(
      1...Self.capacity ~= count && values.indices.contains(first + count - 1),
      "a record takes so many of a list's values as it has room for")
    func half(_ offset: Int) -> UInt64 {
      guard offset < count else { return 0 }
      guard let value = Int32(exactly: values[first + offset]) else {
        preconditionFailure("a list's value has 32 bits; \(values[first + offset]) has more")
      }
      return UInt64(UInt32(bitPattern: value))
    }
    self.first = Int64(bitPattern: half(0) | half(1) << 32)
    second = Int64(bitPattern: half(2) | half(3) << 32)
    third = Int64(bitPattern: half(4) | half(5) << 32)
  }
}
