/// The triggers that keep the derived attributes of a store up to date.
///
/// They belong to the writer's connection and not to the file: Apple's call functions that only Apple's connections have.
package struct DerivedTriggers {
  /// The function that a trigger calls with the root entity's number, the row's key, the property's index and the value.
  static let reportFunction = "CoreDataDerivedValue"
  static let nowFunction = "CoreDataNow"
  static let canonicalFunction = "CoreDataCanonical"
  static let uppercaseFunction = "CoreDataUppercase"
  static let lowercaseFunction = "CoreDataLowercase"

  private let schema: StoreSchema
  private(set) var statements: [String] = []

  package init(_ schema: StoreSchema) {
    self.schema = schema
    for derived in schema.derived { add(derived) }
  }

  private mutating func add(_ derived: DerivedAttribute) {
    let own = schema.table(derived.property.owner)
    let place = Place(derived, own, schema)
    place.onInsert(own.name, "Z_PK = NEW.Z_PK", &statements)
    place.onRewrite(own.name, &statements)
    switch derived.source {
    case .now: place.onUpdate("Z_OPT", own.name, ["Z_PK = NEW.Z_PK"], &statements)
    case .copy(_, toOne: nil, let attribute):
      place.onUpdate(own.column(attribute).name, own.name, ["Z_PK = NEW.Z_PK"], &statements)
    case .copy(_, toOne: let toOne?, let attribute):
      let (key, target) = (own.column(toOne).name, schema.table(attribute.owner))
      place.onUpdate(key, own.name, ["Z_PK = NEW.Z_PK"], &statements)
      place.onInsert(target.name, "\(key) = NEW.Z_PK", &statements)
      place.onUpdate(target.column(attribute).name, target.name, ["\(key) = NEW.Z_PK"], &statements)
    case .count(let toMany): addMembership(place, toMany)
    case .sum(let toMany, let attribute):
      addMembership(place, toMany)
      let (members, target) = (schema.members(toMany), schema.table(attribute.owner))
      let owners =
        members.isJoin
        ? "Z_PK IN (SELECT \(members.owner) FROM \(members.table) WHERE \(members.member) = NEW.Z_PK)"
        : "Z_PK = NEW.\(members.owner)"
      place.onUpdate(target.column(attribute).name, target.name, [owners], &statements)
    }
  }

  private mutating func addMembership(_ place: Place, _ toMany: PropertyLayout) {
    precondition(toMany.isToMany, "a derived value counts or sums up several members")
    let members = schema.members(toMany)
    let (new, old) = ("Z_PK = NEW.\(members.owner)", "Z_PK = OLD.\(members.owner)")
    place.onInsert(members.table, new, &statements)
    place.onDelete(members.table, old, &statements)
    place.onUpdate(members.owner, members.table, [old, new], &statements)
  }

  /// The column of one derived attribute.
  private struct Place {
    private let name: String
    private let update: (_ rows: String) -> String
    private let report: (_ rows: String) -> String

    package init(_ derived: DerivedAttribute, _ table: TableSchema, _ schema: StoreSchema) {
      let property = derived.property
      let column = table.column(property).name
      name = "Z_DA_\(table.name)_\(property.owner.name)_\(property.name)"
      let numbers = property.owner.family.map { "\($0.number)" }.joined(separator: ", ")
      let value = Self.value(derived, table, schema)
      update = { rows in "UPDATE \(table.name) SET \(column) = \(value) WHERE \(rows) AND Z_ENT IN (\(numbers));" }
      report = { rows in
        "SELECT \(DerivedTriggers.reportFunction)(\(table.root.number), Z_PK, \(property.index), \(column)) "
          + "FROM \(table.name) WHERE \(rows) AND Z_ENT IN (\(numbers));"
      }
    }

    /// Reports the value of a row that is written again: it may have been read before the value changed.
    func onRewrite(_ table: String, _ statements: inout [String]) {
      add("AFTER UPDATE OF Z_OPT ON \(table)", [report("Z_PK = NEW.Z_PK")], &statements)
    }

    func onInsert(_ table: String, _ rows: String, _ statements: inout [String]) {
      add("AFTER INSERT ON \(table)", [body(rows)], &statements)
    }

    func onDelete(_ table: String, _ rows: String, _ statements: inout [String]) {
      add("AFTER DELETE ON \(table)", [body(rows)], &statements)
    }

    func onUpdate(_ column: String, _ table: String, _ rows: [String], _ statements: inout [String]) {
      add("AFTER UPDATE OF \(column) ON \(table)", rows.map(body), &statements)
    }

    private func body(_ rows: String) -> String { update(rows) + " " + report(rows) }

    private func add(_ event: String, _ body: [String], _ statements: inout [String]) {
      precondition(!body.isEmpty, "a trigger does something")
      statements.append(
        "CREATE TEMP TRIGGER \(name)_\(statements.count) \(event) FOR EACH ROW BEGIN "
          + body.joined(separator: " ") + " END")
    }

    /// The value, in a statement about rows of `table`.
    private static func value(_ derived: DerivedAttribute, _ table: TableSchema, _ schema: StoreSchema) -> String {
      func formed(_ form: DerivedAttribute.Form, _ column: String) -> String {
        switch form {
        case .same: column
        case .canonical: "\(DerivedTriggers.canonicalFunction)(\(column))"
        case .uppercase: "\(DerivedTriggers.uppercaseFunction)(\(column))"
        case .lowercase: "\(DerivedTriggers.lowercaseFunction)(\(column))"
        }
      }
      switch derived.source {
      case .now: return "\(DerivedTriggers.nowFunction)()"
      case .copy(let form, toOne: nil, let attribute): return formed(form, table.column(attribute).name)
      case .copy(let form, toOne: let toOne?, let attribute):
        let target = schema.table(attribute.owner)
        return "(SELECT \(formed(form, "d." + target.column(attribute).name)) FROM \(target.name) d "
          + "WHERE d.Z_PK = \(table.name).\(table.column(toOne).name))"
      case .count(let toMany):
        let members = schema.members(toMany)
        return "(SELECT count(*) FROM \(members.table) m WHERE m.\(members.owner) = \(table.name).Z_PK)"
      case .sum(let toMany, let attribute):
        let (members, target) = (schema.members(toMany), schema.table(attribute.owner))
        let column = "d.\(target.column(attribute).name)"
        return members.isJoin
          ? "(SELECT ifnull(sum(\(column)), 0) FROM \(members.table) m JOIN \(target.name) d ON d.Z_PK = m.\(members.member) "
            + "WHERE m.\(members.owner) = \(table.name).Z_PK)"
          : "(SELECT ifnull(sum(\(column)), 0) FROM \(target.name) d WHERE d.\(members.owner) = \(table.name).Z_PK)"
      }
    }
  }
}
