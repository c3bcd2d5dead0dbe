import CoreData

/// The objects of a save, as URIs: an ID of one coordinator means nothing to another.
struct RemoteSave: Codable, Equatable, Sendable {
  private let inserted: [URL]
  private let updated: [URL]
  private let deleted: [URL]

  init(inserted: [URL], updated: [URL], deleted: [URL]) {
    (self.inserted, self.updated, self.deleted) = (inserted, updated, deleted)
  }

  /// Reads a DidSave notification; on the saving context's queue.
  init(_ notification: Notification) {
    func identifiers(_ key: String) -> [URL] {
      (notification.userInfo?[key] as? Set<NSManagedObject> ?? []).map { $0.objectID.uriRepresentation() }
    }
    inserted = identifiers(NSInsertedObjectsKey)
    updated = identifiers(NSUpdatedObjectsKey)
    deleted = identifiers(NSDeletedObjectsKey)
  }

  /// The argument of `mergeChanges(fromRemoteContextSave:into:)`.
  var identifiers: [AnyHashable: Any] {
    [NSInsertedObjectsKey: inserted, NSUpdatedObjectsKey: updated, NSDeletedObjectsKey: deleted]
  }
}
