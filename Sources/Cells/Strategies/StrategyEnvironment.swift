import Boundary
import CoreData
import Scenarios
import Scheduling

/// The parts of a cell that its strategy builds on.
public final class StrategyEnvironment: @unchecked Sendable {
  // Sendable: the container is only read; the rest locks itself or belongs to the main thread.

  /// The container, with its store loaded.
  public let container: NSPersistentContainer
  /// The scenario's keys; the strategy's options are among them.
  public let settings: ScenarioSettings
  private let meter: MainThreadMeter
  private let faults: FaultInjector?
  private let numbers: Locked<ContextNumbers>
  /// Which of the processes that write to the file this is.
  let share: ProcessShare
  /// Records the transactions that main takes of the persistent history; nil without a cell. On the main thread.
  var historyLog: HistoryLog?
  /// The objects that must be gone at the cell's end.
  let releases = ReleaseWatch()

  /// Makes an environment.
  package init(
    container: NSPersistentContainer, settings: ScenarioSettings, meter: MainThreadMeter, faults: FaultInjector? = nil,
    share: ProcessShare = .whole
  ) {
    numbers = Locked(ContextNumbers(share))
    self.share = share
    self.faults = faults
    self.container = container
    self.settings = settings
    self.meter = meter
  }

  /// Gives a context its name in reports and histories and the scenario's merge policy, and lets the harness count its
  /// touches.
  ///
  /// Call it once for each context, before the context is used. The harness does not hold it, and looks at the cell's end
  /// whether it is still referenced.
  public func adopt(_ context: NSManagedObjectContext, name: String) {
    context.name = name
    context.mergePolicy = settings[Keys.mergePolicy].policy
    context.transactionAuthor = name
    if share.count > 1 {
      context.transactionAuthor = "\(name) in \(share.name)"
      // The row cache may be older than the file.
      context.stalenessInterval = 0
    }
    releases.adopt(context, name: name)
    numbers.withLock { $0.add(context, name: name) }
  }

  /// A context of the container with a queue of its own, adopted under that name.
  package func newBackgroundContext(named name: String) -> NSManagedObjectContext {
    let context = container.newBackgroundContext()
    adopt(context, name: name)
    return context
  }

  /// Calls `body` for each notification of that name, of `object` or of any object, in the thread that posts it.
  ///
  /// As `NotificationCenter` does; at the cell's end the harness reports observers that were never removed. Any thread.
  /// - Returns: the observer, for ``removeObserver(_:)``.
  public func addObserver(
    forName name: Notification.Name, object: AnyObject?, using body: @escaping @Sendable (Notification) -> Void
  ) -> any NSObjectProtocol {
    let observer = NotificationCenter.default.addObserver(
      forName: name, object: object, queue: nil, using: SimulatedProcess.only(body))
    releases.add(observer, of: name.rawValue)
    return observer
  }

  /// Removes an observer of ``addObserver(forName:object:using:)``. Any thread.
  public func removeObserver(_ observer: any NSObjectProtocol) {
    NotificationCenter.default.removeObserver(observer)
    releases.remove(observer)
  }

  /// The number of an adopted context in history records; 0 for any other. Any thread.
  package func number(of context: NSManagedObjectContext) -> UInt32 {
    numbers.withLock { $0.numbers[ObjectIdentifier(context)] ?? 0 }
  }

  /// The names of the contexts that were adopted here, in the order of their numbers. Any thread.
  package var contextNames: [String] { numbers.withLock { $0.names } }

  /// Counts the time of `body` for `category` when it runs on the main thread.
  public func measure<Result>(_ category: MainThreadCategory, _ body: () throws -> Result) rethrows -> Result {
    try meter.measure(category, body)
  }

  /// Hands a notification on to another context: at once, or as the scenario's faults have it, late or twice.
  ///
  /// A strategy that merges by an observer enqueues its merge in `delivery`. Any thread; `delivery` returns soon.
  public func deliver(_ delivery: @escaping @Sendable () -> Void) {
    if let faults { faults.deliver(delivery) } else { delivery() }
  }
}

extension Keys.MergePolicy {
  /// The policy of that name.
  fileprivate var policy: NSMergePolicy {
    switch self {
    case .error: .error
    case .storeTrump: .mergeByPropertyStoreTrump
    case .objectTrump: .mergeByPropertyObjectTrump
    case .overwrite: .overwrite
    case .rollback: .rollback
    }
  }
}
