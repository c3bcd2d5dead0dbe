import Foundation

/// One column of a table.
package struct Column {
  /// How a value lies in the file.
  package enum Codec {
    /// Integers, booleans.
    case integer
    /// Doubles, floats.
    case real
    /// Seconds since 2001-01-01.
    case timestamp
    case text
    /// A URL as text.
    case url
    /// A decimal as a number or text.
    case decimal
    case blob
    /// The data that a value transformer makes of a value.
    case transformed
    /// Data behind a byte that says whether they are here or in a file.
    case external
    /// 16 bytes.
    case uuid
    /// The primary key of a to-one relationship's object.
    case key
    /// The entity number of a to-one relationship's object, where the destination has sub-entities.
    case keyEntity
    /// The object's position among the members of an ordered relationship with a to-one inverse; no part of a row.
    case order
    /// The primary key of the object that has the row as a member of a to-many relationship without inverse; no part of a row,
    /// since no property of it says so.
    case ownerKey
    /// The row's position among the members of an ordered relationship without inverse; no part of a row.
    case ownerOrder

    /// Whether the column is a slot of the row, or part of one.
    var isInRow: Bool {
      switch self {
      case .order, .ownerKey, .ownerOrder: false
      default: true
      }
    }
  }

  package let name: String
  package let codec: Codec
  /// The property that the column is for; of the destination's family only where the column is in the row.
  package let property: PropertyLayout
  /// The number of the composite attribute's leaf that the column is for; 0 for all others.
  var leaf = 0

  var sqlType: String {
    switch codec {
    case .integer, .key, .keyEntity, .order, .ownerKey, .ownerOrder: "INTEGER"
    case .real: "FLOAT"
    case .timestamp: "TIMESTAMP"
    case .text, .url: "VARCHAR"
    case .decimal: "DECIMAL"
    case .blob, .transformed, .external, .uuid: "BLOB"
    }
  }

  /// Columns of a table are grouped: integers and keys, orders, entities, numbers, texts, blobs.
  package var group: Int {
    switch codec {
    case .integer, .key, .ownerKey: 0
    case .order, .ownerOrder: 1
    case .keyEntity: 2
    case .real, .timestamp, .decimal: 3
    case .text, .url: 4
    case .blob, .transformed, .external, .uuid: 5
    }
  }
}
