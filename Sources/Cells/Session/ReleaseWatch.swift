import CoreData
import Scheduling

/// The objects that strategy and workload must have released at a cell's end: their contexts, adopted or not, held weakly,
/// and the observers they added. Any thread.
final class ReleaseWatch: Sendable {
  private struct Adopted {
    weak var context: NSManagedObjectContext?
    /// Nil for a context that was made and not adopted.
    var name: String?
    let faults: FaultCount
  }

  private struct State {
    var adopted: [Adopted] = []
    /// Of contexts that are gone and no longer listed.
    var contextsGone = 0
    var faultsOfGone = 0
    /// When the list is next looked through for contexts that are gone.
    var cleaningCount = 1_000
    /// The observers and their notifications; held, since the notification centre does not hold them here.
    var observers: [ObjectIdentifier: (observer: any NSObjectProtocol, notifications: String)] = [:]
    var observersAdded = 0
  }

  private let state = Locked(State())

  /// Adds every context that is made from now on in this process; one watch at a time.
  func watchNewContexts() {
    ContextHooks.onNewContext(SimulatedProcess.only { [weak self] context in self?.add(context, name: nil) })
  }

  /// Adds a context, or gives its name to one that was made before.
  func adopt(_ context: NSManagedObjectContext, name: String) {
    let isKnown = state.withLock { state in
      // Adopted as a rule by the code that has just made it.
      guard let place = state.adopted.lastIndex(where: { $0.context === context }) else { return false }
      state.adopted[place].name = name
      return true
    }
    if !isKnown { add(context, name: name) }
  }

  private func add(_ context: NSManagedObjectContext, name: String?) {
    state.withLock { state in
      state.adopted.append(Adopted(context: context, name: name, faults: context.use.faults))
      // A strategy may make a context for each unit of work.
      guard state.adopted.count >= state.cleaningCount else { return }
      state.adopted.removeAll { adopted in
        guard adopted.context == nil else { return false }
        state.contextsGone += 1
        state.faultsOfGone += adopted.faults.value
        return true
      }
      state.cleaningCount = 2 * state.adopted.count + 1_000
    }
  }

  /// Adds an observer.
  func add(_ observer: any NSObjectProtocol, of notifications: String) {
    state.withLock { state in
      precondition(state.observers[ObjectIdentifier(observer)] == nil, "an observer is added once")
      state.observers[ObjectIdentifier(observer)] = (observer, notifications)
      state.observersAdded += 1
    }
  }

  /// Notes that an observer was removed.
  func remove(_ observer: any NSObjectProtocol) {
    state.withLock { _ = $0.observers.removeValue(forKey: ObjectIdentifier(observer)) }
  }

  /// Faults that were filled, or found without a row, in all contexts.
  var firedFaults: Int { state.withLock { $0.adopted.reduce($0.faultsOfGone) { $0 + $1.faults.value } } }

  /// Contexts that were added.
  var contextCount: Int { state.withLock { $0.adopted.count + $0.contextsGone } }

  /// Observers that were added.
  var observerCount: Int { state.withLock { $0.observersAdded } }

  /// Names of the contexts that live.
  var livingContexts: [String] {
    state.withLock { state in
      state.adopted.compactMap { adopted in adopted.context.map { adopted.name ?? $0.name ?? "without a name" } }
    }
  }

  /// The notifications of observers that were not removed.
  var livingObservers: [String] { state.withLock { $0.observers.values.map(\.notifications).sorted() } }
}
