import RowStore

extension NSAttributeDescription {
  /// The type of an attribute's value.
  public struct AttributeType: RawRepresentable, Hashable, Sendable {
    /// The same type by its older name.
    public let rawValue: NSAttributeType

    /// Makes a type from its older name.
    public init(rawValue: NSAttributeType) { self.rawValue = rawValue }

    /// No type; only for transient attributes.
    public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
    /// `Int16`.
    public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
    /// `Int32`.
    public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
    /// `Int64`.
    public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
    /// `Decimal`.
    public static let decimal = AttributeType(rawValue: .decimalAttributeType)
    /// `Double`.
    public static let double = AttributeType(rawValue: .doubleAttributeType)
    /// `Float`.
    public static let float = AttributeType(rawValue: .floatAttributeType)
    /// `String`.
    public static let string = AttributeType(rawValue: .stringAttributeType)
    /// `Bool`.
    public static let boolean = AttributeType(rawValue: .booleanAttributeType)
    /// `Date`.
    public static let date = AttributeType(rawValue: .dateAttributeType)
    /// `Data`.
    public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
    /// `UUID`.
    public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
    /// `URL`.
    public static let uri = AttributeType(rawValue: .URIAttributeType)
    /// Any value that a transformer turns into data.
    public static let transformable = AttributeType(rawValue: .transformableAttributeType)
    /// `NSManagedObjectID`; only for transient attributes and expressions.
    public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
    /// Several attributes under one name.
    public static let composite = AttributeType(rawValue: .compositeAttributeType)
  }

  /// The type of the value; ``attributeType`` by its newer name.
  public final var type: AttributeType {
    get { AttributeType(rawValue: attributeType) }
    set { attributeType = newValue.rawValue }
  }
}
