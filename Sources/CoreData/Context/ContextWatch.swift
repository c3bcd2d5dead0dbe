import RowStore
import Scheduling
import Synchronization

/// Tells one listener what contexts read, set, save, merge and drop, whatever program uses them.
///
/// Reads and settings are reported where ``ConcurrencyDebugging`` looks at them, and only while that is on: without a listener
/// no use of an object costs more, and a save, a merge, a reset and the end of a context cost a load and a branch.
package enum ContextWatch {
  package enum Event: Sendable {
    /// The program read a property.
    case read(Context, Field, Value, isChanged: Bool)
    /// The program set an attribute of an object that the store has; whether it had no unsaved value before.
    case set(Context, Field, before: Value, after: Value, isFirst: Bool)
    /// The program asked for the store's values of an object with unsaved changes.
    case seen(Context, Object)
    case saved(Save)
    /// The context knows the newest of these objects; nil for all.
    case renewed(Context, [Object]?)
    /// Unsaved changes are gone: by which call, and of which objects.
    case dropped(Context, by: String, [Object])
    /// A request wrote past all contexts.
    case batch([Object], isDeletion: Bool)
    /// An object was used in a context that is not its own; the process ends.
    case foreign(entity: String, owner: String, context: String, member: String)
  }

  package struct Context: Hashable, Sendable {
    package let number: UInt64
    package let label: String

    init(_ context: NSManagedObjectContext) {
      number = context.identity.number
      label = context.label
    }

    package static func == (one: Self, other: Self) -> Bool { one.number == other.number }
    package func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// An object of a store, whatever context has it.
  package struct Object: Hashable, Sendable, Comparable, CustomStringConvertible {
    private let identity: RowIdentity
    package let entity: String

    init(_ key: Int64, _ layout: EntityLayout) {
      identity = RowIdentity(key: key, layout: layout)
      entity = layout.name
    }

    package static func == (one: Self, other: Self) -> Bool { one.identity == other.identity }
    package func hash(into hasher: inout Hasher) { hasher.combine(identity) }
    package static func < (one: Self, other: Self) -> Bool {
      (one.identity.root, one.identity.key) < (other.identity.root, other.identity.key)
    }
    package var description: String {
      identity.key < 0 ? "a new \(entity)" : "\(entity) \(StoreTag.of(identity.key).primaryKey(identity.key))"
    }
  }

  /// A property of an object.
  package struct Field: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let object: Object
    private let index: Int
    package let name: String
    package let isAttribute: Bool

    init(_ object: Object, _ property: PropertyLayout) {
      self.object = object
      index = property.index
      name = property.name
      if case .attribute = property.kind { isAttribute = true } else { isAttribute = false }
    }

    package static func == (one: Self, other: Self) -> Bool { one.object == other.object && one.index == other.index }
    package func hash(into hasher: inout Hasher) {
      hasher.combine(object)
      hasher.combine(index)
    }
    package static func < (one: Self, other: Self) -> Bool { (one.object, one.index) < (other.object, other.index) }
    package var description: String { "\(object).\(name)" }
  }

  // Sendable: what a slot refers to does not change.
  package struct Value: Equatable, CustomStringConvertible, @unchecked Sendable {
    private let slot: Slot

    /// Keeps the name of a value's file, not the file: a store removes it once no value has it.
    init(_ slot: Slot) {
      if case .boxed(let box) = slot, let file = box.value as? ExternalData {
        self.slot = file.fileSlot(leaf: 0)
      } else {
        self.slot = slot
      }
    }

    /// Whether a sum may be kept here.
    package var isNumber: Bool {
      switch slot {
      case .integer, .real: true
      case .boxed(let box): box.value is Decimal
      default: false
      }
    }

    /// Seconds, of a date.
    package var seconds: Double? { if case .date(let seconds) = slot { seconds } else { nil } }

    package var description: String {
      switch slot {
      case .null: "nil"
      case .integer(let value): "\(value)"
      case .real(let value): "\(value)"
      case .date(let value): "\(Date(timeIntervalSinceReferenceDate: value))"
      case .string(let value): "\"\(value)\""
      case .uuid(let value): "\(value)"
      case .data(let value): "\(value.count) bytes"
      case .reference(let reference): "object \(StoreTag.of(reference.key).primaryKey(reference.key))"
      case .boxed(let box): "\(box.value)"
      }
    }
  }

  /// A save that has reached the store, or the parent.
  package struct Save: Sendable {
    package struct Row: Sendable {
      package let object: Object
      package let values: [(field: Field, value: Value)]
      /// The objects that its to-one relationships lead to.
      package let references: [(field: Field, object: Object)]
    }

    package let context: Context
    /// Whether the changes went to the parent.
    package let isPush: Bool
    /// The merge policy, in words; nil for one of the program's own, which saw the values that it wrote over.
    package let policy: String?
    /// The changes, each with the value that lay beneath as the context knew it, or of a push as the parent has it.
    package let changes: [Field: Value]
    package internal(set) var inserted: [Row] = []
    package internal(set) var updated: [Row] = []
    package internal(set) var deleted: [Object] = []
  }

  private static let flag = Atomic<Bool>(false)
  private static let handler = Locked<(@Sendable (Event) -> Void)?>(nil)

  @inline(__always)
  static var isOn: Bool { flag.load(ordering: .relaxed) }

  /// Sets the listener, which is called where the event happens: of a save that reached the store in the writer's turn; nil for none.
  package static func setListener(_ new: (@Sendable (Event) -> Void)?) {
    handler.withLock { $0 = new }
    flag.store(new != nil, ordering: .relaxed)
  }

  @inline(never)
  static func tell(_ event: @autoclosure () -> Event) { if let handler = handler.current { handler(event()) } }

  /// Ends the process: an object of one context was used in another.
  static func refuse(_ object: NSManagedObject, in context: NSManagedObjectContext, _ member: String) -> Never {
    tellForeign(object, in: context.label, member)
    preconditionFailure(
      "\(member) of \(context.label) was given \(object), which belongs to another context; get it here by object(with:)"
    )
  }

  static func tellForeign(_ object: NSManagedObject, in context: String?, _ member: String) {
    let owner = object.registry?.context?.label
    tell(
      .foreign(
        entity: object.layout.name, owner: owner ?? "no context", context: context ?? "no context", member: member))
  }

  static func tellRenewed(_ context: NSManagedObjectContext, by record: SaveRecord) {
    let entries = [record.inserted, record.updated, record.deleted].joined()
    tell(.renewed(Context(context), entries.map { Object($0.key, $0.layout) }))
  }

  static func tellBatch(_ objects: [NSManagedObjectID], isDeletion: Bool) {
    tell(.batch(objects.map { Object($0.key, $0.layout) }, isDeletion: isDeletion))
  }

  static func tellDropped(_ changes: ChangeLists, of context: NSManagedObjectContext, by member: String) {
    let objects = (changes.inserted + changes.updated + changes.deleted).filter(\.hasUnsavedValues)
    if !objects.isEmpty { tell(.dropped(Context(context), by: member, objects.map(\.watched))) }
  }
}

extension NSManagedObject {
  var watched: ContextWatch.Object { ContextWatch.Object(key, layout) }

  /// The context where the program itself uses the object, as one that the store has.
  private final var watchedContext: NSManagedObjectContext? {
    guard key > 0, state.isDisjoint(with: [.gone, .inserted]), let context = registry?.contextOnQueue,
      context.reading.evaluation.depth == 0, !context.inbox.isClosed
    else { return nil }
    return context
  }

  final func tellRead(_ index: Int) {
    guard let context = watchedContext else { return }
    let property = layout.properties[index]
    let row = values ?? realisedValues(property)
    if case .toMany = property.kind { return }
    ContextWatch.tell(
      .read(
        ContextWatch.Context(context), ContextWatch.Field(watched, property), ContextWatch.Value(row[index]),
        isChanged: changed.contains(index)))
  }

  final func tellSet(_ index: Int, _ slot: Slot) {
    guard let context = watchedContext else { return }
    let property = layout.properties[index]
    let row = values ?? realisedValues(property)
    ContextWatch.tell(
      .set(
        ContextWatch.Context(context), ContextWatch.Field(watched, property), before: ContextWatch.Value(row[index]),
        after: ContextWatch.Value(slot), isFirst: !changed.contains(index)))
  }

  /// Whether a save would change something of it.
  final var hasUnsavedValues: Bool {
    if state.isVanishing { return false }
    return !state.isDisjoint(with: [.inserted, .deleted]) || layout.properties.contains(where: isReallyChanged)
  }

  /// Its unsaved changes, with the values beneath.
  fileprivate final func watchedChanges(beneath row: Row?, _ body: (ContextWatch.Field, ContextWatch.Value) -> Void) {
    guard let row, key > 0 else { return }
    for property in layout.properties where changed.contains(property.index) && property.isWatched {
      body(ContextWatch.Field(watched, property), ContextWatch.Value(row[property.index]))
    }
  }
}

extension PropertyLayout {
  /// Whether the row has it, and the program decides on it.
  fileprivate var isWatched: Bool {
    if case .toMany = kind { return false }
    return !isTransient && !isDerived
  }
}

extension ContextWatch.Save {
  /// The changes that a context is about to save, before a merge policy changes it.
  init(beginning context: NSManagedObjectContext, pushingTo parent: NSManagedObjectContext? = nil) {
    self.context = ContextWatch.Context(context)
    isPush = parent != nil
    let policy = context.mergePolicy as? NSMergePolicy
    self.policy = policy.flatMap { type(of: $0) == NSMergePolicy.self ? $0.mergeType.words : nil }
    var changes: [ContextWatch.Field: ContextWatch.Value] = [:]
    context.changes.updated.forEachBorrowed { object in
      let row =
        parent.map { $0.registered(key: object.key, layout: object.layout).flatMap { $0.values ?? $0.snapshot } }
        ?? object.snapshot
      object.watchedChanges(beneath: row) { changes[$0] = $1 }
    }
    self.changes = changes
  }

  /// The save is where it belongs.
  func tell(_ record: SaveRecord) {
    precondition(inserted.isEmpty && updated.isEmpty && deleted.isEmpty, "a save is reported once")
    var save = self
    save.inserted = record.inserted.compactMap(Row.init)
    save.updated = record.updated.compactMap(Row.init)
    save.deleted = record.deleted.filter { $0.key > 0 }.map { ContextWatch.Object($0.key, $0.layout) }
    ContextWatch.tell(.saved(save))
  }
}

extension ContextWatch.Save.Row {
  fileprivate init?(_ entry: SavedRow) {
    guard let row = entry.row, entry.key > 0 else { return nil }
    let object = ContextWatch.Object(entry.key, entry.layout)
    var values: [(ContextWatch.Field, ContextWatch.Value)] = []
    var references: [(ContextWatch.Field, ContextWatch.Object)] = []
    for property in row.layout.properties where property.isWatched {
      let field = ContextWatch.Field(object, property)
      values.append((field, ContextWatch.Value(row[property.index])))
      if case .reference(let reference) = row[property.index], reference.key > 0 {
        references.append((field, ContextWatch.Object(reference.key, property.relation.destination)))
      }
    }
    self.init(object: object, values: values, references: references)
  }
}

extension NSMergePolicyType {
  fileprivate var words: String {
    switch self {
    case .errorMergePolicyType: "the error policy"
    case .mergeByPropertyStoreTrumpMergePolicyType: "the store's values win"
    case .mergeByPropertyObjectTrumpMergePolicyType: "the context's values win"
    case .overwriteMergePolicyType: "the context's objects win"
    case .rollbackMergePolicyType: "the store's objects win"
    }
  }
}
