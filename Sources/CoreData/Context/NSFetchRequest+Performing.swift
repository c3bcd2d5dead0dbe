import RowStore

extension NSFetchRequest {
  /// See ``execute()``.
  final func fetchInPerformingContext() throws -> [ResultType] {
    guard let context = ContextBlocks.performing else {
      throw NSError.coreData(
        NSPersistentStoreOperationError,
        "A fetch request is carried out by execute() only inside a block of a context; use perform, or context.fetch(_:)."
      )
    }
    return try context.fetch(self)
  }
}
