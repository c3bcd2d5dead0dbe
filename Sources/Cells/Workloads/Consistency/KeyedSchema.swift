import Checking
import CoreData

/// The models of the consistency workloads: one entity with a logical key, and a value or a list under it.
package enum KeyedSchema {
  /// The content of a row besides its key.
  package enum Content: Sendable {
    case nothing
    /// A number that every update raises.
    case version
    /// A number with a sum over all rows that is checked.
    case balance
    /// A text of numbers.
    case list
    /// A number and a text, with their values recorded in histories.
    case recorded
    /// A number, or none, for the row's maker.
    case maker
  }

  /// Counters: the value is raised with every update.
  package static let counter = make("Counter", .version)
  /// Accounts with balances.
  package static let account = make("Account", .balance)
  /// Lists that are appended to.
  package static let list = make("List", .list)
  /// Members of a set.
  package static let member = make("Member", .nothing)
  /// Labels, with a value and a list that are recorded.
  package static let label = make("Label", .recorded)
  /// Tags that are looked for by their key.
  package static let tag = make("Tag", .nothing)
  /// The same with a uniqueness constraint on the key, and with its makers.
  package static let uniqueTag = make("Tag", .maker, isUnique: true)

  /// Number of the one entity in history records.
  package static let entityNumber: UInt16 = 1

  private static func make(_ name: String, _ content: Content, isUnique: Bool = false) -> WorkloadSchema {
    precondition(isUnique == (content == .maker), "a row says who made it where no two have one key")
    let entity = ModelParts.entity(name)
    entity.managedObjectClassName = _typeName(KeyedRow.self)
    var layout = EntityLayout(
      number: entityNumber, name: name, table: "Z" + name.uppercased(), keyColumn: "ZNUMBER")
    switch content {
    case .nothing: break
    case .version:
      entity.properties.append(ModelParts.number("value"))
      layout.revisionColumn = "ZVALUE"
    case .balance:
      entity.properties.append(ModelParts.number("value"))
      layout.valueColumn = "ZVALUE"
    case .list:
      entity.properties.append(ModelParts.attribute("list", .stringAttributeType, isOptional: true))
      layout.listColumn = "ZLIST"
    case .recorded:
      entity.properties.append(ModelParts.number("value"))
      entity.properties.append(ModelParts.attribute("list", .stringAttributeType, isOptional: true))
      layout.recordedColumns = ["ZVALUE", "ZLIST"]
    case .maker:
      entity.properties.append(ModelParts.attribute("value", .integer64AttributeType, isOptional: true))
    }
    if isUnique { entity.uniquenessConstraints = [["number"]] }
    layout.hasUniqueKey = isUnique
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return WorkloadSchema(model: model, layout: StoreLayout(entities: [layout]))
  }
}
