import Foundation
import SQLite
import Scheduling
import Synchronization

/// Notices each commit to a store's file, of whatever connection and process; several in a row may be noticed as one, and
/// the last always is.
///
/// A connection of this process says that it has committed. Other processes are noticed by their writes to the log. Whether
/// there is a newer state is asked of a connection of its own, that nothing else reads with.
package final class StoreWatch: @unchecked Sendable {
  // Sendable: the one that made the watch busy uses its connection.

  fileprivate struct State: Sendable {
    var isBusy = false
    /// Whether there is another look to be taken after the one under way.
    var isAsked = false
    var isClosed = false
    var seen: Seen?
  }

  /// A state of the file.
  fileprivate struct Seen: Equatable {
    let version: Int64
    /// The last transaction of the history; nil where there is none.
    let transaction: Int64?
  }

  /// In the order in which they were opened, so that a schedule comes back.
  private static let open = Locked<[WeakWatch]>([])
  private static let count = Atomic<Int>(0)

  private struct WeakWatch: Sendable {
    weak var watch: StoreWatch?
  }

  private let path: String
  /// The simulated process that watches.
  private let process = SimulatedProcess.current
  private let connection: Connection
  private let hasHistory: Bool
  private let onChange: @Sendable () -> Void
  private let queue = SerialQueue(label: "remote changes")
  private let state = Locked(State())
  private let isLookEnqueued = Atomic<Bool>(false)
  private let isPostEnqueued = Atomic<Bool>(false)
  private let file = Locked<Int?>(nil)

  /// - Parameters:
  ///   - hasHistory: whether the history has each commit.
  ///   - onChange: called on a queue of its own.
  init(
    _ path: String, _ connection: Connection, hasHistory: Bool, onChange: @escaping @Sendable () -> Void
  ) throws {
    self.path = path
    self.connection = connection
    self.onChange = onChange
    self.hasHistory = hasHistory
    let seen = try look()
    state.withLock { $0.seen = seen }
    Self.open.withLock { $0.append(WeakWatch(watch: self)) }
    Self.count.add(1, ordering: .releasing)
    guard !Simulation.isRunning else {
      Simulation.hasUnseen("a commit past every store, to a file that one watches")
      return
    }
    let log = FileManager.default.fileExists(atPath: path + "-wal") ? path + "-wal" : path
    let number = FileWatch.shared.add(log) { [weak self] in self?.check() ?? true }
    file.withLock { $0 = number }
  }

  /// Ends the watch.
  func close() {
    if let number = file.withLock({ $0 }) { FileWatch.shared.remove(number) }
    Self.open.withLock { $0.removeAll { $0.watch == nil || $0.watch === self } }
    Self.count.subtract(1, ordering: .releasing)
    let isIdle = state.withLock { state in
      precondition(!state.isClosed, "a watch is closed once")
      state.isClosed = true
      return !state.isBusy
    }
    if isIdle { connection.close() }
  }

  /// Notes a commit to the file at `path` by a connection of this process.
  @inline(__always)
  static func noteCommit(_ path: String) {
    if count.load(ordering: .relaxed) > 0 { tell(path) }
  }

  @inline(never)
  private static func tell(_ path: String) {
    for watch in open.withLock({ $0.compactMap(\.watch) }) where watch.path == path { watch.hear() }
  }

  /// Lets the other processes of a simulation look at what a killed one left: the system tells them of its last writes.
  package static func noteKill(of process: SimulatedProcess) {
    open.withLock { $0.removeAll { $0.watch?.process === process } }
    for watch in open.withLock({ $0.compactMap(\.watch) }) { watch.hear() }
  }

  private func hear() {
    guard let process, process !== SimulatedProcess.current else { return enqueueLook() }
    guard !isLookEnqueued.exchange(true, ordering: .acquiringAndReleasing) else { return }
    process.run("file watch") { [weak self] in
      self?.isLookEnqueued.store(false, ordering: .releasing)
      _ = self?.check()
    }
  }

  private func enqueueLook() {
    guard !isLookEnqueued.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [weak self] in
      guard let self else { return }
      isLookEnqueued.store(false, ordering: .releasing)
      _ = check()
    }
  }

  /// Looks whether there is a newer state; false while a transaction is being written that may be committed without
  /// another sign.
  private func check() -> Bool {
    let isMine = state.withLock { state in
      guard !state.isClosed else { return false }
      if state.isBusy { state.isAsked = true }
      defer { state.isBusy = true }
      return !state.isBusy
    }
    guard isMine else { return true }
    var isSettled = true
    while true {
      // Before the look, so that commits made by then are seen.
      isSettled = Simulation.isRunning || !FileLocks.isWriting(path)
      let now = try? look()
      let (isNew, isDone, isClosed) = state.withLock { state in
        let isNew = now.map { $0.differs(from: state.seen) } ?? false
        if let now { state.seen = now }
        defer { state.isAsked = false }
        if !state.isAsked || state.isClosed { state.isBusy = false }
        return (isNew, !state.isAsked || state.isClosed, state.isClosed)
      }
      if isNew, !isClosed { enqueuePost() }
      if isClosed { connection.close() }
      if isDone { return isSettled || isClosed }
    }
  }

  private func enqueuePost() {
    guard !isPostEnqueued.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.async { [weak self] in
      guard let self else { return }
      isPostEnqueued.store(false, ordering: .releasing)
      onChange()
    }
  }

  private func look() throws -> Seen {
    let version = try connection.cachedForChecks("PRAGMA data_version")
    defer { version.reset() }
    _ = try version.step()
    return Seen(
      version: version.int64(at: 0),
      transaction: try hasHistory ? HistorySchema.lastTransaction(connection) : nil)
  }
}

extension StoreWatch.Seen {
  /// Whether something was committed that others want to know of: where there is a history, it says so.
  fileprivate func differs(from other: Self?) -> Bool {
    guard let other, let transaction, let last = other.transaction else { return self != other }
    return transaction != last
  }
}
