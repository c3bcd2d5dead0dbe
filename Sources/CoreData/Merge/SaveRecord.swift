import Scheduling

/// What one save did, by value: what other contexts merge, and never an object of the saving one.
final class SaveRecord: @unchecked Sendable {
  // Sendable: a frozen model and frozen rows.

  /// One object of the save.
  struct Entry: @unchecked Sendable {
    // Sendable: a frozen row does not change.
    let key: Int64
    /// Alive as long as the record, which keeps the model.
    private let layoutReference: Unmanaged<EntityLayout>
    /// The row as saved: of a save that went to a parent, as the child has it, which the store may never have; nil for
    /// a deleted object.
    let row: Row?

    init(key: Int64, layout: EntityLayout, row: Row?) {
      self.key = key
      layoutReference = .passUnretained(layout)
      self.row = row
    }

    /// A row that was inserted or updated.
    @inline(__always)
    init(saved row: Row) {
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

  /// Key of the user info of `NSManagedObjectContextDidSave`; not public.
  static let userInfoKey = "_NSSaveRecord"

  /// One save of one context.
  struct Source {
    /// The context's number.
    let context: UInt64
    /// How many saves the context has begun, this one included.
    let save: UInt32
  }

  /// The save; nil for a notification that somebody built.
  let source: Source?
  /// Number of the coordinator whose row caches know the rows; nil where there is none.
  let family: UInt64?
  let inserted: ContiguousArray<Entry>
  let updated: ContiguousArray<Entry>
  let deleted: ContiguousArray<Entry>
  /// Whether a merge policy changed what was saved.
  let wasResolved: Bool
  /// Keeps the layouts alive.
  let model: NSManagedObjectModel?

  init(
    source: Source?, family: UInt64?, model: NSManagedObjectModel?, inserted: ContiguousArray<Entry>,
    updated: ContiguousArray<Entry>, deleted: ContiguousArray<Entry>, wasResolved: Bool = false
  ) {
    self.wasResolved = wasResolved
    self.source = source
    self.family = family
    self.model = model
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }

  /// What one save wrote to several stores.
  convenience init(_ parts: [SaveRecord]) {
    self.init(
      source: parts.first?.source, family: parts.first?.family, model: parts.first?.model,
      inserted: ContiguousArray(parts.flatMap(\.inserted)), updated: ContiguousArray(parts.flatMap(\.updated)),
      deleted: ContiguousArray(parts.flatMap(\.deleted)), wasResolved: parts.contains(where: \.wasResolved))
  }
}

/// Contexts that merge the saves of a coordinator, or of a parent, by themselves; none is kept alive.
final class ContextObservers: Sendable {
  private struct Observer {
    weak var context: NSManagedObjectContext?
    let number: UInt64
  }

  private let contexts = Locked<[Observer]>([])

  func add(_ context: NSManagedObjectContext) {
    contexts.withLock { $0.append(Observer(context: context, number: context.number)) }
  }

  func remove(_ context: NSManagedObjectContext) {
    let number = context.number
    contexts.withLock { $0.removeAll { $0.number == number } }
  }

  /// Enqueues the merge of `record` on the queue of every observer but `source`; in the order of the calls.
  func tell(_ record: SaveRecord, except source: NSManagedObjectContext?) {
    for context in contexts.withLock({ $0.compactMap(\.context) }) where context !== source {
      context.arrive(record)
    }
  }
}
