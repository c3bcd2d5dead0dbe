/// One column of a table.
struct Column {
  /// How a value lies in the file.
  enum Codec {
    /// Integers, booleans.
    case integer
    /// Doubles, floats.
    case real
    /// Seconds since 2001-01-01.
    case timestamp
    case text
    /// A URL as text.
    case url
    /// A decimal as a number or text.
    case decimal
    case blob
    /// 16 bytes.
    case uuid
    /// The primary key of a to-one relationship's object.
    case key
    /// The entity number of a to-one relationship's object, where the destination has sub-entities.
    case keyEntity
    /// Where the object stands among the members of an ordered relationship whose inverse is a to-one relationship; no
    /// part of a row.
    case order
  }

  let name: String
  let codec: Codec
  /// Index of the property in the entities of the family that declare it.
  let property: PropertyLayout

  var sqlType: String {
    switch codec {
    case .integer, .key, .keyEntity, .order: "INTEGER"
    case .real: "FLOAT"
    case .timestamp: "TIMESTAMP"
    case .text, .url: "VARCHAR"
    case .decimal: "DECIMAL"
    case .blob, .uuid: "BLOB"
    }
  }

  /// Columns of a table stand in groups: integers and keys, orders, entities, numbers, texts, blobs.
  fileprivate var group: Int {
    switch codec {
    case .integer, .key: 0
    case .order: 1
    case .keyEntity: 2
    case .real, .timestamp, .decimal: 3
    case .text, .url: 4
    case .blob, .uuid: 5
    }
  }
}

/// The table of a root entity and of all that inherit from it.
final class TableSchema {
  unowned(unsafe) let root: EntityLayout
  let name: String
  let columns: [Column]
  /// Positions in ``columns`` that each entity of the family has, by entity number.
  let columnsByEntity: [Int: [Int]]
  private let positionsByProperty: [ObjectIdentifier: Int]
  /// Constraints of every entity of the family; each index is over the whole table.
  let constraints: [ConstraintLayout]

  init(root: EntityLayout) {
    self.root = root
    constraints = root.family.flatMap(\.ownConstraints)
    name = "Z" + root.name.uppercased()
    var columns: [Column] = []
    var taken: Set<String> = []
    for entity in root.family {
      let own = entity.properties.filter { $0.owner === entity && !$0.isTransient }
      for property in own.sorted(by: { ($0.isRelationship ? 1 : 0, $0.name) < ($1.isRelationship ? 1 : 0, $1.name) }) {
        columns += TableSchema.columns(property, taken: &taken)
      }
    }
    // Stable within a group: the root's columns first, then its descendants' depth first.
    columns = columns.enumerated().sorted { ($0.element.group, $0.offset) < ($1.element.group, $1.offset) }.map(
      \.element)
    self.columns = columns
    columnsByEntity = Dictionary(
      uniqueKeysWithValues: root.family.map { entity in
        (entity.number, columns.indices.filter { entity.isKind(of: columns[$0].property.owner) })
      })
    positionsByProperty = Dictionary(
      columns.enumerated().filter { $1.codec != .keyEntity && $1.codec != .order }.map {
        (ObjectIdentifier($1.property), $0)
      },
      uniquingKeysWith: { first, _ in first })
  }

  var hasSubentities: Bool { !root.children.isEmpty }

  /// The column with the order of an ordered relationship's members, by their to-one relationship; nil when it is a set.
  func orderColumn(_ toOne: PropertyLayout) -> String? {
    toOne.relation.inverse?.relation.isOrdered ?? false ? Self.orderName(column(toOne).name) : nil
  }

  private static func orderName(_ column: String) -> String { "Z_FOK_" + column.dropFirst() }

  /// The column of an attribute or to-one relationship.
  func column(_ property: PropertyLayout) -> Column { columns[positionsByProperty[ObjectIdentifier(property)]!] }

  private static func columns(_ property: PropertyLayout, taken: inout Set<String>) -> [Column] {
    let upper = property.name.uppercased()
    switch property.kind {
    case .attribute(let type):
      return [Column(name: unique("Z" + upper, &taken), codec: codec(type), property: property)]
    case .toMany: return []
    case .toOne:
      var columns = [Column(name: unique("Z" + upper, &taken), codec: .key, property: property)]
      if property.relation.inverse?.relation.isOrdered ?? false {
        columns.append(Column(name: orderName(columns[0].name), codec: .order, property: property))
      }
      let destination = property.relation.destination
      if !destination.children.isEmpty {
        columns.append(
          Column(name: unique("Z\(destination.number)_\(upper)", &taken), codec: .keyEntity, property: property))
      }
      return columns
    }
  }

  /// Sibling entities may use one name; the second gets a 1, the third a 2.
  private static func unique(_ name: String, _ taken: inout Set<String>) -> String {
    var candidate = name
    var suffix = 0
    while !taken.insert(candidate).inserted {
      suffix += 1
      candidate = "\(name)\(suffix)"
    }
    return candidate
  }

  private static func codec(_ type: NSAttributeType) -> Column.Codec {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType: .integer
    case .doubleAttributeType, .floatAttributeType: .real
    case .dateAttributeType: .timestamp
    case .stringAttributeType: .text
    case .URIAttributeType: .url
    case .decimalAttributeType: .decimal
    case .binaryDataAttributeType, .undefinedAttributeType: .blob
    case .UUIDAttributeType: .uuid
    }
  }
}

/// The table of a many-to-many relationship; on the lower-numbered entity.
final class JoinSchema {
  let name: String
  /// The relationship that names the table; only its side writes.
  let owner: PropertyLayout
  /// Column with the keys of the objects that have ``owner``.
  let ownerColumn: String
  /// Column with the keys of the objects ``owner`` leads to.
  let memberColumn: String
  /// Column with the order of an owner's members; nil when they are a set.
  let memberOrderColumn: String?
  /// Column with the order of a member's owners; nil when they are a set.
  let ownerOrderColumn: String?

  init(owner: PropertyLayout, inverse: PropertyLayout) {
    self.owner = owner
    let source = owner.owner.number
    let destination = owner.relation.destination.number
    name = "Z_\(source)\(owner.name.uppercased())"
    memberColumn = "Z_\(destination)\(owner.name.uppercased())"
    // A relationship that is its own inverse would name both columns alike.
    ownerColumn = owner === inverse ? "REFLEXIVE" : "Z_\(source)\(inverse.name.uppercased())"
    memberOrderColumn = owner.relation.isOrdered ? "Z_FOK_" + memberColumn.dropFirst(2) : nil
    ownerOrderColumn = inverse.relation.isOrdered && owner !== inverse ? "Z_FOK_" + ownerColumn.dropFirst(2) : nil
  }

  /// The columns as one of the two relationships sees them: its objects' keys, the other side's, and their order.
  func columns(_ property: PropertyLayout) -> (own: String, other: String, order: String?) {
    property === owner
      ? (ownerColumn, memberColumn, memberOrderColumn) : (memberColumn, ownerColumn, ownerOrderColumn)
  }
}

/// Tables, columns and indexes of a model, in Apple's layout.
final class StoreSchema: @unchecked Sendable {
  // Sendable: nothing changes after `init`.

  let model: ModelLayout
  /// By the number of the root entity.
  let tables: [Int: TableSchema]
  let joins: [JoinSchema]
  private let joinsByProperty: [ObjectIdentifier: JoinSchema]
  /// Whether a relationship of the model is ordered.
  let isOrdered: Bool

  init(_ model: ModelLayout) {
    self.model = model
    isOrdered = model.entities.contains(where: \.hasOrder)
    let roots = model.entities.filter { $0.parent == nil }
    tables = Dictionary(uniqueKeysWithValues: roots.map { ($0.number, TableSchema(root: $0)) })
    var joins: [JoinSchema] = []
    var byProperty: [ObjectIdentifier: JoinSchema] = [:]
    for entity in model.entities {
      for property in entity.relationships where property.owner === entity && property.relation.isToMany {
        guard let inverse = property.relation.inverse, inverse.relation.isToMany,
          byProperty[ObjectIdentifier(property)] == nil
        else { continue }
        // Where both ends are on one entity, the name that sorts last owns the table.
        let owns = inverse.owner !== entity || property.name >= inverse.name
        let join = owns ? JoinSchema(owner: property, inverse: inverse) : JoinSchema(owner: inverse, inverse: property)
        joins.append(join)
        byProperty[ObjectIdentifier(property)] = join
        byProperty[ObjectIdentifier(inverse)] = join
      }
    }
    self.joins = joins
    joinsByProperty = byProperty
  }

  func table(_ entity: EntityLayout) -> TableSchema { tables[entity.root.number]! }

  /// The join table of a to-many relationship; nil when the destination's rows have the key.
  func join(_ property: PropertyLayout) -> JoinSchema? { joinsByProperty[ObjectIdentifier(property)] }

  /// Tables in the order of their root entities.
  var orderedTables: [TableSchema] { tables.values.sorted { $0.root.number < $1.root.number } }

  /// The statements that make an empty store.
  var definition: [String] {
    var statements: [String] = []
    for table in orderedTables {
      let columns = table.columns.map { ", \($0.name) \($0.sqlType)" }.joined()
      statements.append(
        "CREATE TABLE \(table.name) ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER\(columns) )")
      for column in table.columns where column.codec == .key {
        statements.append("CREATE INDEX \(table.name)_\(column.name)_INDEX ON \(table.name) (\(column.name))")
      }
      for constraint in table.constraints {
        let names = constraint.properties.map { "\(table.column($0).name) COLLATE BINARY ASC" }
        statements.append(
          "CREATE UNIQUE INDEX \(constraint.indexName) ON \(table.name) (\(names.joined(separator: ", ")))")
      }
      if table.hasSubentities {
        statements.append("CREATE INDEX \(table.name)_Z_ENT_INDEX ON \(table.name) (Z_ENT)")
      }
    }
    for join in joins {
      statements.append(
        "CREATE TABLE \(join.name) ( \(join.ownerColumn) INTEGER, \(join.memberColumn) INTEGER, "
          + [join.ownerOrderColumn, join.memberOrderColumn].compactMap { $0 }.map { "\($0) INTEGER, " }.joined()
          + "PRIMARY KEY (\(join.ownerColumn), \(join.memberColumn)) )")
      statements.append(
        "CREATE INDEX \(join.name)_\(join.memberColumn)_INDEX ON \(join.name) (\(join.memberColumn), \(join.ownerColumn))"
      )
    }
    statements += [
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
      "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ]
    for entity in model.entities {
      statements.append(
        "INSERT INTO Z_PRIMARYKEY VALUES (\(entity.number), '\(entity.name)', \(entity.parent?.number ?? 0), 0)")
    }
    return statements
  }
}
