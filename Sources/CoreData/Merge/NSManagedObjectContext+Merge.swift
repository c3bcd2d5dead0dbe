import SQLite
import Scheduling
import RowStore

extension NSManagedObjectContext {
  // MARK: By itself

  /// Takes a save of another context, to be merged here. Any thread.
  ///
  /// It waits in a list as well as on the queue, so that the next block on the queue sees it merged.
  final func arrive(_ record: SaveRecord) {
    guard queue.acceptsBlocks else { return }
    DeliveryHooks.deliver { [weak self] in
      guard let self else { return }
      inbox.add(record)
      queue.async { [weak self] in self?.mergeArrivals() }
    }
  }

  /// Merges the arrived saves, in the order in which they came; on the context's queue.
  ///
  /// Inside a save, a merge, or the processing of changes it waits: work under way finds everything as it was, and nothing that
  /// arrives later is merged before it.
  final func mergeArrivals() {
    guard !inbox.isClosed else { return }
    if !unsettled.movedPartners.isEmpty {
      _ = withAncestorsIfFree { withoutMerging(SideSettling(in: self).settleMovedPartners) }
    }
    while true {
      let records = inbox.removeAll()
      if records.isEmpty { inbox.unmergedPushes = UnmergedPushes() }
      guard !records.isEmpty, automaticallyMergesChangesFromParent else { return }
      withoutMerging {
        ServedWork.merge.run {
          for record in records { merge(record, inOrder: true) }
        }
      }
    }
  }

  // MARK: By call

  /// Merges a save of another context: inserted objects become known as faults, registered ones are brought up to date under
  /// their unsaved changes, deleted ones are deleted; then `NSManagedObjectContextObjectsDidChange` is posted.
  ///
  /// On this context's queue. A late notification, or one merged twice, does no harm; one of another store is ignored. Objects
  /// of another coordinator's save, or of a notification built by the program, are read again from the store.
  public final func mergeChanges(fromContextDidSave notification: Notification) {
    touch("mergeChanges(fromContextDidSave:)")
    if let record = notification.userInfo?[SaveRecord.userInfoKey] as? SaveRecord {
      withoutMerging { merge(record) }
    } else if let coordinator = persistentStoreCoordinator {
      let isOwn = notification.object as? NSManagedObjectContext === self
      guard !isOwn || notification.name != .NSManagedObjectContextDidSave else { return }
      let record = RemoteSave(notification.userInfo ?? [:]).record(coordinator, contexts: [self])
      withoutMerging { merge(record) }
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

  // MARK: Merging

  /// Merges a save on the context's queue; in order, where later saves are merged after it.
  final func merge(_ record: SaveRecord, inOrder: Bool = false) {
    guard registry != nil, record.source?.context != number else { return }
    guard let coordinator = persistentStoreCoordinator else { return }
    let own = record.family == coordinator.family ? record : coordinator.reread(record)
    var merge = SaveMerge(own, into: self, inOrder: inOrder)
    merge.run()
    if ContextWatch.isOn { ContextWatch.tellRenewed(self, by: own) }
  }
}
