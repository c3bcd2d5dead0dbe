/// One record of a history, as a value.
///
/// Files that also import Foundation, which has a class of this name, write `Checking.Operation`.
package struct Operation: Sendable, Hashable {
  /// Nanoseconds of `CLOCK_MONOTONIC`.
  package var time: UInt64
  /// Invocation or completion.
  package var type: OperationType
  /// The kind of operation.
  package var function: OperationFunction
  /// Number of the worker that recorded it.
  package var process: UInt32
  /// Number of the entity in the store's layout; 0 where none applies.
  package var entity: UInt16
  /// First logical key.
  package var key: Int64
  /// How many keys from `key` on; at most 2^32 − 1.
  package var count: Int64
  /// A revision, a duration, an error code: see `OperationFunction`.
  package var value: Int64
  /// Number of the context it was done in, as `History.contextNames` counts them from 1; 0 where none applies.
  package var context: UInt32
  /// Primary key of the row it is about: negative while its object has a temporary ID, 0 where none applies.
  package var object: Int64

  package init(
    time: UInt64, type: OperationType, function: OperationFunction, process: UInt32, entity: UInt16 = 0,
    key: Int64 = 0, count: Int64 = 1, value: Int64 = 0, context: UInt32 = 0, object: Int64 = 0
  ) {
    self.time = time
    self.type = type
    self.function = function
    self.process = process
    self.entity = entity
    self.key = key
    self.count = count
    self.value = value
    self.context = context
    self.object = object
  }

  /// The keys it covers; empty for a count below 1.
  package var keys: Range<Int64> { key..<(key + max(0, count)) }
}

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
