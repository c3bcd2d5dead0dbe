import CoreData
import Scenarios

/// One way to arrange contexts, queues and merging around the same workload.
///
/// A strategy is one file and one registration (see ``StrategyRegistry``). It makes its contexts through Core Data's
/// public interface only, and does every wait through the wrappers that its cell hands it.
public protocol Strategy: AnyObject, Sendable {
  /// Name on the command line, in scenario files and in the CSV; kebab-case.
  static var name: String { get }
  /// One sentence for `contextbench list`.
  static var summary: String { get }
  /// The options it reads besides those of every strategy, each with its default: `["merge": "async"]`.
  ///
  /// They are shipped keys, such as `merge`, `reset_after_save` and `root_save`, or its own ``keys``.
  static var options: [String: String] { get }
  /// Keys of scenario files that only this strategy declares; none where it says nothing.
  static var keys: [ScenarioKey] { get }

  /// Whether saves are handed on from one context to another: merged automatically, or through
  /// ``StrategyEnvironment/deliver(_:)``. Without, a fault that delays or doubles deliveries cannot happen.
  static func deliversSaves(_ settings: ScenarioSettings) -> Bool

  /// Whether the cell's store keeps a persistent history for this strategy, and posts each commit as a remote change.
  static func followsHistory(_ settings: ScenarioSettings) -> Bool

  /// Arranges the contexts; on the main thread, before anything is timed.
  init(_ environment: StrategyEnvironment) throws

  /// The context that main reads from; of the main queue.
  var mainContext: NSManagedObjectContext { get }

  /// Whether only writers change and save, so that ``mainContext`` must not be changed or saved; false where a strategy says
  /// nothing.
  var isMainReadOnly: Bool { get }

  /// A writer for one client. Any thread.
  func makeWriter(named name: String) throws -> any StrategyWriter

  /// A context of the kind this strategy gives to background work, for reading. Any thread.
  func makeReader(named name: String) throws -> NSManagedObjectContext

  /// Runs `body` on the main queue once main has taken over every save that was finished before the call.
  func whenMainIsCurrent(_ body: @escaping @Sendable () -> Void)
}

extension Strategy {
  /// Main may be changed.
  public var isMainReadOnly: Bool { false }

  /// Saves are delivered where the strategy has the option `merge`, and it does not say `none`.
  public static func deliversSaves(_ settings: ScenarioSettings) -> Bool {
    options["merge"] != nil && settings.values["merge"] != "none"
  }

  /// It does not.
  public static func followsHistory(_ settings: ScenarioSettings) -> Bool { false }

  /// No options of its own.
  public static var options: [String: String] { [:] }

  /// No keys of its own.
  public static var keys: [ScenarioKey] { [] }

  /// Enqueues `body` on main: whatever merges by blocks on main's queue is through by then.
  public func whenMainIsCurrent(_ body: @escaping @Sendable () -> Void) { mainContext.perform(body) }
}
