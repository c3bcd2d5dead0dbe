import Checking
import CoreData

/// The model of merge conflicts, made in code: rows of four numbers that several contexts edit.
enum SharedRowModel {
  static let entityName = "SharedRow"
  static let entityNumber: UInt16 = 1
  static let properties = ["first", "second", "third", "fourth"]

  static func schema() throws -> WorkloadSchema {
    let row = NSEntityDescription()
    row.name = entityName
    row.properties = (["number"] + properties).map { name in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = .integer64AttributeType
      attribute.isOptional = false
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [row]
    var layout = try StoreLayout(of: model, keys: [entityName: "number"])
    layout.entities[0].propertyColumns = properties.map { "Z" + $0.uppercased() }
    return WorkloadSchema(model: model, layout: layout)
  }
}
