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
  private let crossing: CrossStoreCheck
  package let begin: Statement
  package let commit: Statement
  @exclusivity(unchecked)
  private var insertsByNumber: [Unmanaged<EntityInsert>?]
  /// The inserts that were wanted so far.
  package private(set) var inserts: [EntityInsert] = []
  @exclusivity(unchecked)
  private var updates: [UpdateKey: EntityUpdate] = [:]
  /// By the number of the root entity.
  private var deletes: [Int: TableDelete] = [:]
  /// Asked by the statements for many rows.
  let scan: RowScan
  /// The numbers that the save under way gives to members of ordered relationships.
  package var order = OrderPlan()

  package init(connection: Connection, schema: StoreSchema, crossing: CrossStoreCheck) throws {
    self.connection = connection
    self.crossing = crossing
    begin = try connection.prepare("BEGIN IMMEDIATE")
    commit = try connection.prepare("COMMIT")
    scan = try RowScan(connection)
    self.schema = schema
    insertsByNumber = Array(repeating: nil, count: schema.model.entities.count)
  }

  /// The insert for the new rows of an entity; alive as long as the statements.
  @inline(__always)
  package func insert(_ layout: Unmanaged<EntityLayout>) throws -> Unmanaged<EntityInsert> {
    let number = layout._withUnsafeGuaranteedRef { $0.number }
    return try insertsByNumber[number - 1] ?? makeInsert(layout.takeUnretainedValue())
  }

  @inline(never)
  private func makeInsert(_ entity: EntityLayout) throws -> Unmanaged<EntityInsert> {
    precondition(insertsByNumber[entity.number - 1] == nil, "the rows of an entity are inserted by one statement")
    let insert = try EntityInsert(
      entity, table: schema.table(entity), columns: columns(of: entity).filter { $0.codec != .order },
      crossing: crossing, connection: connection)
    inserts.append(insert)
    insertsByNumber[entity.number - 1] = .passUnretained(insert)
    return .passUnretained(insert)
  }

  /// Forgets rows that were not written.
  func dropPending() { for insert in inserts { insert.dropPending() } }

  /// Writes some columns of rows that still have the version that was read.
  package final class EntityUpdate {
    /// Of one row.
    package let alone: Statement
    /// Of the rows of a stretch.
    let together: RowScan.Statements
    /// Bound from 1; the orders, the new version, the key and the old version follow.
    let bindings: [ColumnBinding]
    /// To-one relationships that also have a column for an order to be written.
    package let orders: [PropertyLayout]
    private let entity: EntityLayout
    private let mask: PropertyMask
    /// The rows that the save under way writes so.
    @exclusivity(unchecked)
    final var wanted: ContiguousArray<RowScan.Wanted> = []

    fileprivate init(
      _ entity: EntityLayout, _ mask: PropertyMask, _ columns: [Column], _ crossing: CrossStoreCheck, table: String,
      connection: Connection
    ) throws {
      (self.entity, self.mask) = (entity, mask)
      let own = columns.filter { $0.codec != .order }
      precondition(
        columns.prefix(own.count).allSatisfy { $0.codec != .order },
        "the columns of orders come last, as they are bound")
      bindings = own.map { ColumnBinding($0, crossing) }
      orders = columns.filter { $0.codec == .order }.map(\.property)
      let assignments = columns.map { "\($0.name) = ?, " }.joined()
      alone = try connection.prepare("UPDATE \(table) SET \(assignments)Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?")
      let values = own.enumerated().map { "\($1.name) = \(RowScan.name)_value(Z_PK, \($0)), " }.joined()
      // With OR FAIL nothing is kept for undoing the statement alone: a save that fails is taken back as a whole.
      together = RowScan.Statements("UPDATE OR FAIL \(table) SET \(values)Z_OPT = Z_OPT + 1", connection)
    }

    @inline(__always)
    func writes(_ update: UnsafePointer<SavePlan.Update>) -> Bool {
      update.pointee.layoutReference.toOpaque() == Unmanaged.passUnretained(entity).toOpaque()
        && update.pointee.mask == mask
    }
  }

  package func update(_ update: SavePlan.Update) throws -> EntityUpdate {
    let entity = update.row.layout
    let key = UpdateKey(entity: entity.number, mask: update.mask)
    if let known = updates[key] { return known }
    let made = try EntityUpdate(
      entity, update.mask, columns(of: entity).filter { update.mask.contains($0.property.index) }, crossing,
      table: schema.table(entity).name, connection: connection)
    updates[key] = made
    return made
  }

  /// In the order of the table, except the columns of orders, which follow all others.
  private func columns(of entity: EntityLayout) -> [Column] {
    precondition(
      schema.table(entity).columnsByEntity[entity.number] != nil,
      "an entity has its columns in the table of its family")
    let table = schema.table(entity)
    let columns = (table.columnsByEntity[entity.number] ?? []).map { table.columns[$0] }
    return columns.filter { $0.codec != .order } + columns.filter { $0.codec == .order }
  }

  /// Deletes rows of one table that still have the version that was read.
  final class TableDelete {
    /// Of one row.
    let alone: Statement
    /// Of the rows of a stretch.
    let together: RowScan.Statements
    /// Of the table's only rows.
    let all: RowScan.TableClearing

    fileprivate init(_ table: String, _ connection: Connection) throws {
      alone = try connection.prepare("DELETE FROM \(table) WHERE Z_PK = ? AND Z_OPT = ?")
      together = RowScan.Statements("DELETE FROM \(table)", connection)
      all = RowScan.TableClearing(table, connection)
    }
  }

  func delete(_ table: TableSchema) throws -> TableDelete {
    if let known = deletes[table.root.number] { return known }
    let made = try TableDelete(table.name, connection)
    deletes[table.root.number] = made
    return made
  }

  /// Takes `count` keys of a hierarchy; the last one of them.
  func allot(_ count: Int, root: EntityLayout) throws -> Int64 {
    precondition(count > 0, "keys are allotted to rows that need one")
    // Two statements, both in the transaction: for RETURNING, SQLite makes a table to return from.
    let raise = try connection.cached("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ? WHERE Z_ENT = ?")
    raise.bind(Int64(count), at: 1)
    raise.bind(Int64(root.number), at: 2)
    try raise.run()
    let raised = try connection.cachedForChecks("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?")
    defer { raised.reset() }
    raised.bind(Int64(root.number), at: 1)
    guard try raised.step() else {
      throw SQLiteError(code: .corrupt, message: "Z_PRIMARYKEY has no row for \(root.name)", sql: raised.sql)
    }
    let last = raised.int64(at: 0)
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
