/// Receives the changes of a fetched results controller; every method may be left out.
///
/// A delegate with ``controller(_:didChangeContentWith:)`` gets only that where the controller has no sections. All
/// others get, on the context's queue and only when something changed: ``controllerWillChangeContent(_:)`` with the
/// controller's list still the old one, then with the new one the sections that left and came, the objects that left,
/// came, moved, and changed in place, and ``controllerDidChangeContent(_:)``.
///
/// Index paths in `at` are those of the old list, index paths in `newIndexPath` those of the new one, so that all calls
/// together turn the one into the other: removing objects that left and moved, from the end to the front, and then inserting
/// those that came and moved, from the front to the end. Sections are reported in the same order.
///
/// A method counts where the class that declares its conformance to the protocol has it; one that only a subclass has is
/// not found.
/// - SeeAlso: Apple, "NSFetchedResultsControllerDelegate".
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
  /// The list became another: IDs by their offsets in the old and the new one.
  ///
  /// An object that moved, or changed in place, is taken out and put in, with each other's offset. An object that got its
  /// permanent ID is taken out under the temporary one and put in at the same place.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

  /// An object came (`at` is nil), left (`newIndexPath` is nil), moved, or changed in place.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

  /// A section came, with its index in the new list, or left, with its index in the old one.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType)

  /// Changes are about to be reported; the controller has its old list.
  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// All changes were reported.
  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>)

  /// The index title of a section; by default the capitalised first letter of its name.
  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String?
}

extension NSFetchedResultsControllerDelegate {
  /// Says that the delegate has no such method, so that the others are called.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
  ) {
    controller.results.disableDifferences()
  }

  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {}

  /// Does nothing.
  public func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

  /// Does nothing.
  public func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}

  /// The capitalised first letter of the name.
  public func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    sectionIndexTitleForSectionName sectionName: String
  ) -> String? {
    FetchedResults.defaultIndexTitle(sectionName)
  }
}
