extension NSManagedObjectContext {
  /// Merges a save of another context: inserted objects become known as faults, registered ones are brought up to date under
  /// their unsaved changes, deleted ones are deleted; then `NSManagedObjectContextObjectsDidChange` is posted.
  ///
  /// On this context's queue. A late notification, or one merged twice, does no harm; one of another store is ignored. Objects
  /// of another coordinator's save, or of a notification built by the program, are read again from the store.
  public final func mergeChanges(fromContextDidSave notification: Notification) {
    touch("mergeChanges(fromContextDidSave:)")
    if let record = notification.userInfo?[SaveRecord.userInfoKey] as? SaveRecord {
      Arrivals.heldBack(from: self) { SaveMerge.merge(record, into: self) }
    } else if let coordinator = persistentStoreCoordinator {
      let isOwn = notification.object as? NSManagedObjectContext === self
      guard !isOwn || notification.name != .NSManagedObjectContextDidSave else { return }
      let record = RemoteSave(notification.userInfo ?? [:]).record(coordinator, contexts: [self])
      Arrivals.heldBack(from: self) { SaveMerge.merge(record, into: self) }
    }
  }

  /// Merges a save, perhaps of another process, into contexts on their queues: IDs, or URIs of IDs, by
  /// Apple's keys (`NSInsertedObjectsKey`, `NSUpdatedObjectIDsKey`, …). Any thread.
  ///
  /// The row caches read the objects again first. A child's parents take the changes before it does, whether they are
  /// among `contexts` or not.
  public final class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    RemoteSave(changeNotificationData).merge(into: contexts)
  }
}
