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
  /// The edited properties of a row: numbers, and the tag.
  static let properties = ["first", tagProperty, "third", "fourth"]
  static let tagProperty = "tag"

  static func schema() throws -> WorkloadSchema {
    let model = make()
    var layout = try StoreLayout(of: model, keys: [rowName: "number", tagName: "number"])
    precondition(
      layout.entities.map(\.name) == [rowName, tagName]
        && layout.entities.map(\.number) == [EntityNumber.row, EntityNumber.tag],
      "the entities have the numbers that edits record")
    precondition(properties.count == MergeRound.propertyCount, "rounds are drawn over the row's properties")
    layout.entities[Int(EntityNumber.row) - 1].propertyColumns = properties.map { "Z" + $0.uppercased() }
    layout.require(tagProperty, of: rowName)
    return WorkloadSchema(model: model, layout: layout)
  }

  private static func make() -> NSManagedObjectModel {
    let row = ModelParts.entity(rowName)
    row.properties += properties.filter { $0 != tagProperty }.map(ModelParts.number)
    let tag = ModelParts.entity(tagName)
    ModelParts.connect(
      ModelParts.one(tagProperty, tag), of: row, ModelParts.many("rows", row, .nullifyDeleteRule), of: tag)
    let model = NSManagedObjectModel()
    model.entities = [row, tag]
    return model
  }
}
