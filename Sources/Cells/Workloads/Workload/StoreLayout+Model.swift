import Boundary
import Checking
import CoreData

extension StoreLayout {
  /// Where a store of any model has its rows, relationships and join tables.
  ///
  /// Rows are identified by an attribute, or by `Z_PK` in entities that `keys` does not name. A to-one relationship is
  /// needed when the model does not make it optional; ``require(_:of:where:)`` says it of others.
  ///
  /// - Parameters:
  ///   - keys: By entity, the name of the attribute with its logical key; of whole numbers.
  ///   - revisions: By entity, the name of the attribute that every update raises.
  ///   - values: By entity, the names of the recorded attributes and to-one relationships.
  /// - Throws: The problem of the model, or an attribute that an entity does not have.
  package init(
    of model: NSManagedObjectModel, keys: [String: String] = [:], revisions: [String: String] = [:],
    values: [String: [String]] = [:]
  ) throws {
    let map = try StoreMap(model)
    func numbers(_ entities: [Int]) -> [UInt16] { entities.map { UInt16($0) } }
    let entities = try map.entities.filter { !$0.isAbstract }.map { entity in
      func column(_ attribute: String?) throws -> String? {
        guard let attribute else { return nil }
        guard let column = entity.attributes[attribute] else {
          throw HarnessFailure("\(entity.name) has no stored attribute \(attribute)")
        }
        return column
      }
      var layout = EntityLayout(
        number: UInt16(entity.number), name: entity.name, table: entity.table,
        keyColumn: try column(keys[entity.name]) ?? "Z_PK", revisionColumn: try column(revisions[entity.name]),
        references: entity.references.map {
          ReferenceLayout(
            name: $0.name, column: $0.column, entityColumn: $0.entityColumn, table: $0.table,
            entities: numbers($0.entities), need: $0.isOptional ? .optional : .required,
            inverseColumn: $0.inverseColumn)
        })
      layout.recordedColumns = try (values[entity.name] ?? []).map { name in
        if let reference = entity.references.first(where: { $0.name == name }) { return reference.column }
        return try column(name) ?? ""
      }
      let constraints = model.entitiesByName[entity.name]?.uniquenessConstraints ?? []
      layout.hasUniqueKey = constraints.contains { $0.count == 1 && $0[0] as? String == keys[entity.name] }
      return layout
    }
    self.init(
      entities: entities,
      joins: map.joins.map { join in
        JoinLayout(
          name: join.name, table: join.table,
          owner: JoinLayout.End(
            column: join.owner.column, table: join.owner.table, entities: numbers(join.owner.entities)),
          member: JoinLayout.End(
            column: join.member.column, table: join.member.table, entities: numbers(join.member.entities)),
          isReflexive: join.isReflexive)
      })
  }

  /// Says that rows of an entity must have a to-one relationship that its model leaves optional.
  ///
  /// - Parameter column: only those in which this column is neither null nor 0; nil for all rows.
  /// - Precondition: the layout has both.
  package mutating func require(_ reference: String, of entity: String, where column: String? = nil) {
    guard let index = entities.firstIndex(where: { $0.name == entity }),
      let position = entities[index].references.firstIndex(where: { $0.name == reference })
    else { preconditionFailure("\(entity).\(reference) is a to-one relationship of the layout") }
    entities[index].references[position].need = column.map { .requiredWhere(column: $0) } ?? .required
  }
}
