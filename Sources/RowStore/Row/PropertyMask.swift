/// A set of property indices; without allocation below 64.
public struct PropertyMask: Hashable, Sendable {
  @usableFromInline var low: UInt64 = 0
  @usableFromInline var high: [UInt64] = []

  /// Without an index.
  @inlinable @inline(__always)
  public static var empty: PropertyMask { PropertyMask() }

  @inlinable @inline(__always)
  init() {}

  /// Every index below `count`.
  package init(all count: Int) {
    low = count < 64 ? 1 << UInt64(count) - 1 : .max
    for index in stride(from: 64, to: count, by: 1) { insert(index) }
  }

  /// The indices that a word has a bit for.
  package init(first word: UInt64) { low = word }

  /// A bit for each index; nil where there is one beyond the 63rd.
  package var first63: UInt64? { low >> 63 == 0 && high.isEmpty ? low : nil }

  /// Whether there is no index in it.
  @inlinable @inline(__always)
  public var isEmpty: Bool { low == 0 && high.isEmpty }

  /// Whether the index is in it.
  @inlinable @inline(__always)
  public func contains(_ index: Int) -> Bool {
    if index < 64 { return low & (1 << UInt64(index)) != 0 }
    let word = index / 64 - 1
    return word < high.count && high[word] & (1 << UInt64(index % 64)) != 0
  }

  /// Calls `body` with each index, in order.
  @inline(__always)
  package func forEach(_ body: (Int) -> Void) {
    var rest = low
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
    for index in 64..<64 * (high.count + 1) where contains(index) { body(index) }
  }

  /// Puts an index in.
  @inlinable @inline(__always)
  public mutating func insert(_ index: Int) {
    if index < 64 {
      low |= 1 << UInt64(index)
    } else {
      insertHigh(index)
    }
  }

  package mutating func remove(_ index: Int) {
    if index < 64 {
      low &= ~(1 << UInt64(index))
    } else if contains(index) {
      high[index / 64 - 1] &= ~(1 << UInt64(index % 64))
      while high.last == 0 { high.removeLast() }
    }
  }

  @usableFromInline
  mutating func insertHigh(_ index: Int) {
    let word = index / 64 - 1
    while high.count <= word { high.append(0) }
    high[word] |= 1 << UInt64(index % 64)
  }

  /// Whether both have the same indices.
  @inlinable @inline(__always)
  public static func == (left: PropertyMask, right: PropertyMask) -> Bool {
    left.low == right.low && (left.high.isEmpty && right.high.isEmpty || left.high == right.high)
  }

  /// Equal masks have equal hashes.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(low)
    hasher.combine(high)
  }
}
