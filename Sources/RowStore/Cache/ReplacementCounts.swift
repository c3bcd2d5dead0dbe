import Synchronization

/// Counts when rows that a cache listed are not listed any more, modulo 2³²: one count for each ``KeyGroup``. A row that was
/// listed since its group's last time is still the newest, whatever became of others.
final class ReplacementCounts: @unchecked Sendable {
  // Sendable: the pointer never changes, and the numbers behind it are atomic.

  private let counts: UnsafeMutablePointer<Atomic<UInt32>>

  init() {
    counts = .allocate(capacity: KeyGroup.count)
    for group in 0..<KeyGroup.count { (counts + group).initialize(to: Atomic(0)) }
  }

  deinit {
    counts.deinitialize(count: KeyGroup.count)
    counts.deallocate()
  }

  /// The count of the row's group. Takes no lock.
  @inline(__always)
  subscript(identity: RowIdentity) -> UInt32 { counts[KeyGroup.of(identity)].load(ordering: .acquiring) }

  /// Counts a row that is not listed any more.
  func record(_ identity: RowIdentity) { raise(KeyGroup.of(identity)) }

  /// Counts rows that are not listed any more. Complexity: O(*n*), and less for each row that follows a neighbour.
  func record(_ identities: some Sequence<RowIdentity>) {
    var last: Int?
    for identity in identities {
      let group = KeyGroup.of(identity)
      if group != last { raise(group) }
      last = group
    }
  }

  /// Counts all rows as not listed any more.
  func recordAll() { for group in 0..<KeyGroup.count { raise(group) } }

  private func raise(_ group: Int) { counts[group].wrappingAdd(1, ordering: .releasing) }
}
