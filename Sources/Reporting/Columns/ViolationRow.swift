import Checking

/// A row of `violations.csv`: one kind of violation of one subject in a cell.
package struct ViolationRow: Sendable, Hashable {
  package var key: CellKey
  package var violation: Violation
  /// Whether the scenario says that it must or may happen.
  package var isExpected: Bool
  /// Command that brings it back.
  package var replay: String

  /// Makes a row.
  package init(key: CellKey, violation: Violation, isExpected: Bool, replay: String) {
    self.key = key
    self.violation = violation
    self.isExpected = isExpected
    self.replay = replay
  }
}
