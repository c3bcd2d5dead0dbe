/// One way to arrange contexts, queues and merging around the same workload.
///
/// A strategy is one file and one registration (see ``StrategyRegistry``). It makes its contexts through Core Data's
/// public interface only, and does every wait through the wrappers that its cell hands it.
public protocol Strategy: AnyObject, Sendable {
  /// Name on the command line, in scenario files and in the CSV; kebab-case.
  static var name: String { get }
  /// One sentence for `contextbench list`.
  static var summary: String { get }
  /// Its options with their defaults; ``StrategyOption/mergePolicy`` is among them.
  static var options: [StrategyOption] { get }
}
