import CoreData

/// Follows a fetched results controller: replays the changes that it reports on a list of its own.
///
/// On the context's queue.
final class ControllerFollower: NSObject, NSFetchedResultsControllerDelegate {
  private typealias List = ShadowList<NSManagedObject>

  private let controller: NSFetchedResultsController<NSManagedObject>
  private var list = List()
  private var changes = List.Changes()
  /// What could not be replayed first.
  private var problem: String?

  /// Follows what a request finds.
  ///
  /// - Throws: what the fetch throws.
  init(_ context: NSManagedObjectContext, _ request: NSFetchRequest<NSManagedObject>) throws {
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    super.init()
    controller.delegate = self
    try fetch()
  }

  /// Begins anew with what the request finds now.
  ///
  /// - Throws: what the fetch throws.
  func fetch() throws {
    try controller.performFetch()
    (list, problem) = (shown, nil)
  }

  /// Hears of nothing any more.
  func end() { controller.delegate = nil }

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
