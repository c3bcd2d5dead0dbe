import Checking
import CoreData

extension WorkerRecorder {
  /// Records an operation on one row, or its outcome, with its object and its values: the input of the check
  /// `acknowledged-writes`.
  ///
  /// The values of an insert or update are those that the row is to have afterwards; record them with its completion.
  /// Those of a read are the ones it shows.
  ///
  /// - Parameters:
  ///   - type: the event: `invoke`, `ok`, `fail` or `info`.
  ///   - function: the operation.
  ///   - object: the row's object, for its ID and context; on the context's queue. An insert that records the
  ///     object which it saved is compared with other inserts of its key.
  ///   - entity: its number, from ``WorkloadSchema/number(ofEntity:)``.
  ///   - key: the logical key.
  ///   - value: a revision, an error's code, the owner's key, or another value by function.
  ///   - values: in the order of the schema's `values`.
  /// - Returns: now, in nanoseconds of the monotonic clock.
  @discardableResult
  public func record(
    _ type: OperationType, _ function: OperationFunction, of object: NSManagedObject?, entity: UInt16, key: Int64,
    value: Int64 = 0, values: [RecordedValue] = []
  ) -> UInt64 {
    history.record(
      type, function, entity: entity, key: key, value: value,
      context: object?.managedObjectContext.map { number(of: $0) } ?? 0, object: object?.objectID.primaryKey ?? 0,
      saying: values)
  }
}

extension RecordedValue {
  /// The target of a to-one relationship; `unchanged` for an object with a temporary ID.
  public static func object(_ object: NSManagedObject?) -> RecordedValue {
    guard let key = object?.objectID.primaryKey else { return .none }
    return key > 0 ? RecordedValue(key) : .unchanged
  }
}
