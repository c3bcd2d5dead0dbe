import Boundary
import CoreData

extension CellSession {
  /// Starts the cell's other processes, or listens to the one that started this; once, on the main thread, when the
  /// store is there.
  func joinPeers(_ request: CellRequest) throws {
    guard share.count > 1 else { return }
    join(
      share.isFirst
        ? try StartedProcesses(request) { [self] broken in endEarly(because: broken) } : FirstProcessLink(share))
  }

  func join(_ others: any CellPeers) {
    precondition(peers == nil, "a process joins the others once")
    peers = others
  }

  /// Calls `then` on main once every process of the cell has come here as often; at once where there is only this one.
  ///
  /// By then main has been handed every save that another process made before it came here: blocks enqueued on main
  /// from `then` on run after their merges. On the main thread.
  public func meet(_ then: @escaping @Sendable () -> Void) {
    guard let peers else { return then() }
    peers.meet(then) { [self] count in
      do {
        try MeetingLog.write(count, in: directory)
      } catch {
        fail(error)
      }
    }
  }

  /// Tells the other processes of every save to the cell's store from now on, and has main merge theirs, where its
  /// strategy merges at all, and not by the store's history; on the main thread.
  func shareSaves() {
    guard let peers else { return }
    let path = sharedDirectory + "/" + CellFiles.store
    saveObserver = environment.addObserver(forName: .NSManagedObjectContextDidSave, object: nil) { notification in
      // The save of a child is saved by its root later; and some stores belong to one process alone.
      guard let context = notification.object as? NSManagedObjectContext, context.parent == nil,
        let stores = context.persistentStoreCoordinator?.persistentStores,
        stores.contains(where: { $0.url?.path == path })
      else { return }
      peers.tell(RemoteSave(notification))
    }
    guard settings.values["merge"] != "none", !type(of: strategy).followsHistory(settings) else { return }
    let main = strategy.mainContext
    peers.onSave { [environment] save in
      main.perform {
        environment.measure(.merge) {
          NSManagedObjectContext.mergeChanges(fromRemoteContextSave: save.identifiers, into: [main])
        }
      }
    }
  }

  /// Stops ``shareSaves()``.
  func unshareSaves() {
    peers?.onSave(nil)
    if let saveObserver { environment.removeObserver(saveObserver) }
    saveObserver = nil
  }
}
