import CoreData
import Scheduling

/// What a cell gives its strategy to build on.
public final class StrategyEnvironment: @unchecked Sendable {
  // Sendable: the container is only read; the rest locks itself or belongs to the main thread.

  /// The container, with its store loaded.
  public let container: NSPersistentContainer
  /// The scenario's keys; the strategy's options are among them.
  public let settings: ScenarioSettings
  private let meter: MainThreadMeter
  private let adopted = Locked(AdoptedContexts())
  private let numbers = Locked(ContextNumbers())

  /// Makes an environment.
  package init(container: NSPersistentContainer, settings: ScenarioSettings, meter: MainThreadMeter) {
    self.container = container
    self.settings = settings
    self.meter = meter
  }

  /// Gives a context its name in reports and the scenario's merge policy, and lets the harness count its touches.
  ///
  /// Call it once for each context, before the context is used.
  public func adopt(_ context: NSManagedObjectContext, name: String) {
    context.name = name
    context.mergePolicy = Self.mergePolicy(named: settings.text("merge_policy"))
    adopted.withLock { $0.add(context) }
    numbers.withLock { $0.add(context, name: name) }
  }

  /// The number of an adopted context in history records; 0 for any other. Any thread.
  package func number(of context: NSManagedObjectContext) -> UInt32 {
    numbers.withLock { $0.numbers[ObjectIdentifier(context)] ?? 0 }
  }

  /// The names of the adopted contexts, in the order of their numbers. Any thread.
  package var contextNames: [String] { numbers.withLock { $0.names } }

  /// Counts the time of `body` for `category` when it runs on the main thread.
  public func measure<Result>(_ category: MainThreadCategory, _ body: () throws -> Result) rethrows -> Result {
    try meter.measure(category, body)
  }

  /// Faults that were filled, or found without a row, in all adopted contexts and in contexts that are gone.
  package var firedFaults: Int {
    // A context that ends meanwhile is counted once at most, since those that live are looked at first.
    let living = adopted.withLock { $0.contexts }.reduce(0) { $0 + $1.firedFaults }
    return living + NSManagedObjectContext.firedFaultsOfGoneContexts
  }

  private static func mergePolicy(named name: String) -> NSMergePolicy {
    switch name {
    case "error": .error
    case "store-trump": .mergeByPropertyStoreTrump
    case "object-trump": .mergeByPropertyObjectTrump
    case "overwrite": .overwrite
    case "rollback": .rollback
    default: preconditionFailure("\(name) is no merge policy")
    }
  }
}
