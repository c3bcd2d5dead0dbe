import Scenarios

/// The use of a strategy: clients, their operations and the records of these.
public protocol Workload: AnyObject, Sendable {
  /// Name in scenario files, under the key `workload`; kebab-case.
  static var name: String { get }
  /// One sentence for `contextbench list`.
  static var summary: String { get }
  /// Whether the floor does the same work, so that `floor_s` and `floor_ratio` mean something.
  static var hasFloor: Bool { get }
  /// Keys of scenario files that this workload reads besides those of every scenario; none where it says nothing.
  ///
  /// Those of ``Keys`` that several workloads have are among them, such as `Keys.clients.key`.
  static var keys: [ScenarioKey] { get }
  /// Names of more of them, which other workloads declare; ``keys`` may have them as well.
  static var sharedKeys: [String] { get }

  /// Operations that `phases` of a scenario may name; none where a workload has no phases.
  static var operations: [String] { get }

  /// The model and the file's layout for a cell of these settings; `notebook` where a workload says nothing.
  ///
  /// Called in the cell and in the process that judges it: the same settings give the same schema.
  static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema

  /// Makes the clients, and all that can be made beforehand; on the main thread.
  init(_ session: CellSession) throws

  /// Starts the clients and returns; on the main thread. The session's end is called when all are done.
  func start() throws
}

extension Workload {
  /// No keys of its own.
  public static var keys: [ScenarioKey] { [] }

  /// No keys of others.
  public static var sharedKeys: [String] { [] }

  /// No phases.
  public static var operations: [String] { [] }

  /// The notebook.
  public static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema { .notebook }
}
