import Cells
import CoreData
import Scheduling

/// A context that reads one state of the store, whatever is saved beside it, until it takes a newer one.
///
/// Concurrency: used by one thread at a time; objects are touched in blocks of the context.
final class StateReader: @unchecked Sendable {
  // Sendable: the client that has it is used by one thread at a time.
  let name: String
  let context: NSManagedObjectContext
  /// The file as it was when the state was chosen; nil before the first.
  private(set) var state: ObjectGraph?

  init(_ session: CellSession, of client: String) {
    name = "state reader of \(client)"
    context = session.environment.newBackgroundContext(named: name)
  }

  /// Chooses the state that the file has now; the count is the read that chooses it.
  func choose(_ file: ObjectGraph) throws {
    try context.performAndWait {
      context.reset()
      try context.setQueryGenerationFrom(.current)
      _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: DrawnModel.place))
    }
    state = file
  }

  /// Merges a save, which takes the state that the file has now.
  ///
  /// - Parameter save: the saved objects, or a part of them.
  func merge(_ save: [AnyHashable: Any], _ file: ObjectGraph) {
    guard state != nil else { return }
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: save, into: [context])
    state = file
  }

  func end() { context.performAndWait { context.reset() } }
}
