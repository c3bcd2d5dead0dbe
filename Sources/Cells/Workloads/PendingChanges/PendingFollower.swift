import CoreData

/// A list of a client's words by a fetched results controller on the client's own context: it replays the reported changes
/// on a list of its own.
///
/// On the context's queue.
final class PendingFollower: NSObject, NSFetchedResultsControllerDelegate {
  private typealias List = ShadowList<NSManagedObject>

  private let controller: NSFetchedResultsController<Word>
  private var list = List()
  private var changes = List.Changes()
  /// What could not be replayed first.
  private var problem: String?

  /// Follows the words of the round's notes, whichever of the two they have.
  ///
  /// - Throws: what the fetch throws.
  init(_ context: NSManagedObjectContext, _ page: PendingPage) throws {
    let request = NSFetchRequest<Word>(entityName: "Word")
    request.predicate = NSPredicate(format: "note IN %@", [page.first, page.second])
    request.sortDescriptors = ["term", "number"].map { NSSortDescriptor(key: $0, ascending: true) }
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    super.init()
    controller.delegate = self
    try controller.performFetch()
    list = shown
  }

  /// What is wrong with the replayed list, once every change is processed; nil when it is the controller's, which is a fresh
  /// fetch.
  ///
  /// - Throws: what the fetch throws.
  func problemNow() throws -> String? {
    controller.managedObjectContext.processPendingChanges()
    defer { problem = nil }
    if let problem { return problem }
    let describe = { (object: NSManagedObject) in "\(object.objectID)" }
    if let difference = list.difference(from: shown, describe) { return "beside the controller's list: \(difference)" }
    let fetched = try controller.managedObjectContext.fetch(controller.fetchRequest)
    let fresh = List([List.Section(name: "", items: fetched)])
    guard let difference = list.difference(from: fresh, describe) else { return nil }
    return "beside a fresh fetch: \(difference)"
  }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    changes = List.Changes()
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    let found = changes.add(anObject, type, from: indexPath, to: newIndexPath)
    problem = problem ?? found
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    guard let found = list.apply(changes) else { return }
    problem = problem ?? found
    list = shown
  }

  /// What the controller lists.
  private var shown: List { List([List.Section(name: "", items: controller.fetchedObjects ?? [])]) }
}
