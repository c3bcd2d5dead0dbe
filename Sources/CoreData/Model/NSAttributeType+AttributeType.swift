import RowStore

extension NSAttributeType {
  /// The same as rows and columns have it.
  var rowType: AttributeType {
    switch self {
    case .undefinedAttributeType: .undefined
    case .integer16AttributeType: .integer16
    case .integer32AttributeType: .integer32
    case .integer64AttributeType: .integer64
    case .decimalAttributeType: .decimal
    case .doubleAttributeType: .double
    case .floatAttributeType: .float
    case .stringAttributeType: .string
    case .booleanAttributeType: .boolean
    case .dateAttributeType: .date
    case .binaryDataAttributeType: .data
    case .UUIDAttributeType: .uuid
    case .URIAttributeType: .url
    case .transformableAttributeType: .transformable
    case .objectIDAttributeType: .objectID
    case .compositeAttributeType: .composite
    }
  }
}

extension NSDeleteRule {
  /// The same as a layout has it.
  var rule: DeleteRule {
    switch self {
    case .noActionDeleteRule: .noAction
    case .nullifyDeleteRule: .nullify
    case .cascadeDeleteRule: .cascade
    case .denyDeleteRule: .deny
    }
  }
}
