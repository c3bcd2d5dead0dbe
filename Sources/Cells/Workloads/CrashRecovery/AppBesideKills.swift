import Checking
import CoreData

/// The app beside an extension that is killed: main reads all notes now and then, and holds them.
final class AppBesideKills: @unchecked Sendable {
  // Sendable: the variables are only touched on the main thread.
  let writer: any StrategyWriter
  private let session: CellSession
  private var held: [Note] = []

  init(_ session: CellSession) throws {
    self.session = session
    writer = try session.strategy.makeWriter(named: "app")
  }

  /// Ticks of the heartbeat from one read to the next.
  private static let ticksPerRead = 6

  func tick(_ number: Int) {
    guard number.isMultiple(of: Self.ticksPerRead) else { return }
    do {
      held = try notes()
    } catch {
      session.fail(error)
    }
  }

  private func notes() throws -> [Note] {
    let request = Note.request()
    // By the time that a fault is read, its row may be deleted.
    request.returnsObjectsAsFaults = false
    return try session.strategy.mainContext.fetch(request)
  }

  /// Checks whether main, which has heard of everything, shows the objects in the file.
  func compare(with file: ChainContents) {
    let gone = held.filter { !$0.isDeleted && $0.managedObjectContext != nil && file.notes[$0.number] == nil }
    for note in gone { report(note, expected: "a note that is in the file") }
    do {
      for note in try notes() {
        guard let stored = file.notes[note.number] else { continue }
        session.count(\.valuesCompared)
        if note.revision != stored.revision { report(note, expected: "revision \(stored.revision), as in the file") }
      }
    } catch {
      session.fail(error)
    }
  }

  private func report(_ note: Note, expected: String) {
    CellReports.report(
      Violation(
        kind: .staleRead, subject: "Note on main", expected: expected,
        seen: "note \(note.number) of revision \(note.revision)"))
  }
}
