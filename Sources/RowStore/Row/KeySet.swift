/// A set of keys that is asked for many: a bit for each number from the first to the last key, where these are close
/// together.
struct KeySet {
  /// Numbers from the first to the last key for each key, at most; a hashed set takes as much memory.
  private static let sparsest = 64

  /// From the first key to the last one; of no keys, 0.
  let bounds: ClosedRange<Int64>
  /// A bit for each number of `bounds`; empty where they are too many.
  private var bits: [UInt64] = []
  private var others: Set<Int64> = []

  init(_ keys: some Collection<Int64>) {
    let (first, last) = (keys.min() ?? 0, keys.max() ?? 0)
    bounds = first...last
    let (width, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow, width / Int64(Self.sparsest) <= keys.count else {
      others = Set(keys)
      return
    }
    bits = Array(repeating: 0, count: Int(width >> 6) + 1)
    for key in keys { bits[Int((key - first) >> 6)] |= 1 << UInt64((key - first) & 63) }
  }

  @inline(__always)
  func contains(_ key: Int64) -> Bool {
    guard bounds.contains(key) else { return false }
    guard !bits.isEmpty else { return others.contains(key) }
    let place = key - bounds.lowerBound
    return bits[Int(place >> 6)] & 1 << UInt64(place & 63) != 0
  }
}
