/// What is done with a strategy: the clients, their operations and what is recorded of them.
public protocol Workload: AnyObject, Sendable {
  /// Name in scenario files, under the key `workload`; kebab-case.
  static var name: String { get }
  /// One sentence for `contextbench list`.
  static var summary: String { get }
  /// Whether the floor does the same work, so that `floor_s` and `floor_ratio` mean something.
  static var hasFloor: Bool { get }

  /// Makes what can be made beforehand; on the main thread.
  init(_ session: CellSession) throws

  /// Starts the clients and returns; on the main thread. The session's end is called when all are done.
  func start() throws
}
