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
    let client = ImportClient(
      session: session, notebook: notebook, writer: try session.strategy.makeWriter(named: "preload"),
      recorder: try session.makeRecorder(), phase: "preload")
    let pool = WorkPool(label: "preload", width: 1)
    pool.submit("preload") { client.run(plan.batches[0]) }
    pool.notifyWhenAllFinished(on: .main) {
      session.strategy.whenMainIsCurrent {
        do {
          body(try identifiers(in: session.strategy.mainContext))
        } catch {
          session.fail(error)
        }
      }
    }
  }

  /// The IDs of all notes; main forgets the objects, so that every strategy starts from faults.
  private static func identifiers(in main: NSManagedObjectContext) throws -> [Int: NSManagedObjectID] {
    let notes = try main.fetch(Note.request())
    let identifiers = Dictionary(uniqueKeysWithValues: notes.map { (Int($0.number), $0.objectID) })
    main.reset()
    return identifiers
  }
}
