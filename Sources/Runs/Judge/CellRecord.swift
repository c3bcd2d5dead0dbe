import Boundary
import Reporting

/// What the run keeps of a finished cell for its table.
package struct CellRecord: Sendable {
  package var cell: PlannedCell
  package var row: CellRow
  package var outcome: CellOutcome
  /// From the start of its process until it was judged.
  package var seconds: Double
  /// How often and how fast each operation was done.
  package var operations: [OperationMeasurement] = []
}
