/// One row that a save wrote or deleted.
public struct SavedRow: @unchecked Sendable {
  // Sendable: a frozen row does not change.

  @usableFromInline package let key: Int64
  /// Alive as long as the model, which the row's holder has to keep.
  @usableFromInline let layoutReference: Unmanaged<EntityLayout>
  /// The row as saved: of a save that went to a parent, as the child has it, which the store may never have; nil for a
  /// deleted one.
  @usableFromInline package let row: Row?

  package init(key: Int64, layout: EntityLayout, row: Row?) {
    self.init(key: key, layoutReference: .passUnretained(layout), row: row)
  }

  @inlinable
  package init(key: Int64, layoutReference: Unmanaged<EntityLayout>, row: Row?) {
    self.key = key
    self.layoutReference = layoutReference
    self.row = row
  }

  /// A row that was deleted.
  init(_ deleted: SavePlan.Delete) {
    key = deleted.key
    layoutReference = deleted.layoutReference
    row = nil
  }

  /// A row that was inserted or updated.
  @inlinable @inline(__always)
  public init(_ row: Row) {
    key = row.key
    layoutReference = row.layoutReference
    self.row = row
  }

  /// Its entity.
  @inlinable @inline(__always)
  public var layout: EntityLayout { layoutReference.takeUnretainedValue() }

  /// The row as the identity map and the cache know it.
  @inlinable @inline(__always)
  public var identity: RowIdentity {
    RowIdentity(
      key: key, rootNumber: Int32(truncatingIfNeeded: layoutReference._withUnsafeGuaranteedRef { $0.rootNumber }))
  }
}
