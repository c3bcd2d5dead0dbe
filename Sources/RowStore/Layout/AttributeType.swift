import Foundation

/// The type of an attribute's values, as rows and columns have it.
public enum AttributeType: Sendable {
  /// No type; only of transient attributes.
  case undefined
  case integer16, integer32, integer64
  case decimal, double, float
  case string, boolean, date, data, uuid, url
  /// Any value that a transformer turns into data.
  case transformable
  /// Only of transient attributes and expressions.
  case objectID
  /// Several attributes under one name.
  case composite

  /// The Swift type of the attribute's values, for messages.
  package var valueDescription: String {
    switch self {
    case .undefined: "no value"
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .data: "Data"
    case .uuid: "UUID"
    case .url: "URL"
    case .transformable: "a value for its transformer"
    case .objectID: "NSManagedObjectID"
    case .composite: "a dictionary of its elements"
    }
  }
}

/// The effect of an object's deletion on the other side of a relationship.
package enum DeleteRule: Sendable {
  case noAction, nullify, cascade, deny
}
