import SQLite

/// Orders of to-many relationships in the file: a column beside the key of the owner, or in the join table.
///
/// In the writer's transaction; without ordered relationships nothing is done.
extension SQLiteStore {
  /// The order of the members of one object in the file: their keys, and the columns around.
  private struct Place {
    package let table: String
    /// Column with the key of a member.
    package let member: String
    /// Column with the key of the object.
    package let owner: String
    package let order: String
  }

  /// Numbers the members of one-to-many relationships before their rows are written.
  func planOrder(_ plan: SavePlan) throws {
    guard schema.isOrdered else { return }
    statements.order = OrderPlan()
    for members in plan.members where members.property.relation.isOrdered {
      guard schema.join(members.property) == nil, let toOne = members.property.relation.inverse else { continue }
      let table = schema.table(members.property.relation.destination)
      guard let order = table.orderColumn(toOne) else { continue }
      let place = Place(table: table.name, member: "Z_PK", owner: table.column(toOne).name, order: order)
      let owner = plan.keys.permanent(members.owner)
      for (member, number) in try numbers(members, plan.keys, place) {
        statements.order.add(OrderPlan.Entry(member: member, owner: owner, toOne: toOne, number: number))
      }
    }
  }

  /// Writes the numbers that no row took with it, and numbers the members of many-to-many relationships.
  func writeOrder(_ plan: SavePlan) throws {
    guard schema.isOrdered else { return }
    let strays = strays(plan)
    for entry in statements.order.remaining {
      let table = schema.table(entry.toOne.owner)
      guard let order = table.orderColumn(entry.toOne) else { continue }
      let place = Place(table: table.name, member: "Z_PK", owner: table.column(entry.toOne).name, order: order)
      try write(entry.number, of: entry.member, ownedBy: entry.owner, place)
    }
    statements.order.finish()
    for stray in strays {
      let table = schema.table(stray.toOne.owner)
      guard let order = table.orderColumn(stray.toOne) else { continue }
      let place = Place(table: table.name, member: "Z_PK", owner: table.column(stray.toOne).name, order: order)
      let number = OrderNumbers.following(try lastNumber(stray.owner, place))
      try write(number, of: stray.member, ownedBy: stray.owner, place)
    }
    for members in plan.members where members.property.relation.isOrdered {
      let stored = schema.members(members.property)
      guard stored.isJoin || members.property.relation.inverse == nil, let order = stored.order else { continue }
      let place = Place(table: stored.table, member: stored.member, owner: stored.owner, order: order)
      for (member, number) in try numbers(members, plan.keys, place) {
        try write(number, of: member, ownedBy: plan.keys.permanent(members.owner), place)
      }
    }
  }

  /// Gives members without a number, as a batch update leaves those that join a list, the last places, by primary keys.
  func numberLast(_ toOne: PropertyLayout, ownedBy owner: Int64) throws {
    let table = schema.table(toOne.owner)
    guard let order = table.orderColumn(toOne) else { return }
    let place = Place(table: table.name, member: "Z_PK", owner: table.column(toOne).name, order: order)
    let new = try storedNumbers(owner, place).filter { $0.number == nil }.map(\.member)
    for (member, number) in try appended(new, to: owner, place) {
      try write(number, of: member, ownedBy: owner, place)
    }
  }

  /// Inserted members without a position from an owner, since a merge policy dropped it: at the end.
  private func strays(_ plan: SavePlan) -> [(member: Int64, owner: Int64, toOne: PropertyLayout)] {
    var strays: [(Int64, Int64, PropertyLayout)] = []
    for insert in plan.inserts {
      let layout = insert.row.layout
      for index in layout.toOneIndices {
        let toOne = layout.properties[index]
        guard toOne.relation.inverse?.relation.isOrdered ?? false,
          case .reference(let reference) = insert.row[index]
        else { continue }
        let member = plan.keys.permanent(insert.key)
        guard !statements.order.has(RowIdentity(key: member, layout: toOne.owner), toOne) else { continue }
        strays.append((member, plan.keys.permanent(reference.key), toOne))
      }
    }
    return strays
  }

  /// Binds the numbers of a row that is written.
  func bindOrders(
    _ update: SavePlan.Update, _ toOnes: [PropertyLayout], _ keys: KeyTable, to statement: Statement, from first: Int32
  ) throws {
    var index = first
    for toOne in toOnes {
      if let number = try number(update, toOne, keys) {
        statement.bind(number, at: index)
      } else {
        statement.bindNull(at: index)
      }
      index += 1
    }
  }

  private func number(_ update: SavePlan.Update, _ toOne: PropertyLayout, _ keys: KeyTable) throws -> Int64? {
    guard case .reference(let reference) = update.row[toOne.index] else { return nil }
    if let planned = statements.order.take(update.identity, toOne) { return planned }
    // It has no position among the owner's members: at the end.
    let table = schema.table(toOne.owner)
    guard let order = table.orderColumn(toOne) else { return nil }
    let place = Place(table: table.name, member: "Z_PK", owner: table.column(toOne).name, order: order)
    return OrderNumbers.following(try lastNumber(keys.permanent(reference.key), place))
  }

  // MARK: Numbers

  /// The members, by their permanent keys, that get another number than they have in the file.
  private func numbers(
    _ members: SavePlan.Members, _ keys: KeyTable, _ place: Place
  ) throws -> [(member: Int64, number: Int64)] {
    precondition(members.property.relation.isOrdered, "only members of an ordered relationship have numbers")
    let owner = keys.permanent(members.owner)
    let added = members.added.map(keys.permanent)
    guard !members.isNew else {
      return added.enumerated().map { ($1, OrderNumbers.first + Int64($0) * OrderNumbers.step) }
    }
    guard let order = members.order else { return try appended(added, to: owner, place) }
    let stored = try storedNumbers(owner, place)
    let removed = Set(members.removed.map(keys.permanent))
    if order.yieldsToStore {
      // Additions and removals move no other member: the ones that were members before and still are.
      let before = (order.stored ?? []).map(keys.permanent)
      let (were, are) = (Set(before), Set(stored.map(\.member)))
      let changed = removed.union(added)
      guard
        before.filter({ are.contains($0) && !changed.contains($0) })
          == stored.map(\.member).filter({ were.contains($0) && !changed.contains($0) })
      else { return try appended(added, to: owner, place) }
    }
    // Pairs are in the file already, without a number where they came with this save: those stand at the end.
    var current = ContiguousArray(stored.filter { $0.number != nil && !removed.contains($0.member) }.map(\.member))
    var listed = Set(current)
    for member in added where listed.insert(member).inserted { current.append(member) }
    for (member, number) in stored
    where number == nil && !removed.contains(member) && listed.insert(member).inserted { current.append(member) }
    let wanted = ContiguousArray(order.wanted.map(keys.permanent))
    let isWhole = wanted.count == current.count && wanted.allSatisfy(listed.contains)
    let known = isWhole ? listed : Set(wanted)
    let arranged = isWhole ? wanted : current.arranged(like: wanted)
    let old = Dictionary(stored.map { ($0.member, $0.number) }, uniquingKeysWith: { first, _ in first })
    let numbers = OrderNumbers.assign(arranged.map { old[$0] ?? nil })
    precondition(numbers.count == arranged.count, "each member has its number")
    var result: [(Int64, Int64)] = []
    for (key, number) in zip(arranged, numbers) where old[key] != .some(.some(number)) {
      if known.contains(key) {
        result.append((key, number))
      } else {
        // A member that the context does not know of: only its number changes.
        try write(number, of: key, ownedBy: owner, place)
      }
    }
    return result
  }

  private func appended(
    _ members: [Int64], to owner: Int64, _ place: Place
  ) throws -> [(member: Int64, number: Int64)] {
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
