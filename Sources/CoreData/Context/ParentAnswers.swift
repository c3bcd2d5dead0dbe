import RowStore

/// One object of a context, as a child takes it over.
struct ChildRow {
  let key: Int64
  let layout: EntityLayout
  let row: Row
}

/// A parent's answers to a child; on the parent's queue, in the child's thread where the queue allows.
struct ParentAnswers {
  private let context: NSManagedObjectContext

  init(of context: NSManagedObjectContext) { self.context = context }

  /// Serves a child, which takes over the result; any thread.
  func serve<Result>(_ child: NSManagedObjectContext, _ body: (ParentAnswers) throws -> Result) rethrows -> Result {
    try ServedWork.fetch.run(in: context) {
      let outer = context.turn.servedChild
      context.turn.servedChild = ObjectIdentifier(child)
      child.registry?.seenSaves = context.saves.begun
      defer {
        context.turn.servedChild = outer
        context.tree.aliases.settle(context)
      }
      return try body(self)
    }
  }

  /// Whether the object is deleted here, or known to have no row.
  func isDeleted(_ reference: RowReference) -> Bool {
    guard let layout = context.registry?.layout?.entity(number: Int(reference.entity)) else { return false }
    return !object(key: reference.key, layout: layout).state.isDisjoint(with: [.deleted, .gone])
  }

  /// The values of an object with its unsaved changes; nil when there is no such object, or it is deleted.
  func row(key: Int64, layout: EntityLayout) throws -> Row? {
    let object = object(key: key, layout: layout)
    guard object.state.isDisjoint(with: [.deleted, .gone]) else { return nil }
    if object.values == nil {
      if let row = context.held.returned(object) {
        object.values = row
      } else {
        guard let row = try context.row(for: object) else { return nil }
        object.fill(row)
      }
    }
    recordTaken(object.key, object.values)
    return object.values.map(object.withoutTransients)
  }

  /// The members of a to-many relationship with the unsaved changes made in the parent.
  func members(key: Int64, layout: EntityLayout, _ property: PropertyLayout) throws -> [ChildRow] {
    let object = object(key: key, layout: layout)
    guard try row(key: key, layout: layout) != nil else { return [] }
    // A member that was deleted here, or found gone, is none for the child either, though a row may be back under that ID.
    return try rows(object.loadMembers(property).objects.filter { $0.state.isDisjoint(with: .gone) })
  }

  /// The objects as a child takes them over; deleted ones are left out.
  func rows(_ objects: some Sequence<NSManagedObject>) throws -> [ChildRow] {
    try objects.compactMap { object in
      try row(key: object.key, layout: object.layout).map {
        ChildRow(key: object.key, layout: object.layout, row: $0)
      }
    }
  }

  /// The parent's object for a key a child uses.
  func object(key: Int64, layout: EntityLayout) -> NSManagedObject {
    context.object(for: RowReference(key: key, entity: UInt16(truncatingIfNeeded: layout.number)), in: layout)
  }

  /// Permanent keys for objects of a child; an object that is here under its temporary key becomes permanent as well.
  ///
  /// - Throws: when the store cannot be written.
  func permanentKeys(_ wanted: ContiguousArray<WantedKey>) throws -> ContiguousArray<Int64> {
    let keys = try KeyAllotment(in: context).keys(wanted)
    precondition(keys.count == wanted.count, "each object has a permanent key")
    let known = context.registry?.objects.objects(wanted.count) { wanted[$0].identity }
    let own = zip(known ?? [], keys).compactMap { object, key in object.map { (object: $0, key: key) } }
    KeyAllotment(in: context).makePermanent(ContiguousArray(own.map(\.object)), isAliased: true) { own[$0].key }
    context.trackers.tellOfNewIDs()
    return keys
  }

  /// As ``row(key:layout:)``, of many objects.
  func rows(_ wanted: [(key: Int64, layout: EntityLayout)], isFetch: Bool) throws -> [Row?] {
    // Held until the end, so that their rows are found once read.
    let objects = wanted.map { object(key: $0.key, layout: $0.layout) }
    try Prefetching(in: context).readRows(of: objects, isFetch: isFetch)
    return try withExtendedLifetime(objects) { try wanted.map { try row(key: $0.key, layout: $0.layout) } }
  }

  /// As ``members(key:layout:_:)``, of many objects.
  func members(of wanted: [(key: Int64, layout: EntityLayout)], _ property: PropertyLayout) throws -> [[ChildRow]] {
    let objects = ContiguousArray(wanted.map { object(key: $0.key, layout: $0.layout) })
    try Prefetching(in: context).readRows(of: objects)
    // A fault may have a row from before: where that is gone by now, nothing is known of its members.
    try Prefetching(in: context).read(
      [property], from: objects.filter { try row(key: $0.key, layout: $0.layout) != nil })
    return try withExtendedLifetime(objects) {
      try wanted.map { try members(key: $0.key, layout: $0.layout, property) }
    }
  }

  /// The rows of objects that a child has to merge.
  func rows(_ entries: ContiguousArray<SavedRow>) -> [RowIdentity: Row] {
    var rows: [RowIdentity: Row] = [:]
    for entry in entries { rows[entry.identity] = try? row(key: entry.key, layout: entry.layout) }
    return rows
  }

  /// Notes for the child that is served an object named in the answer.
  @inline(__always)
  func recordTaken(_ key: Int64, _ row: Row?) {
    guard context.tree.aliases.isRoundOpen, let servedChild = context.turn.servedChild else { return }
    if key < 0 { context.tree.aliases.use(key, by: servedChild) }
    row?.forEachTemporaryKey { context.tree.aliases.use($0, by: servedChild) }
  }
}

extension NSManagedObject {
  /// How rows name this object.
  final var reference: RowReference {
    RowReference(key: key, entity: layoutReference._withUnsafeGuaranteedRef { UInt16(truncatingIfNeeded: $0.number) })
  }
}
