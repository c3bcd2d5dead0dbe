import CoreData

/// The reports of a controller to its delegate, as text and as steps to be replayed.
final class DelegateLog: NSObject, NSFetchedResultsControllerDelegate {
  private(set) var lines: [String] = []
  /// The steps of each event.
  private(set) var events: [ShadowTable.Steps] = []
  private var steps = ShadowTable.Steps()
  /// Called inside each call.
  var onCall: ((String) -> Void)?

  /// The lines since the last call.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  func takeEvents() -> [ShadowTable.Steps] {
    defer { events = [] }
    return events
  }

  private func note(_ line: String) {
    lines.append(line)
    onCall?(line)
  }

  private func text(_ path: IndexPath?) -> String { path.map { "\($0.section).\($0.item)" } ?? "-" }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    steps = ShadowTable.Steps()
    note("will")
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    events.append(steps)
    note("did")
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    steps.add(section: sectionIndex, name: sectionInfo.name, type)
    note("section \(type) \(sectionIndex) \(sectionInfo.name) of \(sectionInfo.numberOfObjects)")
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    guard let card = anObject as? NSManagedObject else { return }
    steps.add(ObjectIdentifier(card), at: indexPath, type, newIndexPath)
    let rank = card.managedObjectContext == nil ? "gone" : "\((card as? Card)?.rank ?? -1)"
    note("\(type) \(rank) \(text(indexPath)) \(text(newIndexPath))")
  }
}

/// A delegate that takes collection differences.
final class DifferenceLog: NSObject, NSFetchedResultsControllerDelegate {
  private(set) var differences: [CollectionDifference<NSManagedObjectID>] = []
  private(set) var otherCalls = 0
  /// Called inside each call with a difference.
  var onCall: (() -> Void)?

  func take() -> [CollectionDifference<NSManagedObjectID>] {
    defer { differences = [] }
    return differences
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    differences.append(diff)
    onCall?()
  }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    otherCalls += 1
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    otherCalls += 1
  }
}
