import Cells
import CoreData
import Scheduling

/// The saves of other contexts that a client's own context did not hear of yet, in the order of their arrival.
final class AnythingInbox: Sendable {
  /// A save on its way to another context.
  private struct Arrived: @unchecked Sendable {
    // Sendable: merging reads the IDs of its objects only, which any thread may.
    /// Nil where there are only IDs.
    let notification: Notification?
    let save: RemoteSave
    /// Whether the receiver merges it by itself: a context of its coordinator has saved.
    let isNear: Bool
  }

  private struct State {
    var arrived: [Arrived] = []
    var own: [RemoteSave] = []
  }

  private let environment: StrategyEnvironment
  private let state = Locked(State())
  // The token is only kept to be handed back; the notification centre locks itself.
  nonisolated(unsafe) private let token: any NSObjectProtocol

  /// Hears of the saves to the file of every context but children, which save to their parents.
  init(_ environment: StrategyEnvironment, for receiver: NSManagedObjectContext) {
    self.environment = environment
    let coordinator = receiver.persistentStoreCoordinator
    precondition(coordinator != nil, "who hears of saves to a file has a coordinator")
    let number = ObjectIdentifier(receiver)
    token = environment.addObserver(forName: .NSManagedObjectContextDidSave, object: nil) { [state] notification in
      guard let context = notification.object as? NSManagedObjectContext, context.parent == nil else { return }
      let save = RemoteSave(notification)
      let isOwn = ObjectIdentifier(context) == number
      let arrived = Arrived(
        notification: notification, save: save, isNear: context.persistentStoreCoordinator === coordinator)
      state.withLock { if isOwn { $0.own.append(save) } else { $0.arrived.append(arrived) } }
    }
  }

  /// The origin of the saves that arrived: a context may merge those of its coordinator by itself.
  enum Origin {
    case receiversCoordinator, others, both
  }

  /// Nothing counts as the coordinator's.
  var origin: Origin {
    state.withLock { state in
      if state.arrived.allSatisfy(\.isNear) { return .receiversCoordinator }
      return state.arrived.contains(where: \.isNear) ? .both : .others
    }
  }

  /// Merges all that arrived, as its notifications say; in a block of the receiver.
  func mergeAll(into context: NSManagedObjectContext) {
    for arrived in takeAll() {
      if arrived.isNear, let notification = arrived.notification {
        context.mergeChanges(fromContextDidSave: notification)
      } else {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: arrived.save.identifiers, into: [context])
      }
    }
  }

  /// Merges all that arrived by the IDs of the objects; in a block of the receiver.
  func mergeAllByIDs(into context: NSManagedObjectContext) {
    for arrived in takeAll() {
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: arrived.save.identifiers, into: [context])
    }
  }

  /// Adds a save that passed every context.
  func add(_ save: RemoteSave) {
    state.withLock { $0.arrived.append(Arrived(notification: nil, save: save, isNear: false)) }
  }

  func clear() { state.withLock { $0.arrived = [] } }

  /// The latest save of the receiver itself, once.
  func takeOwn() -> RemoteSave? {
    state.withLock { state in
      defer { state.own = [] }
      return state.own.last
    }
  }

  func end() { environment.removeObserver(token) }

  private func takeAll() -> [Arrived] {
    state.withLock { state in
      defer { state.arrived = [] }
      return state.arrived
    }
  }
}
