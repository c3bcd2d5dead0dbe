/// A property with a value in the row of its object.
///
/// - SeeAlso: Apple, "NSAttributeDescription".
open nonisolated class NSAttributeDescription: NSPropertyDescription {
  /// The type of the value.
  open var attributeType: NSAttributeType = .undefinedAttributeType {
    willSet { requireMutable() }
  }

  /// The composite attribute that it is an element of; nil for a property of an entity.
  final weak var composite: NSCompositeAttributeDescription?

  /// The value of a new object; nil by default. Its type must be the attribute's when the model is first used.
  open var defaultValue: Any? {
    willSet { requireMutable() }
  }

  /// Name of the transformer of a transformable attribute; nil is the secure keyed archive.
  open var valueTransformerName: String? {
    willSet { requireMutable() }
  }

  /// Whether large data may lie in files beside the store; false by default.
  open var allowsExternalBinaryDataStorage = false {
    willSet { requireMutable() }
  }

  /// Whether the value is kept in the persistent history after its object was deleted; false by default.
  open var preservesValueInHistoryOnDeletion = false {
    willSet { requireMutable() }
  }

  /// Whether a cloud database keeps the value encrypted; false by default. Kept with the model, and used by nothing here.
  open var allowsCloudEncryption = false {
    willSet { requireMutable() }
  }

  /// Name of the class or value type of the attribute's values; of its ``attributeType`` unless it was set, as it can be
  /// for a transformable attribute.
  open var attributeValueClassName: String? {
    get { ownValueClassName ?? attributeType.valueClassName }
    set {
      requireMutable()
      ownValueClassName = newValue
    }
  }

  private var ownValueClassName: String?

  override func copied() -> NSPropertyDescription {
    let copy = NSAttributeDescription()
    copyState(to: copy)
    return copy
  }

  override func copyState(to copy: NSPropertyDescription) {
    super.copyState(to: copy)
    guard let copy = copy as? NSAttributeDescription else { return }
    copy.attributeType = attributeType
    copy.defaultValue = defaultValue
    copy.valueTransformerName = valueTransformerName
    copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    copy.allowsCloudEncryption = allowsCloudEncryption
    copy.ownValueClassName = ownValueClassName
  }

  override func isSame(_ other: NSPropertyDescription) -> Bool {
    guard super.isSame(other), let other = other as? NSAttributeDescription else { return false }
    return attributeType == other.attributeType && valueTransformerName == other.valueTransformerName
      && allowsExternalBinaryDataStorage == other.allowsExternalBinaryDataStorage
      && preservesValueInHistoryOnDeletion == other.preservesValueInHistoryOnDeletion
      && allowsCloudEncryption == other.allowsCloudEncryption && ownValueClassName == other.ownValueClassName
      && DescriptionComparison.isEqual(defaultValue, other.defaultValue)
  }
}

extension NSAttributeType {
  /// Name of the class that Foundation has for values of the type; nil for types without one.
  fileprivate var valueClassName: String? {
    switch self {
    case .undefinedAttributeType, .transformableAttributeType: nil
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
      .floatAttributeType, .booleanAttributeType:
      "NSNumber"
    case .decimalAttributeType: "NSDecimalNumber"
    case .stringAttributeType: "NSString"
    case .dateAttributeType: "NSDate"
    case .binaryDataAttributeType: "NSData"
    case .UUIDAttributeType: "NSUUID"
    case .URIAttributeType: "NSURL"
    case .objectIDAttributeType: "NSManagedObjectID"
    case .compositeAttributeType: "NSDictionary"
    }
  }
}
