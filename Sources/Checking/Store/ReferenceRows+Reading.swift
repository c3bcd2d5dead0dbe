import SQLite

extension ReferenceRows {
  /// A query's verdict on one reference; the SQL selects the raw value.
  private enum Finding: Int64 {
    case isFine = 0
    case hasNoOwner
    case leadsNowhere
    case isOneSided
  }

  /// Looks where a to-one relationship of an entity's rows leads.
  ///
  /// - Complexity: O(*n* log *n*) for *n* rows; holds the keys of those that are wrong.
  init(of reference: ReferenceLayout, in entity: EntityLayout, _ connection: Connection) throws {
    func own(_ column: String) -> String { "own.\(SQLText.quoted(column))" }
    let foreign = own(reference.column)
    let isNeeded =
      switch reference.need {
      case .optional: "0"
      case .required: "1"
      case .requiredWhere(let column): "COALESCE(\(own(column)), 0) <> 0"
      }
    var isThere = "other.Z_PK IS NOT NULL" + Self.isOne(of: reference.entities, "other")
    if let column = reference.entityColumn { isThere += " AND other.Z_ENT IS \(own(column))" }
    let leadsBack = reference.inverseColumn.map { "other.\(SQLText.quoted($0)) IS own.Z_PK" } ?? "1"
    let source = """
      FROM \(SQLText.quoted(entity.table)) AS own
      LEFT JOIN \(SQLText.quoted(reference.table)) AS other ON other.Z_PK = \(foreign)
      WHERE own.Z_ENT = \(entity.number)
      """
    let found = try Self.findings(
      """
      SELECT COALESCE(\(own(entity.keyColumn)), own.Z_PK), CASE
        WHEN \(foreign) IS NULL THEN CASE WHEN \(isNeeded) THEN \(Finding.hasNoOwner.rawValue) ELSE 0 END
        WHEN NOT (\(isThere)) THEN
          CASE WHEN \(isNeeded) THEN \(Finding.hasNoOwner.rawValue) ELSE \(Finding.leadsNowhere.rawValue) END
        WHEN NOT (\(leadsBack)) THEN \(Finding.isOneSided.rawValue)
        ELSE 0 END AS finding
      \(source) AND finding <> 0
      """, connection)
    let count = Int(try connection.int64("SELECT count(\(foreign)) \(source)") ?? 0)
    self.init(
      name: "\(entity.name).\(reference.name)", count: count,
      comparedCount: reference.inverseColumn == nil ? 0 : count, orphans: found[.hasNoOwner] ?? [],
      dangling: found[.leadsNowhere] ?? [], asymmetric: found[.isOneSided] ?? [])
  }

  /// Looks at the pairs of a join table; their keys are the owner's `Z_PK`.
  init(of join: JoinLayout, _ connection: Connection) throws {
    let table = SQLText.quoted(join.table)
    let (owner, member) = (SQLText.quoted(join.owner.column), SQLText.quoted(join.member.column))
    let isThere =
      "owner.Z_PK IS NOT NULL\(Self.isOne(of: join.owner.entities, "owner"))"
      + " AND member.Z_PK IS NOT NULL\(Self.isOne(of: join.member.entities, "member"))"
    let leadsBack =
      join.isReflexive
      ? "EXISTS (SELECT 1 FROM \(table) AS back WHERE back.\(owner) = own.\(member) AND back.\(member) = own.\(owner))"
      : "1"
    let found = try Self.findings(
      """
      SELECT own.\(owner), CASE
        WHEN NOT (\(isThere)) THEN \(Finding.leadsNowhere.rawValue)
        WHEN NOT (\(leadsBack)) THEN \(Finding.isOneSided.rawValue)
        ELSE 0 END AS finding
      FROM \(table) AS own
      LEFT JOIN \(SQLText.quoted(join.owner.table)) AS owner ON owner.Z_PK = own.\(owner)
      LEFT JOIN \(SQLText.quoted(join.member.table)) AS member ON member.Z_PK = own.\(member)
      WHERE finding <> 0
      """, connection)
    let count = Int(try connection.int64("SELECT count(*) FROM \(table)") ?? 0)
    self.init(
      name: join.name, count: count, comparedCount: join.isReflexive ? count : 0,
      dangling: found[.leadsNowhere] ?? [], asymmetric: found[.isOneSided] ?? [])
  }

  private static func isOne(of entities: [UInt16], _ row: String) -> String {
    entities.isEmpty ? "" : " AND \(row).Z_ENT IN (\(entities.map(String.init).joined(separator: ", ")))"
  }

  private static func findings(_ sql: String, _ connection: Connection) throws -> [Finding: [Int64]] {
    var found: [Finding: [Int64]] = [:]
    let statement = try connection.prepare(sql)
    while try statement.step() {
      if let finding = Finding(rawValue: statement.int64(at: 1)) {
        found[finding, default: []].append(statement.int64(at: 0))
      }
    }
    return found
  }
}
