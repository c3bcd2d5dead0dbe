import CoreData

/// The notebook's model with two more entities of objects that note their hook calls: workbooks, and their sheets.
///
/// They are no part of the layout: a client compares them itself.
enum HookedModel {
  static let schema = WorkloadSchema(model: make(), layout: .notebook)

  /// The values of a new workbook, as ``HookedObject/values(_:)`` names them.
  static let defaults = [
    "copies: 2", "isOpen: true", "madeAt: 86400.0", "number: 0", "rate: 0.25", "remark: none", "title: untitled",
    "total: 0",
  ]

  private static func make() -> NSManagedObjectModel {
    let (book, sheet) = (ModelParts.entity("Workbook"), ModelParts.entity("Worksheet"))
    book.managedObjectClassName = _typeName(Workbook.self)
    sheet.managedObjectClassName = _typeName(Worksheet.self)
    let madeAt = Date(timeIntervalSinceReferenceDate: 86_400)
    book.properties += [
      attribute("title", .stringAttributeType, "untitled"), attribute("copies", .integer16AttributeType, 2),
      attribute("isOpen", .booleanAttributeType, true), attribute("rate", .doubleAttributeType, 0.25),
      attribute("madeAt", .dateAttributeType, madeAt), attribute("total", .integer64AttributeType, 0),
    ]
    sheet.properties.append(attribute("pages", .integer64AttributeType, 1))
    for entity in [book, sheet] {
      entity.attributesByName["number"]?.defaultValue = 0
      let (remark, shown) = (attribute("remark", .stringAttributeType), attribute("shown", .stringAttributeType))
      shown.isTransient = true
      entity.properties += [remark, shown]
    }
    let sheets = ModelParts.many("sheets", sheet, .cascadeDeleteRule)
    sheets.isOrdered = true
    ModelParts.connect(sheets, of: book, ModelParts.one("workbook", book), of: sheet)
    return NotebookModel.make(beside: [book, sheet])
  }

  /// An attribute with a default, which every row has; or without, which may be missing.
  private static func attribute(
    _ name: String, _ type: NSAttributeType, _ defaultValue: Any? = nil
  ) -> NSAttributeDescription {
    let attribute = ModelParts.attribute(name, type, isOptional: defaultValue == nil)
    attribute.defaultValue = defaultValue
    return attribute
  }
}
