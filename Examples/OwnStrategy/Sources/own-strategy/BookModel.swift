import CoreData
import HarnessKit

/// The model of the workload: books with a number, a title and a revision.
enum BookModel {
  /// The model, with the attributes that checkers look at.
  static let schema = Result {
    try WorkloadSchema(
      model: model(), keys: ["Book": "number"], revisions: ["Book": "revision"], values: ["Book": ["title"]])
  }

  private static func model() -> NSManagedObjectModel {
    let book = NSEntityDescription()
    book.name = "Book"
    book.properties = [
      attribute("number", .integer64AttributeType), attribute("title", .stringAttributeType),
      attribute("revision", .integer64AttributeType),
    ]
    let model = NSManagedObjectModel()
    model.entities = [book]
    return model
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = false
    return attribute
  }
}
