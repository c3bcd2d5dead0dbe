import RowStore

/// Places in a store's file of the parts of a model, for readers of the file without the stack.
package struct StoreMap {
  /// One entity, abstract ones too.
  package struct Entity {
    /// `Z_ENT`.
    package let number: Int
    package let name: String
    package let isAbstract: Bool
    /// The table with its rows, that of its root.
    package let table: String
    /// The column of each stored attribute that has one of its own; inherited ones too.
    package let attributes: [String: String]
    /// Inherited ones too, in the model's order.
    package let references: [Reference]
  }

  /// A to-one relationship, or one without inverse as the rows of its members have it.
  package struct Reference {
    package let name: String
    /// The column with the key of the row that it leads to.
    package let column: String
    /// The column with that row's entity, where several are possible.
    package let entityColumn: String?
    /// The table that it leads to.
    package let table: String
    /// Numbers of the entities that it may lead to.
    package let entities: [Int]
    package let isOptional: Bool
    /// The column of ``table`` that leads back; nil unless both sides are to-one relationships.
    package let inverseColumn: String?
    /// The relationship that leads back; nil where there is none.
    package let inverse: String?
    /// The column with the row's place in an ordered relationship that leads back.
    package let orderColumn: String?
    /// The to-many relationship without inverse that the row is a member of; nil for a to-one relationship.
    package let membership: String?
  }

  /// The table of a many-to-many relationship.
  package struct Join {
    /// The relationship that names the table: `Document.tags`.
    package let name: String
    package let table: String
    /// The rows that have the relationship.
    package let owner: End
    /// The rows that it leads to.
    package let member: End
    /// Whether the relationship is its own inverse, so that each pair is there in both orders.
    package let isReflexive: Bool
    /// The owner's relationship, and the member's that leads back.
    package let relationships: (owner: String, member: String)
    /// The columns with the order of an owner's members, and of a member's owners; nil for sets.
    package let orderColumns: (members: String?, owners: String?)
  }

  /// One side of a join table.
  package struct End {
    package let column: String
    package let table: String
    package let entities: [Int]
  }

  /// By number.
  package let entities: [Entity]
  package let joins: [Join]

  /// Lays out a model; freezes it.
  ///
  /// - Throws: The error of the model.
  package init(_ model: NSManagedObjectModel) throws {
    let schema = StoreSchema(try model.freeze())
    entities = schema.entities.map { Self.entity($0, in: schema) }
    precondition(Set(entities.map(\.number)).count == entities.count, "each entity has a number of its own")
    joins = schema.joins.map { join in
      let property = join.owner
      let inverse = property.relation.inverse
      return Join(
        name: "\(property.owner.name).\(property.name)", table: join.name,
        owner: Self.end(join.ownerColumn, property.owner, in: schema),
        member: Self.end(join.memberColumn, property.relation.destination, in: schema),
        isReflexive: inverse === property, relationships: (property.name, inverse?.name ?? property.name),
        orderColumns: (join.memberOrderColumn, join.ownerOrderColumn))
    }
  }

  private static func end(_ column: String, _ entity: EntityLayout, in schema: StoreSchema) -> End {
    End(column: column, table: schema.table(entity).name, entities: entity.family.map(\.number))
  }

  private static func entity(_ entity: EntityLayout, in schema: StoreSchema) -> Entity {
    let table = schema.table(entity)
    var attributes: [String: String] = [:]
    var references: [Reference] = []
    for property in entity.properties where !property.isTransient {
      switch property.kind {
      case .attribute:
        if case .composite? = property.encoding { continue }
        attributes[property.name] = table.column(property).name
      case .toMany: continue
      case .toOne: references.append(reference(property, table, in: schema))
      }
    }
    return Entity(
      number: entity.number, name: entity.name, isAbstract: entity.isAbstract, table: table.name,
      attributes: attributes, references: references + memberships(of: entity, table, in: schema))
  }

  private static func reference(_ property: PropertyLayout, _ table: TableSchema, in schema: StoreSchema) -> Reference {
    let relation: RelationLayout = property.relation
    let destination = schema.table(relation.destination)
    var inverseColumn: String?
    if let inverse = relation.inverse, case .toOne = inverse.kind { inverseColumn = destination.column(inverse).name }
    return Reference(
      name: property.name, column: table.column(property).name,
      entityColumn: table.columns.first { $0.codec == .keyEntity && $0.property === property }?.name,
      table: destination.name, entities: relation.destination.family.map(\.number), isOptional: property.isOptional,
      inverseColumn: inverseColumn, inverse: property.relation.inverse?.name,
      orderColumn: table.columns.first { $0.codec == .order && $0.property === property }?.name, membership: nil)
  }

  /// To-many relationships without inverse are in the rows of their members.
  private static func memberships(
    of entity: EntityLayout, _ table: TableSchema, in schema: StoreSchema
  ) -> [Reference] {
    table.columns.compactMap { column in
      guard column.codec == .ownerKey, entity.isKind(of: column.property.relation.destination) else { return nil }
      let owner: EntityLayout = column.property.owner
      return Reference(
        name: "\(owner.name).\(column.property.name)", column: column.name, entityColumn: nil,
        table: schema.table(owner).name, entities: owner.family.map(\.number), isOptional: true, inverseColumn: nil,
        inverse: nil,
        orderColumn: table.columns.first { $0.codec == .ownerOrder && $0.property === column.property }?.name,
        membership: column.property.name)
    }
  }
}
