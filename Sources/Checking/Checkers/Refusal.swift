/// A save that was refused.
struct Refusal {
  /// Rows that the save was to change.
  struct Change {
    /// What was to be done; nil when the history does not say.
    var function: OperationFunction?
    var entity: UInt16
    var keys: Range<Int64>
  }

  /// Where it was refused.
  var step: Int
  /// The error's code.
  var code: Int64
  /// What it was to save; empty when the history does not say.
  var changes: [Change]
}
