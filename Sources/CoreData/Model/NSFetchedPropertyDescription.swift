/// A property with the results of a fetch as its value: an array, fetched anew each time it is read by its name.
///
/// - SeeAlso: Apple, "NSFetchedPropertyDescription".
open nonisolated class NSFetchedPropertyDescription: NSPropertyDescription {
  /// The request to carry out; its predicate may use `$FETCH_SOURCE`, the object that has the property, and
  /// `$FETCHED_PROPERTY`, this description.
  open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    willSet { requireMutable() }
  }

  override func copied() -> NSPropertyDescription {
    let copy = NSFetchedPropertyDescription()
    copyState(to: copy)
    copy.fetchRequest = fetchRequest.map(NSManagedObjectModel.copy)
    return copy
  }

  override func isSame(_ other: NSPropertyDescription) -> Bool {
    guard super.isSame(other), let other = other as? NSFetchedPropertyDescription else { return false }
    guard let fetchRequest, let otherRequest = other.fetchRequest else {
      return fetchRequest == nil && other.fetchRequest == nil
    }
    return fetchRequest.asksTheSame(as: otherRequest)
  }
}
