import SQLite

/// Checks the bookkeeping of a store's file: `Z_METADATA`, `Z_PRIMARYKEY`, and the `Z_PK`,
/// `Z_ENT` and `Z_OPT` of each row.
struct StoreIntegrityCheck {
  private struct Entity {
    var number: Int64
    var name: String
    var parent: Int64
    var largestKey: Int64
  }

  private let connection: Connection
  private let tables: Set<String>
  private(set) var rows = 0
  private(set) var damages: [StoreCondition.Damage] = []

  init(_ connection: Connection, tables: Set<String>) {
    self.connection = connection
    self.tables = tables
  }

  mutating func check() throws {
    for table in ["Z_METADATA", "Z_PRIMARYKEY"] where !tables.contains(table) {
      add(table, expected: "the table is there", seen: "no such table")
    }
    precondition(rows == 0, "a store's rows are counted once")
    guard damages.isEmpty else { return }
    let said = try connection.int64("SELECT count(*) FROM Z_METADATA WHERE length(Z_UUID) > 0") ?? 0
    let count = try connection.int64("SELECT count(*) FROM Z_METADATA") ?? 0
    if said != 1 || count != 1 {
      add("Z_METADATA", expected: "one row with a UUID", seen: "\(count) rows, \(said) with a UUID")
    }
    let entities = try entities()
    let known = Dictionary(entities.map { ($0.number, $0) }) { first, _ in first }
    if known.count < entities.count {
      add(
        "Z_PRIMARYKEY", expected: "each entity has one row", seen: "\(entities.count) rows of \(known.count) entities")
    }
    let roots = known.values.sorted { $0.number < $1.number }.filter { known[$0.parent] == nil }
    let tableByRoot = tables(ofRoots: roots)
    for entity in roots {
      guard let table = tableByRoot[entity.number] else {
        guard entity.largestKey > 0 else { continue }
        add("Z_PRIMARYKEY", expected: "a table of \(entity.name)", seen: "none, though it has had rows")
        continue
      }
      let family = known.values.filter { isKind($0, of: entity, known) }.map { String($0.number) }.sorted()
      try checkRows(of: entity, table, family.joined(separator: ", "))
      try checkDestinations(of: table, known, tableByRoot)
    }
    try checkHistory(roots, tableByRoot, known)
  }

  /// Replays the history, where the file has one.
  private mutating func checkHistory(
    _ roots: [Entity], _ tableByRoot: [Int64: String], _ known: [Int64: Entity]
  ) throws {
    guard tables.isSuperset(of: ["ACHANGE", "ATRANSACTION"]) else { return }
    var found: [StoreCondition.Damage] = []
    let check = StoreHistoryCheck(connection) { place, expected, wrongRows, what in
      found.append(
        StoreCondition.Damage(
          .history, place, expected: expected, seen: "\(wrongRows) rows have \(what)", count: Int(wrongRows)))
    }
    try check.checkTransactions(lastNumber: known[StoreHistoryCheck.numbers.lowerBound + 1]?.largestKey ?? 0)
    for root in roots where !StoreHistoryCheck.numbers.contains(root.number) {
      guard let table = tableByRoot[root.number] else { continue }
      let family = known.values.filter { isKind($0, of: root, known) }.map { String($0.number) }.sorted()
      try check.checkRows(of: table, family.joined(separator: ", "))
    }
    damages += found
  }

  private func entities() throws -> [Entity] {
    let statement = try connection.prepare("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY")
    var entities: [Entity] = []
    while try statement.step() {
      entities.append(
        Entity(
          number: statement.int64(at: 0), name: statement.string(at: 1), parent: statement.int64(at: 2),
          largestKey: statement.int64(at: 3)))
    }
    return entities
  }

  /// The tables of root entities, by number: `ZNAME`, of a second entity of that name `ZNAME1`, of history `ANAME`.
  private func tables(ofRoots roots: [Entity]) -> [Int64: String] {
    var taken: Set<String> = []
    var found: [Int64: String] = [:]
    for root in roots {
      let stem = root.name.uppercased()
      var name = "Z" + stem
      var suffix = 0
      while !taken.insert(name).inserted {
        suffix += 1
        name = "Z\(stem)\(suffix)"
      }
      found[root.number] = [name, "A" + stem].first(where: tables.contains)
    }
    return found
  }

  private func isKind(_ entity: Entity, of root: Entity, _ known: [Int64: Entity]) -> Bool {
    var current: Entity? = entity
    // A damaged file may go round in circles.
    for _ in 0...known.count {
      guard let this = current else { return false }
      if this.number == root.number { return true }
      current = known[this.parent]
    }
    return false
  }

  private mutating func checkRows(of root: Entity, _ table: String, _ family: String) throws {
    let quoted = StoreCondition.quoted(table)
    let statement = try connection.prepare(
      """
      SELECT count(*), ifnull(max(Z_PK), 0), count(*) FILTER (WHERE Z_PK < 1),
        count(*) FILTER (WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(family))),
        count(*) FILTER (WHERE Z_OPT IS NULL OR Z_OPT < 1)
      FROM \(quoted)
      """)
    guard try statement.step() else { return }
    rows += Int(statement.int64(at: 0))
    let largest = statement.int64(at: 1)
    if largest > root.largestKey {
      add(
        "Z_PRIMARYKEY of \(root.name)", expected: "Z_MAX is the largest key given, at least \(largest)",
        seen: "\(root.largestKey): the next new rows would take keys that are taken")
    }
    add(table, expected: "keys are positive", wrongRows: statement.int64(at: 2), "a Z_PK below 1")
    add(
      table, expected: "Z_ENT is one of \(family)", wrongRows: statement.int64(at: 3),
      "the number of no entity of the table")
    // Rows of a history are never changed.
    guard !StoreHistoryCheck.numbers.contains(root.number) else { return }
    add(table, expected: "Z_OPT counts the saves of a row, from 1", wrongRows: statement.int64(at: 4), "none")
  }

  /// `Zn_NAME` has the entity of the row that `ZNAME` leads to, where that row is there; the tables of entity `n` have it.
  private mutating func checkDestinations(
    of table: String, _ known: [Int64: Entity], _ tableByRoot: [Int64: String]
  ) throws {
    let quoted = StoreCondition.quoted(table)
    let columns = Set(try connection.texts("SELECT name FROM pragma_table_info(\(quoted))"))
    for column in columns.sorted() {
      let digits = column.dropFirst().prefix(while: \.isNumber)
      let key = "Z" + column.dropFirst(digits.count + 2)
      guard let number = Int64(digits), column == "Z\(digits)_\(key.dropFirst())", columns.contains(key),
        let destination = known[number],
        let other = tableByRoot.first(where: { root, _ in
          known[root].map { isKind(destination, of: $0, known) } ?? false
        })?.value
      else { continue }
      let (entity, target) = (StoreCondition.quoted(column), StoreCondition.quoted(key))
      let wrong = try connection.int64(
        "SELECT count(*) FROM \(quoted) a JOIN \(StoreCondition.quoted(other)) b ON b.Z_PK = a.\(target) "
          + "WHERE a.\(entity) IS NOT b.Z_ENT")
      add(
        table, expected: "\(column) is the entity of the row of \(key)", wrongRows: wrong ?? 0, "another in \(column)")
    }
  }

  private mutating func add(_ place: String, expected: String, wrongRows: Int64, _ what: String) {
    guard wrongRows > 0 else { return }
    add(place, expected: expected, seen: "\(wrongRows) rows have \(what)", count: Int(wrongRows))
  }

  private mutating func add(_ place: String, expected: String, seen: String, count: Int = 1) {
    damages.append(StoreCondition.Damage(.bookkeeping, place, expected: expected, seen: seen, count: count))
  }
}
