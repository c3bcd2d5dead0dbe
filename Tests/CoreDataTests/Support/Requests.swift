import CoreData

extension NSManagedObjectContext {
  /// The result of a batch request; on this context's queue.
  func result(_ request: NSPersistentStoreRequest) throws -> Any? {
    switch try execute(request) {
    case let result as NSBatchInsertResult: result.result
    case let result as NSBatchUpdateResult: result.result
    case let result as NSBatchDeleteResult: result.result
    default: nil
    }
  }
}
