import Checking
import CoreData

/// The model of merge conflicts, made in code: rows of three numbers and a tag, all of which several contexts edit.
enum SharedRowModel {
  /// Numbers of the entities in history records: theirs in the store's file.
  enum EntityNumber {
    static let row: UInt16 = 1
    static let tag: UInt16 = 2
  }

  static let rowName = "SharedRow"
  static let tagName = "Tag"
  /// What is edited of a row: numbers, and the tag.
  static let properties = ["first", tagProperty, "third", "fourth"]
  static let tagProperty = "tag"

  static func schema() throws -> WorkloadSchema {
    let model = make()
    var layout = try StoreLayout(of: model, keys: [rowName: "number", tagName: "number"])
    layout.entities[Int(EntityNumber.row) - 1].propertyColumns = properties.map { "Z" + $0.uppercased() }
    layout.require(tagProperty, of: rowName)
    return WorkloadSchema(model: model, layout: layout)
  }

  private static func make() -> NSManagedObjectModel {
    let row = entity(rowName, numbers: ["number"] + properties.filter { $0 != tagProperty })
    let tag = entity(tagName, numbers: ["number"])
    let toTag = relationship(tagProperty, to: tag, maxCount: 1)
    let toRows = relationship("rows", to: row, maxCount: 0)
    (toTag.inverseRelationship, toRows.inverseRelationship) = (toRows, toTag)
    row.properties.append(toTag)
    tag.properties.append(toRows)
    let model = NSManagedObjectModel()
    model.entities = [row, tag]
    return model
  }

  private static func entity(_ name: String, numbers: [String]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = numbers.map { name in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = .integer64AttributeType
      attribute.isOptional = false
      return attribute
    }
    return entity
  }

  private static func relationship(
    _ name: String, to destination: NSEntityDescription, maxCount: Int
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = maxCount
    relationship.isOptional = true
    relationship.deleteRule = .nullifyDeleteRule
    return relationship
  }
}
