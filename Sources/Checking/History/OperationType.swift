/// The type of a history record; Jepsen's four.
public enum OperationType: UInt8, Sendable, Hashable, CaseIterable {
  /// The operation was about to start.
  case invoke = 1
  /// It took place, and was acknowledged.
  case ok
  /// It did not take place.
  case fail
  /// It may or may not have taken place; also the type of a mere remark.
  case info

  /// The name in exported histories.
  package var name: String {
    switch self {
    case .invoke: "invoke"
    case .ok: "ok"
    case .fail: "fail"
    case .info: "info"
    }
  }
}
