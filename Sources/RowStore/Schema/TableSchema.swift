import Foundation

/// The table of a root entity and of all that inherit from it.
package final class TableSchema {
  package unowned(unsafe) let root: EntityLayout
  package let name: String
  package let columns: [Column]
  /// Positions in ``columns`` that each entity of the family has, by entity number.
  let columnsByEntity: [Int: [Int]]
  private let positionsByProperty: [ObjectIdentifier: Int]
  /// Constraints of every entity of the family; each index is over the whole table.
  package let constraints: [ConstraintLayout]

  /// - Parameters:
  ///   - name: unique among the tables of the store.
  ///   - memberships: to-many relationships without inverse that lead to an entity of the family.
  ///   - file: the names of columns in an existing file.
  package init(root: EntityLayout, name: String, memberships: [PropertyLayout], file: FileNames = FileNames()) {
    precondition(root.parent == nil, "a table has the rows of a whole family")
    self.root = root
    constraints = root.family.flatMap(\.ownConstraints)
    self.name = name
    var columns: [Column] = []
    var namer = ColumnNamer(table: name, file: file)
    for entity in root.family {
      let own = entity.properties.filter { $0.owner === entity && !$0.isTransient }
      for property in own.sorted(by: { ($0.isRelationship ? 1 : 0, $0.name) < ($1.isRelationship ? 1 : 0, $1.name) }) {
        columns += TableSchema.columns(property, &namer)
      }
      for property in memberships where property.relation.destination === entity {
        columns += TableSchema.ownerColumns(property, &namer)
      }
    }
    // Stable within a group: the root's columns first, then its descendants' depth first.
    columns = columns.enumerated().sorted { ($0.element.group, $0.offset) < ($1.element.group, $1.offset) }.map(
      \.element)
    self.columns = columns
    columnsByEntity = Dictionary(
      uniqueKeysWithValues: root.family.map { entity in
        (
          entity.number,
          columns.indices.filter { index in
            switch columns[index].codec {
            case .ownerKey, .ownerOrder: false
            default: entity.isKind(of: columns[index].property.owner)
            }
          }
        )
      })
    positionsByProperty = Dictionary(
      columns.enumerated().filter { $1.codec.isInRow && $1.codec != .keyEntity }.map { position, column in
        let elements = column.property.leafElements
        return (ObjectIdentifier(elements.isEmpty ? column.property : elements[column.leaf]), position)
      },
      uniquingKeysWith: { first, _ in first })
  }

  var hasSubentities: Bool { !root.children.isEmpty }

  /// The column with the order of an ordered relationship's members, by their to-one relationship; nil when it is a set.
  func orderColumn(_ toOne: PropertyLayout) -> String? {
    guard let inverse = toOne.relation.inverse, inverse.isStored, inverse.relation.isOrdered else { return nil }
    return Self.orderName(column(toOne).name)
  }

  /// The columns with the owner's key, and with the order of its members, of a to-many relationship without inverse.
  func ownerColumns(_ membership: PropertyLayout) -> (key: String, order: String?)? {
    guard let key = columns.first(where: { $0.codec == .ownerKey && $0.property === membership }) else { return nil }
    return (key.name, columns.first { $0.codec == .ownerOrder && $0.property === membership }?.name)
  }

  private static func orderName(_ column: String) -> String { "Z_FOK_" + column.dropFirst() }

  /// The column of an attribute, of an element of a composite one, or of a to-one relationship.
  package func column(_ property: PropertyLayout) -> Column {
    guard let position = positionsByProperty[ObjectIdentifier(property)] else {
      preconditionFailure("\(property.owner.name).\(property.name) has a column in \(name)")
    }
    return columns[position]
  }

  /// The same by its place among ``columns``; nil for a property that has none.
  func position(_ property: PropertyLayout) -> Int? { positionsByProperty[ObjectIdentifier(property)] }

  private static func columns(_ property: PropertyLayout, _ namer: inout ColumnNamer) -> [Column] {
    let upper = property.name.uppercased()
    switch property.kind {
    case .attribute(let type):
      switch property.encoding {
      case .composite(let layout)?:
        return layout.leaves.enumerated().map { number, leaf in
          namer.column("Z" + leaf.name.uppercased(), codec(leaf.type), property, leaf: number)
        }
      case .transformed?: return [namer.column("Z" + upper, .transformed, property)]
      case .external?: return [namer.column("Z" + upper, .external, property)]
      case nil: return [namer.column("Z" + upper, codec(type), property)]
      }
    case .toMany: return []
    case .toOne:
      var columns = [namer.column("Z" + upper, .key, property)]
      if let inverse = property.relation.inverse, inverse.isStored, inverse.relation.isOrdered {
        columns.append(Column(name: orderName(columns[0].name), codec: .order, property: property))
      }
      let destination = property.relation.destination
      if !destination.children.isEmpty {
        columns.append(namer.column("Z\(destination.number)_\(upper)", .keyEntity, property))
      }
      return columns
    }
  }

  /// The number of the entity that has the relationship is in the name, since the destination says nothing of it.
  private static func ownerColumns(_ property: PropertyLayout, _ namer: inout ColumnNamer) -> [Column] {
    var columns = [namer.column("Z\(property.owner.number)\(property.name.uppercased())", .ownerKey, property)]
    if property.relation.isOrdered {
      columns.append(Column(name: orderName(columns[0].name), codec: .ownerOrder, property: property))
    }
    return columns
  }

  /// Names columns as the file does where it has them, else so that no two are alike.
  private struct ColumnNamer {
    package let table: String
    package let file: FileNames
    private var taken: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

    package init(table: String, file: FileNames) {
      self.table = table
      self.file = file
    }

    package mutating func column(
      _ name: String, _ codec: Column.Codec, _ property: PropertyLayout, leaf: Int = 0
    ) -> Column {
      let type = Column(name: name, codec: codec, property: property).sqlType
      let found = file.column(of: table, numbered: name, type: type, taken: taken)
      if let found { taken.insert(found) }
      return Column(
        name: found ?? TableSchema.unique(name, &taken), codec: codec, property: property, leaf: leaf)
    }
  }

  /// Names are compared without regard to case, and sibling entities may use one name; the second gets a 1, the third
  /// a 2.
  package static func unique(_ name: String, _ taken: inout Set<String>) -> String {
    var candidate = name
    var suffix = 0
    while !taken.insert(candidate).inserted {
      suffix += 1
      candidate = "\(name)\(suffix)"
    }
    return candidate
  }

  private static func codec(_ type: AttributeType) -> Column.Codec {
    switch type {
    case .integer16, .integer32, .integer64, .boolean: .integer
    case .double, .float: .real
    case .date: .timestamp
    case .string: .text
    case .url: .url
    case .decimal: .decimal
    case .data, .undefined, .transformable, .objectID,
      .composite:
      .blob
    case .uuid: .uuid
    }
  }
}
