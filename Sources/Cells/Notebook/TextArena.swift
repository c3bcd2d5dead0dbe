/// Texts one after the other in one piece of memory.
///
/// Built once, then only read: from any thread, without reference counting.
// `@unchecked`: only its one owner can write, and the owner stops before it shares the arena.
struct TextArena: ~Copyable, @unchecked Sendable {
  /// Where a text is.
  struct Range: Sendable {
    var offset: UInt32
    var length: UInt32
  }

  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private(set) var count = 0

  /// Makes room for `capacity` bytes; more is made when needed.
  init(capacity: Int) {
    self.capacity = max(capacity, 64)
    bytes = .allocate(capacity: self.capacity)
  }

  deinit { bytes.deallocate() }

  /// Appends bytes to the text that is being written.
  mutating func append(_ text: [UInt8]) {
    if count + text.count > capacity { grow(to: count + text.count) }
    text.withUnsafeBufferPointer { source in
      if let start = source.baseAddress { (bytes + count).update(from: start, count: source.count) }
    }
    count += text.count
  }

  /// The text written since `start`.
  func text(since start: Int) -> Range {
    precondition(count <= UInt32.max, "the texts of one notebook fit into 4 GB")
    return Range(offset: UInt32(start), length: UInt32(count - start))
  }

  /// The bytes of a text.
  subscript(range: Range) -> UnsafeBufferPointer<UInt8> {
    precondition(Int(range.offset) + Int(range.length) <= count, "a text is one of the arena's")
    return UnsafeBufferPointer(start: bytes + Int(range.offset), count: Int(range.length))
  }

  /// A text as a string.
  func string(_ range: Range) -> String { String(decoding: self[range], as: UTF8.self) }

  private mutating func grow(to needed: Int) {
    precondition(needed > capacity && count <= capacity, "an arena grows where a text has no room")
    let larger = max(needed, capacity * 2)
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    copy.update(from: bytes, count: count)
    bytes.deallocate()
    bytes = copy
    capacity = larger
  }
}
