/// Bytes bound to one statement: copied here once, so that SQLite need not copy them into an allocation of its own.
///
/// Bytes that do not fit are refused, never moved: addresses handed out stay valid until ``reset()``.
final class BindingArena {
  /// Bytes an arena holds; a row's texts are rarely longer, and longer ones are copied by SQLite.
  static let capacity = 16 * 1024

  private var start: UnsafeMutableRawPointer?
  private var used = 0

  deinit { start?.deallocate() }

  /// A copy of `bytes` that stays where it is until ``reset()``; nil when the arena is full.
  func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
    guard used + bytes.count <= Self.capacity else { return nil }
    let base = start ?? allocate()
    let place = base + used
    if let source = bytes.baseAddress { place.copyMemory(from: source, byteCount: bytes.count) }
    used += bytes.count
    return place
  }

  func reset() { used = 0 }

  private func allocate() -> UnsafeMutableRawPointer {
    let allocated = UnsafeMutableRawPointer.allocate(byteCount: Self.capacity, alignment: 8)
    start = allocated
    return allocated
  }
}
