/// Faults that one block of a context reads from the store: from the second on they share a snapshot, which is given up when
/// the block ends, or when another connection commits.
struct FaultBurst {
  private var reads = 0

  /// Whether others have been read before the one that is read now.
  var isOpen: Bool { reads > 1 }

  /// Counts one more read.
  mutating func count() { reads += 1 }

  /// The block ends; whether a snapshot may be kept.
  mutating func end() -> Bool {
    defer { reads = 0 }
    return isOpen
  }
}
