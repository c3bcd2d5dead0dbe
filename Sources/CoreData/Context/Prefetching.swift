import RowStore

/// Reads what many objects of a context will need, some hundred objects in a statement.
struct Prefetching {
  private let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  /// Reads the rows of those objects that are faults without one, some hundred in a statement; they stay faults.
  ///
  /// - Parameter isFetch: whether the rows are those of a fetch, which come from the store though the row cache has some.
  func readRows(of objects: some Sequence<NSManagedObject>, isFetch: Bool = false) throws {
    let missing = objects.filter {
      $0.values == nil && $0.snapshot == nil && $0.state.isDisjoint(with: [.inserted, .gone])
    }
    guard !missing.isEmpty else { return }
    if let parentContext = context.parentContext {
      let wanted = missing.map { ($0.key, $0.layout) }
      let rows = try ParentAnswers(of: parentContext).serve(context) { try $0.rows(wanted, isFetch: isFetch) }
      precondition(rows.count == missing.count, "each object that was asked for has a row, or none")
      for (object, row) in zip(missing, rows) {
        if let row { object.adoptSnapshot(row) }
      }
    } else if let reader = try context.reader {
      for (_, group) in Dictionary(grouping: missing.filter { $0.key > 0 }, by: \.rootNumber) {
        let byKey = Dictionary(group.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let rows = try reader.rows(keys: group.map(\.key), root: group[0].layout.root, isFetch: isFetch)
        for row in rows { byKey[row.key]?.adoptSnapshot(row) }
      }
    }
  }

  /// Reads the batch of an object as its fault fires, if it came with a fetch in batches.
  func readBatch(of object: NSManagedObject) {
    guard let batch = context.reading.batches.take(object.reference) else { return }
    let members = ContiguousArray(
      batch.references.compactMap { reference in
        context.registry?.layout?.entity(number: Int(reference.entity)).flatMap {
          context.registered(key: reference.key, layout: $0)
        }
      })
    do {
      try readRows(of: members, isFetch: true)
      for path in batch.prefetched { try read(path[...], from: members) }
    } catch {
      // The fault reads its own row next, and meets the same error.
    }
  }

  /// Reads the objects at the end of a path of relationships, and those on the way: some hundred in a statement for each
  /// relationship. Known ones are not read; afterwards the relationships are in memory.
  func read(_ path: ArraySlice<PropertyLayout>, from objects: ContiguousArray<NSManagedObject>) throws {
    guard let property = path.first, !objects.isEmpty else { return }
    try readRows(of: objects)
    let sources: ContiguousArray<NSManagedObject> = objects.filter {
      $0.layout.isKind(of: property.owner) && $0.state.isDisjoint(with: [.deleted, .gone])
        && ($0.values != nil || $0.snapshot != nil)
    }
    var targets: ContiguousArray<NSManagedObject> = []
    if property.relation.isToMany {
      try readMembers(property, of: sources)
      for source in sources { targets += source.knownToMany(property)?.members?.objects ?? [] }
    } else {
      targets = ContiguousArray(sources.compactMap { $0.prefetchedToOne(property) })
    }
    var seen: Set<ObjectIdentifier> = []
    targets = targets.filter { seen.insert(ObjectIdentifier($0)).inserted }
    try readRows(of: targets)
    try read(path.dropFirst(), from: targets)
  }

  /// Reads the members of a to-many relationship of those objects where they are not known.
  ///
  /// - Parameter areLast: whether they are read only to be deleted.
  func readMembers(
    _ property: PropertyLayout, of objects: ContiguousArray<NSManagedObject>, areLast: Bool = false
  ) throws {
    let unknown: ContiguousArray<NSManagedObject> = objects.filter { $0.toManyState(property).members == nil }
    guard !unknown.isEmpty else { return }
    if let parentContext = context.parentContext {
      let wanted = unknown.map { ($0.key, $0.layout) }
      let found = try ParentAnswers(of: parentContext).serve(context) { try $0.members(of: wanted, property) }
      precondition(found.count == unknown.count, "each object that was asked for has its members")
      for (object, members) in zip(unknown, found) {
        object.adoptMembers(
          property, ContiguousArray(members.map { context.object(key: $0.key, layout: $0.layout, row: $0.row) }))
      }
      return
    }
    guard let reader = try context.reader else { return }
    let members = try reader.members(of: unknown.map(\.key).filter { $0 > 0 }, property, areLast: areLast)
    // Members of one owner are next to each other.
    var places: [Int64: Range<Int>] = Dictionary(minimumCapacity: unknown.count)
    var start = 0
    while start < members.owners.count {
      var end = start + 1
      while end < members.owners.count, members.owners[end] == members.owners[start] { end += 1 }
      places[members.owners[start]] = start..<end
      start = end
    }
    let targets = FoundObjects(in: context).objects(of: members.rows)
    for object in unknown { object.adoptMembers(property, ContiguousArray(targets[places[object.key] ?? 0..<0])) }
  }

  /// The members of a to-many relationship as the store or the parent has them.
  func storedMembers(
    of object: NSManagedObject, _ property: PropertyLayout
  ) throws -> ContiguousArray<NSManagedObject> {
    if let parentContext = context.parentContext {
      let members = try ParentAnswers(of: parentContext).serve(context) {
        try $0.members(key: object.key, layout: object.layout, property)
      }
      return ContiguousArray(members.map { context.object(key: $0.key, layout: $0.layout, row: $0.row) })
    }
    guard object.key > 0, let reader = try context.reader else { return [] }
    return ContiguousArray(try reader.members(of: object.key, property).map(context.object(of:)))
  }
}
