import Checking
import CoreData
import Scenarios
import Scheduling

/// One client of `store-lifecycle`: opens, fills, closes, copies and exchanges stores, step by step.
///
/// Concurrency: used by one thread at a time.
final class LifecycleClient: @unchecked Sendable {
  // Sendable: a client's steps follow each other, they never run at once.

  /// Rows of each save.
  private static let rowsPerSave: Int64 = 5
  /// Values of a row: in the first store, in the one that takes its place, and in a late save to the first.
  private static let (valueBefore, valueAfter, valueOfOld): (Int64, Int64, Int64) = (1, 2, 3)

  private let session: CellSession
  /// From 0, among those of all processes.
  let number: Int
  private let recorder: WorkerRecorder
  private let files: LifecycleFiles
  /// The rows that this process's clients know to be in the shared store.
  private let known: Locked<Set<Int64>>
  private var saves: Int64 = 0
  private var victim: (store: LifecycleStore, row: LifecycleStore.Held)?

  init(_ session: CellSession, number: Int, _ files: LifecycleFiles, known: Locked<Set<Int64>>) throws {
    precondition(0..<1 << 16 ~= number, "a client's number has 16 bits")
    self.session = session
    self.number = number
    self.files = files
    self.known = known
    recorder = try session.makeRecorder(kinds: LifecycleStep.allCases.count)
  }

  private var environment: StrategyEnvironment { session.environment }

  /// Does one step of a round.
  func perform(_ step: LifecycleStep, round: Int) {
    let begin = OperationStart.now()
    switch step {
    case .create: use(files.created(in: round))
    case .reopen: for _ in 0..<session.settings[Keys.reopenings] { useShared() }
    case .hold: if isHolder(in: round) { hold(round) } else { useShared() }
    case .exchange: if isHolder(in: round) { useShared() } else { exchange(round) }
    case .save: if isHolder(in: round) { saveToOld(round) } else { useShared() }
    case .look: if isHolder(in: round) { useShared() } else { look(round) }
    case .copy:
      copyFile(round)
      copyShared(round)
    }
    recorder.record(step.rawValue, in: "store-lifecycle", since: begin)
  }

  // MARK: Opening and closing

  /// Opens a store that others open too, or makes it, adds rows and closes it.
  private func use(_ path: String) {
    let keys = nextKeys()
    guard let store = attempt("opening", { try LifecycleStore(path, environment) }) else { return }
    let saved: Void? = attempt("saving") { try store.insert(keys, value: Self.valueBefore) }
    let rows = attempt("fetching") { try store.rows() }
    let closed: Void? = attempt("closing") { try store.close() }
    guard saved != nil, let rows, closed != nil else { return }
    report(LifecycleRules.saved(keys, found: rows.map(\.key)))
  }

  /// The same with the store that is judged in the end: its saves are in the history.
  private func useShared() {
    let keys = nextKeys()
    guard let store = attempt("opening", { try LifecycleStore(files.shared, environment) }) else { return }
    record(.invoke, keys)
    let saved: Void? = attempt("saving") { try store.insert(keys, value: Self.valueBefore) }
    // A refused save has left nothing; one that broke off may have.
    record(saved == nil ? .info : .ok, keys)
    if saved != nil {
      session.countAcknowledged(keys.count)
      known.withLock { $0.formUnion(keys) }
    }
    _ = attempt("closing") { try store.close() }
  }

  private func nextKeys() -> Range<Int64> {
    precondition(saves < 1 << 40, "keys have room for all of a client's saves")
    let first = ((saves << 16) + Int64(number)) * Self.rowsPerSave + 1
    saves += 1
    return first..<first + Self.rowsPerSave
  }

  private func record(_ type: OperationType, _ keys: Range<Int64>) {
    recorder.record(
      type, .insert, entity: KeyedSchema.entityNumber, key: keys.lowerBound, count: Int64(keys.count),
      value: Self.valueBefore)
  }

  // MARK: Exchanging

  /// In each round the clients of one process exchange the stores that those of the others have open.
  private func isHolder(in round: Int) -> Bool { session.share.index != round % session.share.count }

  /// Opens a store of its own and reads its row.
  private func hold(_ round: Int) {
    precondition(victim == nil, "the store of the round before was closed")
    let path = files.victim(number, in: round)
    victim = attempt("opening") {
      let store = try LifecycleStore(path, environment)
      try store.insert(1..<2, value: Self.valueBefore)
      return (store, try store.hold(1))
    }
  }

  /// Replaces the stores of the other processes' clients by others, with a row of the same key and version.
  private func exchange(_ round: Int) {
    for path in victims(in: round) {
      if round / session.share.count % 2 == 0 {
        attempt("destroying") { try LifecycleStore.destroy(path, environment) }
        make(path)
      } else {
        make(path + "-new")
        attempt("replacing") { try LifecycleStore.replace(path, with: path + "-new", environment) }
      }
    }
  }

  private func make(_ path: String) {
    _ = attempt("opening") {
      let store = try LifecycleStore(path, environment)
      try store.insert(1..<2, value: Self.valueAfter)
      try store.close()
    }
  }

  private func saveToOld(_ round: Int) {
    guard let (store, row) = victim else { return }
    victim = nil
    let changes = LifecycleStore.Change.allCases
    let change = changes[(round + number) % changes.count]
    session.count(\.savesToReplacedStores)
    do {
      try store.change(row, by: change, value: Self.valueOfOld)
      report(LifecycleRules.refused(change, by: nil))
    } catch {
      report(LifecycleRules.refused(change, by: error))
    }
    _ = attempt("closing") { try store.close() }
  }

  private func look(_ round: Int) {
    for path in victims(in: round) {
      guard
        let rows = attempt(
          "opening",
          {
            let store = try LifecycleStore(path, environment)
            let rows = try store.rows()
            try store.close()
            return rows
          })
      else { continue }
      report(LifecycleRules.exchanged(rows, has: LifecycleStore.Row(key: 1, value: Self.valueAfter)))
    }
  }

  /// The stores of the other processes' clients that this one exchanges.
  private func victims(in round: Int) -> [String] {
    let total = session.settings[Keys.clients]
    let own = session.share.part(of: total)
    precondition(own.contains(number), "a client is one of its process")
    let others = (0..<total).filter { !own.contains($0) }
    return others.enumerated().filter { $0.offset % own.count == number - own.lowerBound }
      .map { files.victim($0.element, in: round) }
  }

  // MARK: Copying

  /// Closes a store that is open only here, and copies its file.
  private func copyFile(_ round: Int) {
    let path = files.own(number, in: round)
    let keys = nextKeys()
    guard
      let store = attempt(
        "opening",
        {
          let store = try LifecycleStore(path, environment)
          try store.insert(keys, value: Self.valueBefore)
          try store.close()
          return store
        })
    else { return }
    report(LifecycleRules.closed(leaving: LifecycleStore.descriptors(of: path)))
    // A reference to the store does not keep it open.
    withExtendedLifetime(store) { lookAtFile(path, keys) }
  }

  /// Copies the store that all write to, by the coordinator's ways.
  private func copyShared(_ round: Int) {
    let before = known.current
    let path = files.copy(number, in: round)
    if (round + number).isMultiple(of: 2) {
      guard
        attempt("copying", { try LifecycleStore.replace(path, with: files.shared, environment) }) != nil
      else { return }
      look(at: path, "replaced", before.sorted())
    } else {
      let moved: Void? = attempt("copying") {
        let store = try LifecycleStore(files.shared, environment)
        try store.move(to: path)
        try store.close()
      }
      if moved != nil { look(at: path, "moved", before.sorted()) }
    }
  }

  /// Copies the file of a store, without its log, and looks at the copy.
  private func lookAtFile(_ path: String, _ keys: Range<Int64>) {
    let copy = path + "-copy"
    do {
      try FileManager.default.copyItem(atPath: path, toPath: copy)
    } catch {
      session.fail(error)
    }
    look(at: copy, "file of a closed store", Array(keys))
  }

  private func look(at copy: String, _ kind: String, _ keys: [Int64]) {
    session.count(\.copiesRead)
    for violation in LifecycleRules.copy(copy, kind, has: keys) { report(violation) }
  }

  // MARK: Reports

  /// Does something that may only fail for good reason; nil, and a report, when it failed.
  private func attempt<Value>(_ doing: String, _ body: () throws -> Value) -> Value? {
    do {
      return try body()
    } catch {
      report(LifecycleRules.failure(doing, error))
      return nil
    }
  }

  private func report(_ violation: Violation?) {
    if let violation { CellReports.report(violation) }
  }
}
