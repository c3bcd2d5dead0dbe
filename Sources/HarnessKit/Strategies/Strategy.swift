import CoreData

/// One way to arrange contexts, queues and merging around the same workload.
///
/// A strategy is one file and one registration (see ``StrategyRegistry``). It makes its contexts through Core Data's
/// public interface only, and does every wait through the wrappers that its cell hands it.
public protocol Strategy: AnyObject, Sendable {
  /// Name on the command line, in scenario files and in the CSV; kebab-case.
  static var name: String { get }
  /// One sentence for `contextbench list`.
  static var summary: String { get }

  /// Arranges the contexts; on the main thread, before anything is timed.
  init(_ environment: StrategyEnvironment) throws

  /// The context that main reads from; of the main queue.
  var mainContext: NSManagedObjectContext { get }

  /// Whether only writers change and save, so that nobody may change or save ``mainContext``; false where a strategy says
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

  /// Enqueues `body` on main: whatever merges by blocks on main's queue is through by then.
  public func whenMainIsCurrent(_ body: @escaping @Sendable () -> Void) { mainContext.perform(body) }
}
