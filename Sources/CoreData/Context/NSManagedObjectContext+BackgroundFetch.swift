import RowStore

extension NSManagedObjectContext {
  /// As ``fetch(_:)``, with the rows that the store has just given for the request; nil where it was not asked.
  ///
  /// Where this context has unsaved changes that count, the store is asked again.
  final func fetch<Result>(_ request: NSFetchRequest<Result>, havingRead rows: [Row]?) throws -> [Result] {
    guard let rows, !request.shouldRefreshRefetchedObjects, changes.isEmpty || !request.includesPendingChanges,
      let coordinator
    else { return try fetch(request) }
    // A save may have come between: its rows are newer, and what it deleted is gone.
    let objects = try rows.compactMap { row in
      try coordinator.row(row.identity, layout: row.layout).map(object(of:))
    }
    if request.resultType.contains(.managedObjectIDResultType) { return try Self.results(objects.map(\.objectID)) }
    if !request.returnsObjectsAsFaults {
      for object in objects where object.values == nil { object.snapshot.map(object.fill) }
    }
    return try Self.results(objects)
  }
}
