import GRDB
import HarnessKit

/// The work of a shipped workload, done with GRDB's records.
protocol RecordsWork: Sendable {
  /// The name of that workload.
  static var shipped: String { get }
  /// Those of its keys that both understand.
  static var keys: [ScenarioKey] { get }

  init(_ session: CellSession, _ pool: DatabasePool) throws

  func start() throws
}

/// A shipped workload, unchanged for every strategy but `grdb-pool`, which has the same done with records: the rows of one table.
final class PeerWorkload<Records: RecordsWork>: Workload {
  static var name: String { "peer-\(Records.shipped)" }
  static var summary: String { "The workload \(Records.shipped), with GRDB's records where the strategy is grdb-pool." }
  static var hasFloor: Bool { WorkloadRegistry.workload(named: Records.shipped)?.hasFloor ?? false }
  static var keys: [ScenarioKey] { Records.keys }

  private let begin: @Sendable () throws -> Void

  init(_ session: CellSession) throws {
    if let strategy = session.strategy as? GRDBPoolStrategy {
      let records = try Records(session, strategy.pool)
      begin = { try records.start() }
    } else {
      guard let shipped = try WorkloadRegistry.workload(named: Records.shipped)?.init(session) else {
        preconditionFailure("contextbench has no \(Records.shipped): build with the checkout that has this package")
      }
      begin = { try shipped.start() }
    }
  }

  func start() throws { try begin() }
}
