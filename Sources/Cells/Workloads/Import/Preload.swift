import CoreData
import Scheduling

/// Fills the store before a workload's own operations, through the strategy, with every row in the history.
enum Preload {
  /// Objects in each save of a preload.
  private static let saveEvery = 500

  /// Writes the notes on a background thread, then calls `body` on main with the notes' IDs by number.
  static func run(
    _ session: CellSession, _ notebook: VocabularyNotebook, notes: Range<Int>,
    then body: @escaping @Sendable ([Int: NSManagedObjectID]) -> Void
  ) throws {
    let plan = ImportPlan(notes: notes, wordsPerNote: notebook.wordsPerNote, importers: 1, saveEvery: saveEvery)
    precondition(plan.batches.count == 1, "one client fills the store")
    let client = ImportClient(
      session: session, notebook: notebook, writer: try session.strategy.makeWriter(named: "preload"),
      recorder: try session.makeRecorder(), phase: "preload")
    let pool = WorkPool(label: "preload", width: 1)
    pool.submit("preload") { client.run(plan.batches[0]) }
    pool.notifyWhenAllFinished(on: .main) {
      session.strategy.whenMainIsCurrent {
        do {
          body(try identifiers(of: notes, in: session.strategy.mainContext))
        } catch {
          session.fail(error)
        }
      }
    }
  }

  /// The IDs of all notes; main forgets the objects, so that every strategy starts from faults.
  private static func identifiers(
    of numbers: Range<Int>, in main: NSManagedObjectContext
  ) throws -> [Int: NSManagedObjectID] {
    let notes = try main.fetch(Note.request())
    var identifiers: [Int: NSManagedObjectID] = [:]
    for note in notes {
      guard identifiers.updateValue(note.objectID, forKey: Int(note.number)) == nil else {
        throw UnexpectedAnswer(subject: "note \(note.number)", expected: "one row", seen: "several")
      }
    }
    if let missing = numbers.first(where: { identifiers[$0] == nil }) {
      throw UnexpectedAnswer(subject: "note \(missing)", expected: "its row, once main is current", seen: "no row")
    }
    main.reset()
    return identifiers
  }
}
