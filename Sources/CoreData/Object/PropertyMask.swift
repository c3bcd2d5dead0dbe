/// A set of property indices; without allocation below 64.
struct PropertyMask: Hashable {
  private var low: UInt64 = 0
  private var high: [UInt64] = []

  static let empty = PropertyMask()

  private init() {}

  /// Every index below `count`.
  init(all count: Int) {
    for index in 0..<count { insert(index) }
  }

  @inline(__always)
  var isEmpty: Bool { low == 0 && high.isEmpty }

  @inline(__always)
  func contains(_ index: Int) -> Bool {
    if index < 64 { return low & (1 << UInt64(index)) != 0 }
    let word = index / 64 - 1
    return word < high.count && high[word] & (1 << UInt64(index % 64)) != 0
  }

  @inline(__always)
  mutating func insert(_ index: Int) {
    if index < 64 {
      low |= 1 << UInt64(index)
    } else {
      insertHigh(index)
    }
  }

  mutating func remove(_ index: Int) {
    if index < 64 {
      low &= ~(1 << UInt64(index))
    } else if contains(index) {
      high[index / 64 - 1] &= ~(1 << UInt64(index % 64))
      while high.last == 0 { high.removeLast() }
    }
  }

  private mutating func insertHigh(_ index: Int) {
    let word = index / 64 - 1
    while high.count <= word { high.append(0) }
    high[word] |= 1 << UInt64(index % 64)
  }
}
