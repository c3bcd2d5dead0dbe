import CoreData

/// Counts how often it is asked about a fault without a row.
final class UnaskedContext: NSManagedObjectContext, @unchecked Sendable {
  // Sendable: asked on its own queue.
  private(set) var asked = 0

  override func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
  ) -> Bool {
    asked += 1
    return super.shouldHandleInaccessibleFault(fault, for: oid, triggeredByProperty: property)
  }
}
