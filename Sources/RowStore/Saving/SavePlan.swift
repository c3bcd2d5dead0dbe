/// The writes of one save to one store, as values: rows, keys and versions, and no objects.
///
/// Its rows belong to the save until it has ended: once they are committed the store gives them their keys and versions
/// and shares them, and before that nothing changes them.
package struct SavePlan {
  package struct Insert {
    package let row: Row
    /// Temporary, or permanent where the ID was obtained before, or the row was deleted and comes back.
    package let key: Int64
    /// The row as it was before it was deleted; nil for a new one.
    package let base: Row?
    /// The last version that the row is known to have had before it was deleted; 0 for a new one.
    package let lastVersion: Int64
    /// `Z_OPT`, once the store has decided on it.
    package var version: Int64 = 0

    package init(row: Row, key: Int64, base: Row?, lastVersion: Int64, version: Int64 = 0) {
      self.row = row
      self.key = key
      self.base = base
      self.lastVersion = lastVersion
      self.version = version
    }

    /// Whether a row of the same identity was deleted before.
    @inline(__always)
    package var isReturning: Bool { key > 0 && lastVersion > 0 }
  }

  package struct Update {
    package let key: Int64
    package let row: Row
    /// The row as it was read.
    package let base: Row
    /// Of that row: the new one is written only over it. Here, as the entity is, since a save asks several times.
    let version: Int64
    /// Alive as long as the row.
    let layoutReference: Unmanaged<EntityLayout>
    /// The properties to write; of a changed to-many relationship only the version is written.
    package let mask: PropertyMask

    package init(key: Int64, row: Row, base: Row, mask: PropertyMask) {
      self.key = key
      self.row = row
      self.base = base
      self.mask = mask
      version = base.version
      layoutReference = row.layoutReference
    }

    @inline(__always)
    package var identity: RowIdentity {
      RowIdentity(
        key: key, rootNumber: layoutReference._withUnsafeGuaranteedRef { Int32(truncatingIfNeeded: $0.rootNumber) })
    }
  }

  package struct Delete {
    package let key: Int64
    /// Alive as long as the save.
    package let layoutReference: Unmanaged<EntityLayout>
    package var layout: EntityLayout { layoutReference.takeUnretainedValue() }
    /// The row as it was read; nil for one never read, which may be gone already.
    package let base: Row?
    /// The last values of the object, where its entity wants some of them kept in the history.
    package let last: Row?

    package init(key: Int64, layout: Unmanaged<EntityLayout>, base: Row?, last: Row? = nil) {
      self.key = key
      layoutReference = layout
      self.base = base
      self.last = last
    }

    @inline(__always)
    var rootNumber: Int { layoutReference._withUnsafeGuaranteedRef { $0.rootNumber } }

    @inline(__always)
    package var identity: RowIdentity {
      RowIdentity(key: key, rootNumber: Int32(truncatingIfNeeded: rootNumber))
    }

    /// As it was read.
    @inline(__always)
    var version: Int64? {
      guard let base else { return nil }
      return Unmanaged.passUnretained(base)._withUnsafeGuaranteedRef { $0.version }
    }

    /// Whether join tables, or columns of other rows that are no part of them, have the row's key.
    @inline(__always)
    var hasMemberships: Bool { layoutReference._withUnsafeGuaranteedRef { $0.hasJoins } }
  }

  /// Changes of one to-many relationship that the members' own rows do not have, or not all of them.
  package struct Members {
    /// The key of the object that has the relationship; like all keys here, perhaps temporary.
    package let owner: Int64
    package unowned(unsafe) let property: PropertyLayout
    package let added: ContiguousArray<Int64>
    package let removed: ContiguousArray<Int64>
    /// Whether the owner is new, so that it has no other members than the added ones.
    package let isNew: Bool
    /// Of an ordered relationship where members were moved.
    package let order: Order?

    package init(
      owner: Int64, property: PropertyLayout, added: ContiguousArray<Int64>, removed: ContiguousArray<Int64>,
      isNew: Bool, order: Order?
    ) {
      self.owner = owner
      self.property = property
      self.added = added
      self.removed = removed
      self.isNew = isNew
      self.order = order
    }
  }

  package struct Order {
    /// The members in the order that is wanted.
    package let wanted: ContiguousArray<Int64>
    /// The members as they were read, where it gives way; nil where they were not.
    package let stored: ContiguousArray<Int64>?
    /// Whether it gives way where the order in the file was changed meanwhile.
    package let yieldsToStore: Bool

    package init(wanted: ContiguousArray<Int64>, stored: ContiguousArray<Int64>?, yieldsToStore: Bool) {
      self.wanted = wanted
      self.stored = stored
      self.yieldsToStore = yieldsToStore
    }
  }

  package var inserts: ContiguousArray<Insert> = []
  package var updates: ContiguousArray<Update> = []
  package var deletes: ContiguousArray<Delete> = []
  package var members: ContiguousArray<Members> = []
  /// Rows that are not written, and have to be as they were read.
  package var locked: ContiguousArray<Row> = []
  /// The permanent keys of the inserted rows, and of other objects that rows name by temporary keys.
  package var keys = KeyTable([])

  package init() {}

  /// Names one of the rows.
  package enum Place {
    case insert(Int)
    case update(Int)
    case delete(Int)
    case locked(Int)
  }
}
