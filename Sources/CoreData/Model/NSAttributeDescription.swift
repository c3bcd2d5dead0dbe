/// A property whose value is kept in the row of its object.
///
/// - SeeAlso: Apple, "NSAttributeDescription".
open class NSAttributeDescription: NSPropertyDescription {
  /// The type of the value.
  open var attributeType: NSAttributeType = .undefinedAttributeType {
    willSet { requireMutable() }
  }

  /// The value of a new object; nil by default. Its type must be the attribute's when the model is first used.
  open var defaultValue: Any? {
    willSet { requireMutable() }
  }

  /// Name of the class or value type that ``attributeType`` stands for.
  open var attributeValueClassName: String? {
    switch attributeType {
    case .undefinedAttributeType: nil
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
      .floatAttributeType, .booleanAttributeType:
      "NSNumber"
    case .decimalAttributeType: "NSDecimalNumber"
    case .stringAttributeType: "NSString"
    case .dateAttributeType: "NSDate"
    case .binaryDataAttributeType: "NSData"
    case .UUIDAttributeType: "NSUUID"
    case .URIAttributeType: "NSURL"
    }
  }
}
