/// A row by its entity's number and its logical key.
struct RowKey: Hashable {
  var entity: UInt16
  var key: Int64

  init(entity: UInt16, key: Int64) {
    self.entity = entity
    self.key = key
  }

  /// The row that an operation is about, or the first of them.
  init(_ operation: Operation) { self.init(entity: operation.entity, key: operation.key) }
}
