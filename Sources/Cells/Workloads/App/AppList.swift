import CoreData

/// A list on main that a fetched results controller follows, as a table would: it draws its rows anew when they change.
///
/// On the main thread.
final class AppList: NSObject, NSFetchedResultsControllerDelegate {
  /// Rows on the screen.
  private static let rows = 20

  private let session: CellSession
  private let controller: NSFetchedResultsController<Note>

  /// - Throws: the fetch's error.
  init(_ session: CellSession) throws {
    self.session = session
    let request = Note.request()
    request.sortDescriptors = ["createdAt", "number"].map { NSSortDescriptor(key: $0, ascending: false) }
    request.fetchBatchSize = Self.rows
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: session.strategy.mainContext, sectionNameKeyPath: nil,
      cacheName: nil)
    super.init()
    controller.delegate = self
    try controller.performFetch()
  }

  /// Follows no more.
  func end() { controller.delegate = nil }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    session.count(\.controllerChanges)
    for note in self.controller.fetchedObjects?.prefix(Self.rows) ?? [] { _ = note.title?.isEmpty }
  }
}
