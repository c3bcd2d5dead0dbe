import Boundary
import CoreData
import Scenarios
import Scheduling

/// Lets the cell's code paths run once before anything is timed: a small import into a store of its own, through the
/// same strategy.
enum WarmUp {
  private static let notes = 60
  private static let wordsPerNote = 10
  private static let notesPerSave = 15

  /// Runs and then calls `next`; both on main.
  ///
  /// - Throws: An error of making the store or the strategy.
  static func run(
    _ request: CellRequest, _ type: any Strategy.Type, meter: MainThreadMeter,
    then next: @escaping @Sendable () -> Void
  ) throws {
    let folder = request.directory + "/warm-up"
    precondition(notes.isMultiple(of: notesPerSave), "no save of the warm-up reaches beyond its notes")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let environment = StrategyEnvironment(
      container: try NotebookStore.open(in: folder, request.settings, for: type),
      settings: request.settings, meter: meter)
    let strategy = try type.init(environment)
    let writer = try strategy.makeWriter(named: "warm-up")
    let notebook = VocabularyNotebook(notes: notes, wordsPerNote: wordsPerNote, seed: request.key.seed)
    let pool = WorkPool(label: "warm-up", width: 1)
    pool.submit("warm-up") {
      do {
        for start in stride(from: 1, through: notes, by: notesPerSave) {
          try writer.write {
            notebook.insert(notes: start..<start + notesPerSave, into: $0)
          } reached: { _ in
          }
        }
      } catch {
        CellExit.fail("the warm-up failed: \(error)")
      }
    }
    pool.notifyWhenAllFinished(on: .main) {
      strategy.whenMainIsCurrent {
        do {
          for note in try strategy.mainContext.fetch(Note.request()) { _ = note.title?.isEmpty }
          try FileManager.default.removeItem(atPath: folder)
        } catch {
          CellExit.fail("the warm-up failed: \(error)")
        }
        next()
      }
    }
  }
}
