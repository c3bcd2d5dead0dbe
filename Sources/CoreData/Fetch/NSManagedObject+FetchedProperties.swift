import RowStore

extension NSManagedObject {
  /// The results of a fetched property's request now, with this object in the place of `$FETCH_SOURCE`; empty for an object
  /// without context.
  ///
  /// - Precondition: the fetch can be carried out.
  final func fetchedValue(_ property: NSFetchedPropertyDescription) -> [Any] {
    guard let context = managedObjectContext, let template = property.fetchRequest else { return [] }
    let request = NSManagedObjectModel.copy(template)
    if let predicate = request.predicate {
      var substitution = PredicateSubstitution(["FETCH_SOURCE": self, "FETCHED_PROPERTY": property])
      request.predicate = substitution.predicate(predicate)
    }
    do {
      return try context.fetch(request)
    } catch {
      preconditionFailure("\(layout.name).\(property.name): its fetch failed: \(error.localizedDescription)")
    }
  }
}
