import Foundation

/// Tables, columns and indexes of a model, in Apple's layout.
package final class StoreSchema: @unchecked Sendable {
  // Sendable: nothing changes after `init`.

  package let model: ModelLayout
  /// The entities that the store has tables for.
  package let entities: [EntityLayout]
  /// By the number of the root entity.
  package let tables: [Int: TableSchema]
  package let joins: [JoinSchema]
  private let joinsByProperty: [ObjectIdentifier: JoinSchema]
  /// Attributes that the store computes.
  package let derived: [DerivedAttribute]
  /// Whether an attribute is stored otherwise than its slot.
  package let hasEncodings: Bool
  /// Columns with values that may be in files.
  let externalColumns: [(table: String, column: String)]
  package var hasExternal: Bool { !externalColumns.isEmpty }
  /// Whether members are elsewhere than in their own rows: in join tables, or in columns that are no part of a row.
  package let hasJoins: Bool
  /// Whether a relationship of the model is ordered.
  package let isOrdered: Bool

  /// The configuration's entities; nil for all of the model.
  private let members: Set<Int>?

  /// - Parameters:
  ///   - members: the entities of a configuration; all with nil. A hierarchy has one table, which a configuration with
  ///     one of its entities has whole.
  ///   - file: the names of tables and columns in an existing file.
  package init(_ model: ModelLayout, members: [EntityLayout]? = nil, file: FileNames = FileNames()) {
    self.model = model
    self.members = members.map { Set($0.map(\.number)) }
    let roots = members.map { Set($0.map(\.rootNumber)) }
    func isStored(_ entity: EntityLayout) -> Bool { roots?.contains(entity.rootNumber) ?? true }
    isOrdered = model.entities.contains(where: \.hasOrder)
    derived = model.entities.filter(isStored).flatMap(\.derived)
    hasEncodings = model.entities.contains(where: \.hasEncodings)
    hasJoins = model.entities.contains(where: \.hasJoins)
    entities = model.entities.filter(isStored)
    let memberships = entities.flatMap { entity in
      entity.relationships.filter {
        $0.owner === entity && $0.relation.isToMany && $0.relation.inverse == nil && $0.isStored
      }
    }
    var names: Set<String> = []
    tables = Dictionary(
      uniqueKeysWithValues: entities.filter { $0.parent == nil }.map { root in
        let name = TableSchema.unique("Z" + root.name.uppercased(), &names)
        let own = memberships.filter { $0.relation.destination.root === root }
        return (root.number, TableSchema(root: root, name: name, memberships: own, file: file))
      })
    externalColumns = tables.values.flatMap { table in
      table.columns.filter { $0.codec == .external }.map { (table.name, $0.name) }
    }
    joins = Self.joins(entities, file)
    joinsByProperty = Dictionary(
      joins.flatMap { join in
        [join.owner, join.other].map { (ObjectIdentifier($0), join) }
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func joins(_ entities: [EntityLayout], _ file: FileNames) -> [JoinSchema] {
    var joins: [JoinSchema] = []
    var known: Set<ObjectIdentifier> = []
    var columns: Set<String> = []
    for entity in entities {
      for property in entity.relationships where property.owner === entity && property.relation.isToMany {
        guard property.isStored, let inverse = property.relation.inverse, inverse.relation.isToMany,
          known.insert(ObjectIdentifier(property)).inserted
        else { continue }
        known.insert(ObjectIdentifier(inverse))
        // The entity that comes first by name has the table; of two relationships of one entity the last one by name.
        let owns =
          inverse.owner === entity
          ? property.name >= inverse.name : entity.name.lowercased() < inverse.owner.name.lowercased()
        let (owner, other) = owns ? (property, inverse) : (inverse, property)
        let found = JoinSchema.find(owner, other, in: file, used: Set(joins.map(\.name)))
        joins.append(found ?? JoinSchema(owner: owner, inverse: other, taken: &columns))
      }
    }
    return joins
  }

  /// Whether objects of that entity can be in the store.
  package func takes(_ entity: EntityLayout) -> Bool { members?.contains(entity.number) ?? true }

  /// Whether that is so of every entity of the model.
  package var takesEveryEntity: Bool { members == nil }

  /// A relationship that leads out of the store, if there is one.
  var relationshipOutside: PropertyLayout? {
    for entity in entities {
      if let property = entity.relationships.first(where: { tables[$0.relation.destination.rootNumber] == nil }) {
        return property
      }
    }
    return nil
  }

  /// - Precondition: the store has a table for the entity.
  package func table(_ entity: EntityLayout) -> TableSchema {
    guard let table = tables[entity.root.number] else { preconditionFailure("\(entity.name) is stored in this file") }
    return table
  }

  /// The join table of a to-many relationship; nil when the destination's rows have the key.
  package func join(_ property: PropertyLayout) -> JoinSchema? { joinsByProperty[ObjectIdentifier(property)] }

  /// Where the members of a to-many relationship are.
  package func members(_ property: PropertyLayout) -> MemberPlace {
    guard property.isStored else { return .nowhere }
    if let join = join(property) {
      let (own, other, order) = join.columns(property)
      return MemberPlace(table: join.name, isJoin: true, owner: own, member: other, order: order)
    }
    let table = table(property.relation.destination)
    if let inverse = property.relation.inverse {
      return MemberPlace(
        table: table.name, isJoin: false, owner: table.column(inverse).name, member: "Z_PK",
        order: table.orderColumn(inverse))
    }
    guard let (key, order) = table.ownerColumns(property) else {
      preconditionFailure("\(property.name) has a column in the table of its destination")
    }
    return MemberPlace(table: table.name, isJoin: false, owner: key, member: "Z_PK", order: order)
  }

  /// Tables in the order of their root entities.
  package var orderedTables: [TableSchema] { tables.values.sorted { $0.root.number < $1.root.number } }
}
