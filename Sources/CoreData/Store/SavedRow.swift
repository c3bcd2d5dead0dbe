/// One row that a save wrote or deleted.
struct SavedRow: @unchecked Sendable {
  // Sendable: a frozen row does not change.

  let key: Int64
  /// Alive as long as the model, which whoever keeps the row has to keep.
  private let layoutReference: Unmanaged<EntityLayout>
  /// The row as saved: of a save that went to a parent, as the child has it, which the store may never have; nil for a
  /// deleted one.
  let row: Row?

  init(key: Int64, layout: EntityLayout, row: Row?) {
    self.key = key
    layoutReference = .passUnretained(layout)
    self.row = row
  }

  /// A row that was inserted or updated.
  @inline(__always)
  init(_ row: Row) {
    key = row.key
    layoutReference = row.layoutReference
    self.row = row
  }

  var layout: EntityLayout { layoutReference.takeUnretainedValue() }

  @inline(__always)
  var identity: RowIdentity {
    RowIdentity(
      key: key, rootNumber: Int32(truncatingIfNeeded: layoutReference._withUnsafeGuaranteedRef { $0.rootNumber }))
  }
}
