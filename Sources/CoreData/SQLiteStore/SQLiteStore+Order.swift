import SQLite

/// Orders of to-many relationships in the file: a column beside the key of the owner, or in the join table.
///
/// In the writer's transaction; without ordered relationships nothing is done.
extension SQLiteStore {
  /// Where the members of one object stand in the file: their keys, and the columns around.
  private struct Place {
    let table: String
    /// Column with the key of a member.
    let member: String
    /// Column with the key of the object.
    let owner: String
    let order: String
  }

  /// Numbers the members of one-to-many relationships before their rows are written.
  func planOrder(_ changes: ChangeLists) throws {
    guard schema.isOrdered else { return }
    statements.order = OrderPlan()
    try forEachChange(changes) { object, property, known in
      guard schema.join(property) == nil, let toOne = property.relation.inverse else { return }
      let table = schema.table(property.relation.destination)
      guard let order = table.orderColumn(toOne) else { return }
      let place = Place(table: table.name, member: "Z_PK", owner: table.column(toOne).name, order: order)
      for (member, number) in try numbers(object, known, place) {
        statements.order.add(
          OrderPlan.Entry(member: member, toOne: toOne, owner: object.permanentKey, number: number))
      }
    }
  }

  /// Writes what the rows did not take with them, and numbers the members of many-to-many relationships.
  func writeOrder(_ changes: ChangeLists) throws {
    guard schema.isOrdered else { return }
    for entry in statements.order.remaining {
      let table = schema.table(entry.toOne.owner)
      guard let order = table.orderColumn(entry.toOne) else { continue }
      let place = Place(table: table.name, member: "Z_PK", owner: table.column(entry.toOne).name, order: order)
      try write(entry.number, of: entry.member.permanentKey, ownedBy: entry.owner, place)
    }
    statements.order = OrderPlan()
    try forEachChange(changes) { object, property, known in
      let members = schema.members(property)
      guard members.isJoin || property.relation.inverse == nil, let order = members.order else { return }
      let place = Place(table: members.table, member: members.member, owner: members.owner, order: order)
      for (member, number) in try numbers(object, known, place) {
        try write(number, of: member.permanentKey, ownedBy: object.permanentKey, place)
      }
    }
  }

  /// Binds the numbers of a row that is written.
  func bindOrders(
    _ object: NSManagedObject, _ toOnes: [PropertyLayout], to statement: Statement, from first: Int32
  ) throws {
    var index = first
    for toOne in toOnes {
      if let number = try number(object, toOne) {
        statement.bind(number, at: index)
      } else {
        statement.bindNull(at: index)
      }
      index += 1
    }
  }

  private func number(_ object: NSManagedObject, _ toOne: PropertyLayout) throws -> Int64? {
    guard case .reference(let reference)? = object.values?[toOne.index] else { return nil }
    if let planned = statements.order.take(object, toOne) { return planned }
    // Nobody said where it stands among the owner's members: at the end.
    let table = schema.table(toOne.owner)
    guard let order = table.orderColumn(toOne) else { return nil }
    let place = Place(table: table.name, member: "Z_PK", owner: table.column(toOne).name, order: order)
    return OrderNumbers.following(try lastNumber(object.permanentKey(of: reference, toOne), place))
  }

  private func forEachChange(
    _ changes: ChangeLists, _ body: (NSManagedObject, PropertyLayout, ToMany) throws -> Void
  ) throws {
    for objects in [changes.inserted, changes.updated] {
      for object in objects where object.layout.hasOrder && !object.relations.isEmpty {
        for property in object.layout.relationships where property.relation.isOrdered {
          guard let known = object.knownToMany(property), known.hasChanges else { continue }
          try body(object, property, known)
        }
      }
    }
  }

  // MARK: Numbers

  /// The members that get another number than they have in the file.
  private func numbers(
    _ object: NSManagedObject, _ known: ToMany, _ place: Place
  ) throws -> [(NSManagedObject, Int64)] {
    guard known.tracksChanges else {
      return known.additions.enumerated().map { ($1, OrderNumbers.first + Int64($0) * OrderNumbers.step) }
    }
    guard let order = known.order, order.isArranged, let wanted = known.members?.objects ?? order.wanted else {
      return try appended(known.additions, to: object.permanentKey, place)
    }
    let stored = try storedNumbers(object.permanentKey, place)
    let removed = Set(known.removed.objects.map(\.permanentKey))
    if order.yieldsToStore {
      let changed = removed.union(known.additions.map(\.permanentKey))
      let before = order.stored?.map(\.permanentKey).filter { !changed.contains($0) }
      guard before == stored.map(\.member).filter({ !changed.contains($0) }) else {
        return try appended(known.additions, to: object.permanentKey, place)
      }
    }
    var current = ContiguousArray(stored.map(\.member).filter { !removed.contains($0) })
    let present = Set(current)
    current.append(contentsOf: known.additions.map(\.permanentKey).filter { !present.contains($0) })
    let objects = Dictionary(wanted.map { ($0.permanentKey, $0) }, uniquingKeysWith: { first, _ in first })
    let keys = MemberOrder.arrange(current, like: wanted.map(\.permanentKey))
    let old = Dictionary(stored.map { ($0.member, $0.number) }, uniquingKeysWith: { first, _ in first })
    let numbers = OrderNumbers.assign(keys.map { old[$0] ?? nil })
    var result: [(NSManagedObject, Int64)] = []
    for (key, number) in zip(keys, numbers) where old[key] != .some(.some(number)) {
      if let member = objects[key] {
        result.append((member, number))
      } else {
        // A member that this context does not know of: only its number changes.
        try write(number, of: key, ownedBy: object.permanentKey, place)
      }
    }
    return result
  }

  private func appended(
    _ members: ContiguousArray<NSManagedObject>, to owner: Int64, _ place: Place
  ) throws -> [(NSManagedObject, Int64)] {
    guard !members.isEmpty else { return [] }
    let last = try lastNumber(owner, place)
    return members.enumerated().map { ($1, OrderNumbers.following(last, by: $0 + 1)) }
  }

  /// The number of the last member; where there is none, the one that makes the next the first.
  private func lastNumber(_ owner: Int64, _ place: Place) throws -> Int64 {
    let statement = try connection.cached(
      "SELECT max(\(place.order)) FROM \(place.table) WHERE \(place.owner) = ?")
    defer { statement.reset() }
    statement.bind(primaryKey(owner), at: 1)
    guard try statement.step(), !statement.isNull(at: 0) else { return OrderNumbers.first - OrderNumbers.step }
    return statement.int64(at: 0)
  }

  private func storedNumbers(_ owner: Int64, _ place: Place) throws -> [(member: Int64, number: Int64?)] {
    let statement = try connection.cached(
      """
      SELECT \(place.member), \(place.order) FROM \(place.table) WHERE \(place.owner) = ? \
      ORDER BY \(place.order), \(place.member)
      """)
    defer { statement.reset() }
    statement.bind(primaryKey(owner), at: 1)
    var members: [(Int64, Int64?)] = []
    while try statement.step() {
      members.append(
        (try tag.rowKey(statement.int64(at: 0), statement.sql), statement.isNull(at: 1) ? nil : statement.int64(at: 1)))
    }
    return members
  }

  private func write(_ number: Int64, of member: Int64, ownedBy owner: Int64, _ place: Place) throws {
    let statement = try connection.cached(
      "UPDATE \(place.table) SET \(place.order) = ? WHERE \(place.member) = ? AND \(place.owner) = ?")
    statement.bind(number, at: 1)
    statement.bind(primaryKey(member), at: 2)
    statement.bind(primaryKey(owner), at: 3)
    try statement.run()
  }
}
