/// The type of an attribute's value; raw values are Apple's.
public enum NSAttributeType: UInt, Sendable {
  /// No type; only for transient attributes.
  case undefinedAttributeType = 0
  /// `Int16`.
  case integer16AttributeType = 100
  /// `Int32`.
  case integer32AttributeType = 200
  /// `Int64`.
  case integer64AttributeType = 300
  /// `Decimal`.
  case decimalAttributeType = 400
  /// `Double`.
  case doubleAttributeType = 500
  /// `Float`.
  case floatAttributeType = 600
  /// `String`.
  case stringAttributeType = 700
  /// `Bool`.
  case booleanAttributeType = 800
  /// `Date`, kept as seconds since 2001-01-01.
  case dateAttributeType = 900
  /// `Data`.
  case binaryDataAttributeType = 1000
  /// `UUID`, kept as 16 bytes.
  case UUIDAttributeType = 1100
  /// `URL`, kept as text.
  case URIAttributeType = 1200
  /// Any value that a transformer turns into data.
  case transformableAttributeType = 1800
  /// `NSManagedObjectID`; only for transient attributes and expressions.
  case objectIDAttributeType = 2000
  /// Several attributes under one name.
  case compositeAttributeType = 2100
}

/// The effect of an object's deletion on the other side of a relationship; raw values are Apple's.
public enum NSDeleteRule: UInt, Sendable {
  /// Nothing.
  case noActionDeleteRule = 0
  /// The other side no longer refers to the deleted object.
  case nullifyDeleteRule = 1
  /// The other side is deleted as well.
  case cascadeDeleteRule = 2
  /// The save is refused while there is another side.
  case denyDeleteRule = 3
}
