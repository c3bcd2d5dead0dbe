import Scheduling

/// Saves of others that wait to be merged into a context, and the state while one of them is merged.
///
/// Concurrency: saves arrive on any thread; everything else is used on the context's queue.
final class Inbox: @unchecked Sendable {
  // Sendable: the list has a lock; the context's queue protects the rest.
  private let arrivals = Locked<[SaveRecord]>([])
  @exclusivity(unchecked)
  private var barriers = 0
  /// The pushes of this child while saves of its parent wait to be merged here.
  var unmergedPushes = UnmergedPushes()
  /// Rows for faults that do not ask the parent: while observers are notified of a merge that did not wait for it.
  @exclusivity(unchecked)
  var rowsAtHand: RowsAtHand?

  /// Whether saves of others must wait: in a save, a merge, the processing of changes.
  var isClosed: Bool { barriers > 0 }

  /// Whether no save waits. Any thread.
  var isEmpty: Bool { arrivals.withLock(\.isEmpty) }

  /// Adds a save that waits. Any thread.
  func add(_ record: SaveRecord) { arrivals.withLock { $0.append(record) } }

  /// The saves that wait, in the order in which they came; none waits afterwards.
  func removeAll() -> [SaveRecord] {
    arrivals.withLock { arrivals in
      defer { arrivals = [] }
      return arrivals
    }
  }

  /// Saves of others must wait from now on, until ``open()`` was called as often.
  func close() { barriers += 1 }

  /// - Returns: whether saves of others may be merged again.
  func open() -> Bool {
    precondition(barriers > 0, "an inbox is opened as often as it was closed")
    barriers -= 1
    return barriers == 0
  }
}
