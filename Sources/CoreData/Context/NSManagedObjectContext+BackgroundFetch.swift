import RowStore

extension NSManagedObjectContext {
  /// As ``fetch(_:)->[Result]``, with the rows that the store gave for the request a while ago; nil where it was not asked.
  ///
  /// The answer is of one state: those rows and nothing newer. Where this context has unsaved changes that count, or knows
  /// something newer than the rows, the store is asked again.
  ///
  /// - Parameter known: ``knownSaves`` before the store was asked.
  final func fetch<Result>(
    _ request: NSFetchRequest<Result>, havingRead rows: [Row]?, since known: KnownSaves
  ) throws -> [Result] {
    guard let rows, !request.shouldRefreshRefetchedObjects, changes.isEmpty || !request.includesPendingChanges,
      known == knownSaves, !rows.contains(where: isBehind)
    else { return try fetch(request) }
    let objects = rows.map(object(of:))
    if request.resultType.contains(.managedObjectIDResultType) { return try Self.results(objects.map(\.objectID)) }
    if !request.returnsObjectsAsFaults {
      for object in objects where object.values == nil { object.snapshot.map(object.fill) }
    }
    return try Self.results(objects)
  }

  /// The saves that this context has made or merged.
  struct KnownSaves: Equatable {
    fileprivate let own: UInt32
    fileprivate let merged: UInt32
  }

  final var knownSaves: KnownSaves { KnownSaves(own: saves, merged: registry?.mergedSaves ?? 0) }

  /// Whether this context has met a newer row, or the object's end.
  private final func isBehind(_ row: Row) -> Bool {
    guard let object = registered(key: row.key, layout: row.layout) else { return false }
    if object.state.contains(.gone) { return true }
    return object.snapshotReference?._withUnsafeGuaranteedRef { $0.version > row.version } ?? false
  }
}
