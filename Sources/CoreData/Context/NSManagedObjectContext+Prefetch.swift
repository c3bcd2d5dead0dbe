import RowStore

extension NSManagedObjectContext {
  // MARK: Rows of many objects

  /// Reads the rows of those objects that are faults without one, some hundred in a statement; they stay faults.
  final func readRows(of objects: some Sequence<NSManagedObject>) throws {
    let missing = objects.filter {
      $0.values == nil && $0.snapshot == nil && $0.state.isDisjoint(with: [.inserted, .gone])
    }
    guard !missing.isEmpty else { return }
    if let parentContext {
      let wanted = missing.map { ($0.key, $0.layout) }
      let rows = try parentContext.serve(self) { try parentContext.rowsForChild(wanted) }
      for (object, row) in zip(missing, rows) {
        if let row { object.adoptSnapshot(row) }
      }
    } else if let reader = try reader {
      for (_, group) in Dictionary(grouping: missing.filter { $0.key > 0 }, by: \.rootNumber) {
        let byKey = Dictionary(group.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let rows = try reader.rows(keys: group.map(\.key), root: group[0].layout.root)
        for row in rows { byKey[row.key]?.adoptSnapshot(row) }
      }
    }
  }

  /// Reads the batch of an object as its fault fires, if it came with a fetch in batches.
  final func readBatch(of object: NSManagedObject) {
    guard let batch = batches.take(object.reference) else { return }
    let members = ContiguousArray(
      batch.references.compactMap { reference in
        registry?.layout?.entity(number: Int(reference.entity)).flatMap { registered(key: reference.key, layout: $0) }
      })
    do {
      try readRows(of: members)
      for path in batch.prefetched { try prefetch(path[...], from: members) }
    } catch {
      // The fault reads its own row next, and meets the same error.
    }
  }

  // MARK: Relationships

  /// Reads the objects at the end of a path of relationships, and those on the way: some hundred in a statement for each
  /// relationship. Known ones are not read; afterwards the relationships are in memory.
  final func prefetch(
    _ path: ArraySlice<PropertyLayout>, from objects: ContiguousArray<NSManagedObject>
  ) throws {
    guard let property = path.first, !objects.isEmpty else { return }
    try readRows(of: objects)
    let sources: ContiguousArray<NSManagedObject> = objects.filter {
      $0.layout.isKind(of: property.owner) && $0.state.isDisjoint(with: [.deleted, .gone])
        && ($0.values != nil || $0.snapshot != nil)
    }
    var targets: ContiguousArray<NSManagedObject> = []
    if property.relation.isToMany {
      try prefetchMembers(property, of: sources)
      for source in sources { targets += source.knownToMany(property)?.members?.objects ?? [] }
    } else {
      targets = ContiguousArray(sources.compactMap { $0.prefetchedToOne(property) })
    }
    var seen: Set<ObjectIdentifier> = []
    targets = targets.filter { seen.insert(ObjectIdentifier($0)).inserted }
    try readRows(of: targets)
    try prefetch(path.dropFirst(), from: targets)
  }

  /// Reads the members of a to-many relationship of those objects where they are not known.
  final func prefetchMembers(
    _ property: PropertyLayout, of objects: ContiguousArray<NSManagedObject>
  ) throws {
    let unknown: ContiguousArray<NSManagedObject> = objects.filter { $0.toManyState(property).members == nil }
    guard !unknown.isEmpty else { return }
    if let parentContext {
      let wanted = unknown.map { ($0.key, $0.layout) }
      let found = try parentContext.serve(self) { try parentContext.membersForChild(of: wanted, property) }
      for (object, members) in zip(unknown, found) {
        object.adoptMembers(
          property, ContiguousArray(members.map { self.object(key: $0.key, layout: $0.layout, row: $0.row) }))
      }
      return
    }
    guard let reader = try reader else { return }
    let members = try reader.members(of: unknown.map(\.key).filter { $0 > 0 }, property)
    // Members of one owner are next to each other.
    var places: [Int64: Range<Int>] = Dictionary(minimumCapacity: unknown.count)
    var start = 0
    while start < members.owners.count {
      var end = start + 1
      while end < members.owners.count, members.owners[end] == members.owners[start] { end += 1 }
      places[members.owners[start]] = start..<end
      start = end
    }
    let targets = self.objects(of: members.rows)
    for object in unknown { object.adoptMembers(property, ContiguousArray(targets[places[object.key] ?? 0..<0])) }
  }

  // MARK: For a child; on this context's queue

  /// As ``rowForChild(key:layout:)``, of many objects.
  final func rowsForChild(_ wanted: [(key: Int64, layout: EntityLayout)]) throws -> [Row?] {
    // Held until the end, so that their rows are found once read.
    let objects = wanted.map { parentObject(key: $0.key, layout: $0.layout) }
    try readRows(of: objects)
    return try withExtendedLifetime(objects) { try wanted.map { try rowForChild(key: $0.key, layout: $0.layout) } }
  }

  /// As ``membersForChild(key:layout:_:)``, of many objects.
  final func membersForChild(
    of wanted: [(key: Int64, layout: EntityLayout)], _ property: PropertyLayout
  ) throws -> [[ChildRow]] {
    let objects = ContiguousArray(wanted.map { parentObject(key: $0.key, layout: $0.layout) })
    try readRows(of: objects)
    // A fault may have a row from before: where that is gone by now, nothing is known of its members.
    try prefetch([property], from: objects.filter { try rowForChild(key: $0.key, layout: $0.layout) != nil })
    return try withExtendedLifetime(objects) {
      try wanted.map { try membersForChild(key: $0.key, layout: $0.layout, property) }
    }
  }
}
