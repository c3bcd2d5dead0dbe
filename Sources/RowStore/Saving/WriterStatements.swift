import SQLite

/// The statements of a store's writer, compiled once.
///
/// Only used in the writer's turn.
package final class WriterStatements {
  private struct UpdateKey: Hashable {
    package let entity: Int
    package let mask: PropertyMask
  }

  /// The largest key that is given to a row; no store gets there by saves.
  private static let largestKey = Int64.max >> 1

  private unowned(unsafe) let connection: Connection
  private let schema: StoreSchema
  private let crossing: StoreCrossing
  package let begin: Statement
  package let commit: Statement
  private var insertsByNumber: [EntityInsert?]
  /// Those that were wanted so far.
  package private(set) var inserts: [EntityInsert] = []
  private var updates: [UpdateKey: EntityUpdate] = [:]
  /// The numbers that the save under way gives to members of ordered relationships.
  package var order = OrderPlan()

  package init(connection: Connection, schema: StoreSchema, crossing: StoreCrossing) throws {
    self.connection = connection
    self.crossing = crossing
    begin = try connection.prepare("BEGIN IMMEDIATE")
    commit = try connection.prepare("COMMIT")
    self.schema = schema
    insertsByNumber = Array(repeating: nil, count: schema.model.entities.count)
  }

  /// What writes the new rows of an entity.
  @inline(__always)
  package func insert(_ layout: Unmanaged<EntityLayout>) throws -> EntityInsert {
    let number = layout._withUnsafeGuaranteedRef { $0.number }
    return try insertsByNumber[number - 1] ?? makeInsert(layout.takeUnretainedValue())
  }

  @inline(never)
  private func makeInsert(_ entity: EntityLayout) throws -> EntityInsert {
    let insert = try EntityInsert(
      entity, table: schema.table(entity), columns: columns(of: entity).filter { $0.codec != .order },
      crossing: crossing, connection: connection)
    insertsByNumber[entity.number - 1] = insert
    inserts.append(insert)
    return insert
  }

  /// Forgets rows that were not written.
  func dropPending() { for insert in inserts { insert.dropPending() } }

  /// Writes some columns of one row, if it still has the version that was read.
  package final class EntityUpdate {
    package let statement: Statement
    /// Bound from 1; the orders, the new version, the key and the old version follow.
    let bindings: [ColumnBinding]
    /// To-one relationships whose columns for an order are written too.
    package let orders: [PropertyLayout]

    package init(statement: Statement, columns: [Column], _ crossing: StoreCrossing) {
      self.statement = statement
      bindings = columns.filter { $0.codec != .order }.map { ColumnBinding($0, crossing) }
      orders = columns.filter { $0.codec == .order }.map(\.property)
    }
  }

  package func update(_ entity: EntityLayout, _ mask: PropertyMask) throws -> EntityUpdate {
    let key = UpdateKey(entity: entity.number, mask: mask)
    if let update = updates[key] { return update }
    let table = schema.table(entity)
    let columns = columns(of: entity).filter { mask.contains($0.property.index) }
    let assignments = columns.map { "\($0.name) = ?, " }.joined()
    let update = EntityUpdate(
      statement: try connection.prepare(
        "UPDATE \(table.name) SET \(assignments)Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?"),
      columns: columns, crossing)
    updates[key] = update
    return update
  }

  /// In the order of the table, except the columns of orders, which follow all others.
  private func columns(of entity: EntityLayout) -> [Column] {
    let table = schema.table(entity)
    let columns = (table.columnsByEntity[entity.number] ?? []).map { table.columns[$0] }
    return columns.filter { $0.codec != .order } + columns.filter { $0.codec == .order }
  }

  /// Deletes one row, if it still has the version that was read.
  package func delete(_ entity: EntityLayout) throws -> Statement {
    try connection.cached("DELETE FROM \(schema.table(entity).name) WHERE Z_PK = ? AND Z_OPT = ?")
  }

  /// Takes `count` keys of a hierarchy; the last one of them.
  func allot(_ count: Int, root: EntityLayout) throws -> Int64 {
    let raise = try connection.cached("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ? WHERE Z_ENT = ? RETURNING Z_MAX")
    defer { raise.reset() }
    raise.bind(Int64(count), at: 1)
    raise.bind(Int64(root.number), at: 2)
    guard try raise.step() else {
      throw SQLiteError(code: .corrupt, message: "Z_PRIMARYKEY has no row for \(root.name)", sql: raise.sql)
    }
    let last = raise.int64(at: 0)
    // The change is only made when the statement has run to its end.
    while try raise.step() {}
    guard last >= Int64(count), last <= Self.largestKey else {
      throw SQLiteError(code: .corrupt, message: "Z_PRIMARYKEY has no usable Z_MAX for \(root.name)", sql: raise.sql)
    }
    return last
  }

  package func join(_ join: JoinSchema, insert: Bool) throws -> Statement {
    try connection.cached(
      insert
        ? "INSERT OR IGNORE INTO \(join.name)(\(join.ownerColumn), \(join.memberColumn)) VALUES (?, ?)"
        : "DELETE FROM \(join.name) WHERE \(join.ownerColumn) = ? AND \(join.memberColumn) = ?")
  }

  /// Makes a row a member of a relationship without inverse, or takes it out where it still is one of that owner.
  package func membership(_ place: MemberPlace, insert: Bool) throws -> Statement {
    let clearing = place.order.map { ", \($0) = NULL" } ?? ""
    return try connection.cached(
      insert
        ? "UPDATE \(place.table) SET \(place.owner) = ?\(clearing) WHERE \(place.member) = ?"
        : "UPDATE \(place.table) SET \(place.owner) = NULL\(clearing) WHERE \(place.owner) = ? AND \(place.member) = ?")
  }

  /// Takes all members of an owner out of a relationship without inverse.
  func clearMemberships(_ place: MemberPlace) throws -> Statement {
    let clearing = place.order.map { ", \($0) = NULL" } ?? ""
    return try connection.cached(
      "UPDATE \(place.table) SET \(place.owner) = NULL\(clearing) WHERE \(place.owner) = ?")
  }

  func clearJoin(_ join: JoinSchema, isOwner: Bool) throws -> Statement {
    try connection.cached(
      "DELETE FROM \(join.name) WHERE \(isOwner ? join.ownerColumn : join.memberColumn) = ?")
  }
}
