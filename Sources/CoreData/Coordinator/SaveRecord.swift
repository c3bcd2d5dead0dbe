import Scheduling
import RowStore

/// The changes of one save, by value: for other contexts to merge, and without an object of the saving one.
final class SaveRecord: @unchecked Sendable {
  // Sendable: a frozen model and frozen rows.

  /// Key of the user info of `NSManagedObjectContextDidSave`; not public.
  static let userInfoKey = "_NSSaveRecord"

  /// One save of one context.
  struct Source {
    /// The context's number.
    let context: UInt64
    /// How many saves the context has begun, this one included.
    let save: UInt32
    /// Whether it went to a parent, so that no store need have it yet.
    let isPush: Bool
  }

  /// The save; nil for a notification that was built by hand.
  let source: Source?
  /// Number of the coordinator that has the rows in its row caches; nil where there is none.
  let family: UInt64?
  let inserted: ContiguousArray<SavedRow>
  let updated: ContiguousArray<SavedRow>
  let deleted: ContiguousArray<SavedRow>
  /// For children: objects to be saved of which nothing was written, since they have the store's values or, without a row,
  /// are gone.
  let settled: ContiguousArray<SavedRow>
  /// Rows beside these that have got new values of derived attributes.
  let derived: ContiguousArray<SavedRow>
  /// Whether a merge policy changed the saved objects.
  let wasResolved: Bool
  /// Keeps the layouts alive.
  let model: NSManagedObjectModel?

  init(
    source: Source?, family: UInt64?, model: NSManagedObjectModel?, inserted: ContiguousArray<SavedRow>,
    updated: ContiguousArray<SavedRow>, deleted: ContiguousArray<SavedRow>,
    derived: ContiguousArray<SavedRow> = [], settled: ContiguousArray<SavedRow> = [], wasResolved: Bool = false
  ) {
    self.settled = settled
    self.wasResolved = wasResolved
    self.source = source
    self.family = family
    self.model = model
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.derived = derived
  }

  /// One save to several stores.
  convenience init(_ parts: [SaveRecord]) {
    self.init(
      source: parts.first?.source, family: parts.first?.family, model: parts.first?.model,
      inserted: ContiguousArray(parts.flatMap(\.inserted)), updated: ContiguousArray(parts.flatMap(\.updated)),
      deleted: ContiguousArray(parts.flatMap(\.deleted)), derived: ContiguousArray(parts.flatMap(\.derived)),
      settled: ContiguousArray(parts.flatMap(\.settled)),
      wasResolved: parts.contains(where: \.wasResolved))
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
    contexts.withLock { $0.append(Observer(context: context, number: context.identity.number)) }
  }

  func remove(_ context: NSManagedObjectContext) {
    let number = context.identity.number
    contexts.withLock { $0.removeAll { $0.number == number } }
  }

  /// Enqueues the merge of `record` on the queue of every observer but `source`; in the order of the calls.
  func tell(_ record: SaveRecord, except source: NSManagedObjectContext?) {
    for context in contexts.withLock({ $0.compactMap(\.context) }) where context !== source {
      Arrivals.add(record, to: context)
    }
  }
}
