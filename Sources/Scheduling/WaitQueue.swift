/// The threads that wait for a queue's turn, in the order they came.
struct WaitQueue {
  /// A thread that waits for its turn.
  final class Waiter: @unchecked Sendable {
    // Sendable: `isNext` is only touched under the graph's lock; the permit locks itself.
    let thread: ThreadRecord
    /// Given when the thread has the turn.
    let granted = Permit()
    /// Whether the thread has the turn already.
    var isNext = false

    init(_ thread: ThreadRecord) { self.thread = thread }
  }

  enum Entry {
    case block(@Sendable () -> Void)
    case waiter(Waiter)
  }

  /// Entries before `first` are taken, and nil so that nothing keeps their objects.
  private var entries: ContiguousArray<Entry?> = []
  private var first = 0

  var isEmpty: Bool { first == entries.count }

  /// The threads that wait, first come, first.
  var waiters: [Waiter] {
    entries[first...].compactMap { entry in
      if case .waiter(let waiter) = entry { waiter } else { nil }
    }
  }

  mutating func join(_ entry: Entry) { entries.append(entry) }

  /// Takes the first entry; nil when there is none.
  mutating func next() -> Entry? {
    guard !isEmpty else { return nil }
    defer {
      entries[first] = nil
      first += 1
      compact()
    }
    return entries[first]
  }

  /// Fewer places of those taken than this are not worth moving the rest.
  private static let takenMax = 64

  private mutating func compact() {
    if isEmpty {
      entries.removeAll(keepingCapacity: entries.count <= Self.takenMax)
      first = 0
    } else if first > Self.takenMax, first * 2 > entries.count {
      entries.removeSubrange(..<first)
      first = 0
    }
  }
}
