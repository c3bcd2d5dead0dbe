/// What one save writes to one store, as values: rows, keys and versions, and no objects.
///
/// Its rows belong to the save until it has ended: once they are committed the store gives them their keys and versions
/// and shares them, and before that nothing changes them.
struct SavePlan {
  struct Insert {
    let row: Row
    /// Temporary, or permanent where the ID was obtained before, or the row was deleted and comes back.
    let key: Int64
    /// The row as it was before it was deleted; nil for a new one.
    let base: Row?
    /// The last version that the row is known to have had before it was deleted; 0 for a new one.
    let lastVersion: Int64
    /// `Z_OPT`, once the store has decided on it.
    var version: Int64 = 0

    /// Whether a row of the same identity was deleted before.
    @inline(__always)
    var isReturning: Bool { key > 0 && lastVersion > 0 }
  }

  struct Update {
    let key: Int64
    let row: Row
    /// The row as it was read: it is written only over this version.
    let base: Row
    /// The properties whose columns are written; of a changed to-many relationship only the version is.
    let mask: PropertyMask

    @inline(__always)
    var identity: RowIdentity { RowIdentity(key: key, rootNumber: row.rootNumber) }
  }

  struct Delete {
    let key: Int64
    /// Alive as long as the save.
    unowned(unsafe) let layout: EntityLayout
    /// The row as it was read; nil for one never read, which may be gone already.
    let base: Row?

    var identity: RowIdentity { RowIdentity(key: key, layout: layout) }
  }

  /// What changed of one to-many relationship that the members' own rows do not say, or not all of it.
  struct Members {
    /// The key of the object that has the relationship; like all keys here, perhaps temporary.
    let owner: Int64
    unowned(unsafe) let property: PropertyLayout
    let added: ContiguousArray<Int64>
    let removed: ContiguousArray<Int64>
    /// Whether the owner is new, so that it has no other members than the added ones.
    let isNew: Bool
    /// Of an ordered relationship where members were moved.
    let order: Order?
  }

  struct Order {
    /// The members in the order that is wanted.
    let wanted: ContiguousArray<Int64>
    /// The members as they were read; nil where they were not.
    let stored: ContiguousArray<Int64>?
    /// Whether it gives way where the order in the file was changed meanwhile.
    let yieldsToStore: Bool
  }

  var inserts: ContiguousArray<Insert> = []
  var updates: ContiguousArray<Update> = []
  var deletes: ContiguousArray<Delete> = []
  var members: ContiguousArray<Members> = []
  /// Rows that are not written, and have to be as they were read.
  var locked: ContiguousArray<Row> = []
  /// The permanent keys of the inserted rows, and of other objects that rows name by temporary keys.
  var keys = KeyTable([])

  /// Names one of the rows.
  enum Place {
    case insert(Int)
    case update(Int)
    case delete(Int)
    case locked(Int)
  }
}
