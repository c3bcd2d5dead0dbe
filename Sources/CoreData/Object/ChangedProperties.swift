import RowStore

/// The properties of one object that were set since its last save: a ``PropertyMask`` in one word.
///
/// Without memory of its own as long as no property beyond the 63rd is set.
struct ChangedProperties: ~Copyable {
  private static let isElsewhere: UInt64 = 1 << 63

  /// A bit for each index; or, where the highest is set, half the address of the mask.
  private var word: UInt64 = 0

  init() {}

  deinit { elsewhere?.deinitialize(count: 1).deallocate() }

  private var elsewhere: UnsafeMutablePointer<PropertyMask>? {
    word & Self.isElsewhere == 0 ? nil : UnsafeMutablePointer(bitPattern: UInt(word << 1))
  }

  @inline(__always)
  var isEmpty: Bool { word == 0 }

  @inline(__always)
  func contains(_ index: Int) -> Bool {
    if word & Self.isElsewhere != 0 { return mask.contains(index) }
    return index < 63 && word & (1 << UInt64(index)) != 0
  }

  @inline(__always)
  mutating func insert(_ index: Int) {
    if index < 63, word & Self.isElsewhere == 0 {
      word |= 1 << UInt64(index)
    } else {
      insertElsewhere(index)
    }
  }

  @inline(never)
  private mutating func insertElsewhere(_ index: Int) {
    var mask = mask
    mask.insert(index)
    self.mask = mask
  }

  mutating func remove(_ index: Int) {
    guard contains(index) else { return }
    var mask = mask
    mask.remove(index)
    self.mask = mask
  }

  @inline(__always)
  mutating func removeAll() { if !isEmpty { mask = .empty } }

  /// All of them.
  var mask: PropertyMask {
    get { elsewhere?.pointee ?? PropertyMask(first: word) }
    set {
      let old = elsewhere
      defer { old?.deinitialize(count: 1).deallocate() }
      if let first = newValue.first63 { return word = first }
      let copy = UnsafeMutablePointer<PropertyMask>.allocate(capacity: 1)
      copy.initialize(to: newValue)
      word = UInt64(UInt(bitPattern: copy)) >> 1 | Self.isElsewhere
    }
  }
}
