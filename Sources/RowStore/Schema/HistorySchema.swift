import SQLite

/// The tables of a store's persistent history, and the bits of its changes.
package final class HistorySchema: @unchecked Sendable {
  // Sendable: nothing changes after `init`.

  /// The tables by the numbers that they have in `Z_PRIMARYKEY`.
  enum Table: Int64, CaseIterable {
    case change = 16_001
    case transaction, string

    /// As `Z_PRIMARYKEY` has it.
    var name: String {
      switch self {
      case .change: "CHANGE"
      case .transaction: "TRANSACTION"
      case .string: "TRANSACTIONSTRING"
      }
    }
  }

  /// The meaning of one bit of a change.
  private struct Slot {
    enum Part {
      /// The value or, of a to-many relationship, its members.
      case value
      /// The column with the entity of a to-one relationship's object.
      case entity
      /// The column with the row's place among the members of an ordered relationship.
      case order
    }

    let property: PropertyLayout
    let part: Part
  }

  /// By the number of the entity.
  private let slots: [Int: [Slot]]
  private let tombstones: [Int: [PropertyLayout]]
  /// Columns that an entity needs at most for the values of deleted rows.
  private let tombstoneCount: Int

  package init(_ schema: StoreSchema) {
    slots = Dictionary(
      uniqueKeysWithValues: schema.entities.map { ($0.number, Self.slots(of: $0, schema.table($0))) })
    tombstones = Dictionary(
      uniqueKeysWithValues: schema.entities.map { entity in
        (entity.number, entity.properties.filter(\.isKeptInHistory).sorted { $0.name < $1.name })
      })
    tombstoneCount = tombstones.values.map(\.count).max() ?? 0
  }

  /// Groups of slots follow each other. Within one, inherited properties come first, and those of one entity by name; but
  /// to-many relationships are in the order of a hash.
  private static func slots(of entity: EntityLayout, _ table: TableSchema) -> [Slot] {
    let lineage = sequence(first: entity, next: \.parent).reversed()
    let properties = lineage.flatMap { owner in
      entity.properties.filter { $0.owner === owner && $0.isStored }.sorted { $0.name < $1.name }
    }
    let toOnes = properties.filter { $0.isRelationship && !$0.isToMany }
    let names = HashedOrder(properties.map(\.name), further: toOnes.count).names
    let toManys = names.compactMap { entity.propertiesByName[$0] }.filter(\.isToMany)
    let isJoined = { (property: PropertyLayout) in property.relation.inverse?.isToMany ?? false }
    let values =
      properties.filter { !$0.isRelationship } + toManys.filter { !isJoined($0) } + toManys.filter(isJoined)
    return toOnes.map { Slot(property: $0, part: .value) }
      + toOnes.filter { !$0.relation.destination.children.isEmpty }.map { Slot(property: $0, part: .entity) }
      + toOnes.filter { table.orderColumn($0) != nil }.map { Slot(property: $0, part: .order) }
      + values.map { Slot(property: $0, part: .value) }
  }

  /// The bits of a change: the highest of the first byte is that of the first slot.
  ///
  /// - Parameters:
  ///   - moved: the to-one relationships with the same owner, and another place among its members.
  ///   - elsewhere: the to-one relationships that lead to an object of another entity than before; nil for all that are changed.
  func columns(
    _ changed: PropertyMask, of entity: EntityLayout, moved: PropertyMask = .empty, elsewhere: PropertyMask? = nil
  ) -> [UInt8] {
    guard let slots = slots[entity.number] else {
      preconditionFailure("\(entity.name), of which a change is recorded, is in the store")
    }
    var bytes = [UInt8](repeating: 0, count: (slots.count + 7) / 8)
    for (position, slot) in slots.enumerated() {
      let isChanged = changed.contains(slot.property.index)
      let isSet =
        switch slot.part {
        case .value: isChanged
        case .entity: isChanged && (elsewhere ?? changed).contains(slot.property.index)
        case .order: isChanged || moved.contains(slot.property.index)
        }
      if isSet { bytes[position / 8] |= 0x80 >> UInt8(position % 8) }
    }
    return bytes
  }

  /// The properties that a change names, in the order of their bits.
  func properties(_ columns: [UInt8], of entity: EntityLayout) -> [PropertyLayout] {
    var found: [PropertyLayout] = []
    for (position, slot) in (slots[entity.number] ?? []).enumerated() where position / 8 < columns.count {
      guard columns[position / 8] & 0x80 >> UInt8(position % 8) != 0,
        !found.contains(where: { $0 === slot.property })
      else { continue }
      found.append(slot.property)
    }
    return found
  }

  /// The attributes that the history keeps of a deleted object, in the order of their columns.
  func tombstone(_ entity: EntityLayout) -> [PropertyLayout] { tombstones[entity.number] ?? [] }

  // MARK: The file

  /// Whether the file has a history: its tables.
  package static func exists(_ connection: Connection) throws -> Bool {
    try connection.int64("SELECT count(*) FROM sqlite_master WHERE name IN ('ACHANGE', 'ATRANSACTION')") == 2
  }

  /// Whether a transaction was ever recorded and is still there.
  static func isKept(_ connection: Connection) throws -> Bool {
    guard try exists(connection) else { return false }
    return try connection.int64("SELECT EXISTS (SELECT 1 FROM ATRANSACTION)") == 1
  }

  /// The number of the last transaction, though it may be deleted; 0 before the first.
  static func lastTransaction(_ connection: Connection) throws -> Int64 {
    let last = try connection.cachedForChecks("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?1")
    defer { last.reset() }
    last.bind(Table.transaction.rawValue, at: 1)
    return try last.step() ? last.int64(at: 0) : 0
  }

  /// Columns of a file that has a history already.
  static func tombstoneColumns(_ connection: Connection) throws -> Int {
    let count = "SELECT count(*) FROM pragma_table_info('ACHANGE') WHERE name GLOB 'ZTOMBSTONE[0-9]*'"
    return Int(try connection.int64(count) ?? 0)
  }

  /// Makes the tables where they are missing, and columns that the model they were made for had no need of.
  func prepare(_ connection: Connection) throws {
    guard try !Self.exists(connection) || Self.tombstoneColumns(connection) < tombstoneCount else { return }
    try connection.execute("BEGIN IMMEDIATE")
    do {
      // Another connection may have been faster.
      if try !Self.exists(connection) {
        for statement in definition { try connection.execute(statement) }
      }
      for number in stride(from: try Self.tombstoneColumns(connection), to: tombstoneCount, by: 1) {
        try connection.execute("ALTER TABLE ACHANGE ADD COLUMN ZTOMBSTONE\(number) BLOB")
      }
      try connection.execute("COMMIT")
    } catch {
      try? connection.execute("ROLLBACK")
      throw error
    }
  }

  private var definition: [String] {
    let tombstones = (0..<tombstoneCount).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
    let texts = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"]
    return [
      "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
        + "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(tombstones) )",
      "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + texts.map { "\($0) INTEGER, " }.joined() + "ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, "
        + "ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
      "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
      "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
    ] + texts.map { "CREATE INDEX ATRANSACTION_\($0)_INDEX ON ATRANSACTION (\($0))" } + [
      "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
      "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
      "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
    ]
  }
}
