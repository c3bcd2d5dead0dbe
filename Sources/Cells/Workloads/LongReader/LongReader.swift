import Boundary
import Checking
import CoreData
import SQLite
import Scenarios
import Scheduling

/// Keeps an old view of the store again and again: realised objects of a context into which nothing is merged, and beside it a
/// read transaction on the file, as a backup or an extension of the app has one.
///
/// Concurrency: used by one thread at a time.
final class LongReader: @unchecked Sendable {
  // Sendable: `run` is called once, and everything else belongs to it.

  /// Saves between two views, in which the log can be taken over into the file and begun anew.
  private static let pauseSaves = 3

  private let session: CellSession
  private let notes: [PageReader.HeldNote]
  private let saves: SaveCount
  private let viewSaves: Int
  /// A careless reader has no transaction, and reads its held objects anew.
  private let isCareful: Bool
  private let context: NSManagedObjectContext
  private let file: Connection
  /// The notes of the view; only touched on the context's queue.
  private var held: [Note] = []
  private var revisions: [Int64] = []

  init(session: CellSession, notes: [PageReader.HeldNote], saves: SaveCount) throws {
    self.session = session
    self.notes = notes
    self.saves = saves
    viewSaves = session.settings[Keys.viewSaves]
    isCareful = session.settings[Keys.care] == .careful
    context = try session.strategy.makeReader(named: "reader")
    file = try Connection(path: session.directory + "/" + CellFiles.store, mode: .readOnly)
  }

  /// Takes view after view until the writers are done; opens the gate when it has the first.
  func run(hasView: Latch) {
    do {
      repeat {
        let rows = try beginTransaction()
        context.performAndWait { hold() }
        hasView.open()
        _ = saves.wait(for: viewSaves == 0 ? .max / 2 : viewSaves)
        compare("the file", rows, try sums())
        if isCareful { try file.execute("COMMIT") }
        context.performAndWait { compareAndRelease() }
      } while saves.wait(for: Self.pauseSaves)
    } catch {
      session.fail(error)
    }
  }

  // MARK: The file

  private func beginTransaction() throws -> [Int64?] {
    if isCareful { try file.execute("BEGIN") }
    return try sums()
  }

  private func sums() throws -> [Int64?] {
    try ["SELECT COUNT(*) FROM ZNOTE", "SELECT SUM(ZREVISION) FROM ZNOTE", "SELECT COUNT(*) FROM ZWORD"].map {
      try file.int64($0)
    }
  }

  // MARK: The context

  /// Fetches the notes and realises them; on the context's queue.
  private func hold() {
    precondition(held.isEmpty, "a view is given up before the next is taken")
    do {
      held = try notes.compactMap { try context.existingObject(with: context.localID(of: $0.id)) as? Note }
      revisions = held.map(\.revision)
    } catch {
      session.fail(error)
    }
  }

  /// Reads the held objects again and releases them; on the context's queue.
  private func compareAndRelease() {
    if !isCareful { context.refreshAllObjects() }
    // With main as its own reader the view is the one that all write in.
    if context !== session.strategy.mainContext { compare("the context", revisions, held.map(\.revision)) }
    for note in held where !note.hasChanges { context.refresh(note, mergeChanges: false) }
    held = []
  }

  private func compare<Value: Equatable>(_ place: String, _ first: [Value], _ second: [Value]) {
    session.count(\.viewsCompared)
    guard first != second else { return }
    CellReports.report(
      Violation(
        kind: .readSkew, subject: "the reader's view of \(place)", expected: "a view stays as it was when it was taken",
        seen: "\(zip(first, second).count { $0 != $1 }) values changed under the reader"))
  }
}
