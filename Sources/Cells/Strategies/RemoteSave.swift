import CoreData

/// The objects of a save, as URIs: an ID of one coordinator means nothing to another.
package struct RemoteSave: Codable, Equatable, Sendable {
  private let inserted: [URL]
  private let updated: [URL]
  private let deleted: [URL]

  package init(inserted: [URL], updated: [URL], deleted: [URL]) {
    (self.inserted, self.updated, self.deleted) = (inserted, updated, deleted)
  }

  /// Reads a DidSave notification; on the saving context's queue.
  package init(_ notification: Notification) {
    func identifiers(_ key: String) -> [URL] {
      (notification.userInfo?[key] as? Set<NSManagedObject> ?? []).map { $0.objectID.uriRepresentation() }
    }
    inserted = identifiers(NSInsertedObjectsKey)
    updated = identifiers(NSUpdatedObjectsKey)
    deleted = identifiers(NSDeletedObjectsKey)
  }

  /// The argument of `mergeChanges(fromRemoteContextSave:into:)`.
  package var identifiers: [AnyHashable: Any] {
    [NSInsertedObjectsKey: inserted, NSUpdatedObjectsKey: updated, NSDeletedObjectsKey: deleted]
  }
}
