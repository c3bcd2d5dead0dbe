import Checking
import CoreData
import Measuring

/// A screen that receives its list's changes as collection differences of IDs.
///
/// On the main thread.
final class DifferenceFollower: NSObject, NSFetchedResultsControllerDelegate {
  private let session: CellSession
  private let name: String
  private let lapse: ScreenMistake?
  private let controller: NSFetchedResultsController<Note>
  private var list: [NSManagedObjectID] = []

  /// Starts to follow.
  ///
  /// - Parameter lapse: its mistake; nil where its list changes by the differences, and only by them.
  /// - Throws: the fetch's error.
  init(_ session: CellSession, name: String, request: NSFetchRequest<Note>, lapse: ScreenMistake? = nil) throws {
    self.session = session
    self.name = name
    self.lapse = lapse
    controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: session.strategy.mainContext, sectionNameKeyPath: nil,
      cacheName: nil)
    super.init()
    controller.delegate = self
    try controller.performFetch()
    list = shown
  }

  /// Compares the list with a fresh fetch, once main is current; throws the fetch's error.
  func compareWithFetch() throws {
    let fetched = try controller.managedObjectContext.fetch(controller.fetchRequest).map(\.objectID)
    compare(with: fetched, "the list is a fresh fetch once main is current")
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    let begin = OperationStart.now()
    if lapse == .isDeaf { return }
    let changed = applying(diff)
    session.count(\.controllerChanges, diff.count)
    session.main.record("controller-difference", in: "churn", since: begin)
    if let changed {
      list = changed
      compare(with: shown, "the difference turns the old list into the new one")
    } else {
      report("the difference turns the old list into the new one", "it cannot be applied to the old list")
    }
  }

  private func applying(_ difference: CollectionDifference<NSManagedObjectID>) -> [NSManagedObjectID]? {
    switch lapse {
    case .dropsInserts: list.applying(difference).map { $0.dropLast() }
    case .forgetsList: [].applying(difference)
    default: list.applying(difference)
    }
  }

  private var shown: [NSManagedObjectID] { (controller.fetchedObjects ?? []).map(\.objectID) }

  private func compare(with other: [NSManagedObjectID], _ expected: String) {
    let lists = [list, other].map { ShadowList([ShadowList.Section(name: "", items: $0)]) }
    guard let difference = lists[0].difference(from: lists[1], { "\($0)" }) else { return }
    report(expected, difference)
  }

  /// Reports, and starts anew.
  private func report(_ expected: String, _ seen: String) {
    CellReports.report(
      Violation(kind: .controllerDivergence, subject: name, expected: expected, seen: seen))
    list = shown
  }
}
