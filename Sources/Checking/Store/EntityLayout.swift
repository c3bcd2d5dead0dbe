/// Where the rows of one entity are in a store's file of Apple's layout.
package struct EntityLayout: Codable, Sendable, Hashable {
  /// Number in history records, and the rows' `Z_ENT`; from 1.
  package var number: UInt16
  /// Name of the entity.
  package var name: String
  /// The table its rows are in: `ZNOTE`.
  package var table: String
  /// Column of the logical key: `ZNUMBER`; `Z_PK` for rows without one.
  package var keyColumn: String
  /// Column of the revision that every update raises, if the entity has one.
  package var revisionColumn: String?
  /// Column of the number that a check adds up, if the entity has one.
  package var valueColumn: String?
  /// Column of a text of whole numbers apart by spaces, the list that transactions append to, if the entity has one.
  package var listColumn: String?
  /// Columns of whole numbers that are read, in this order.
  package var propertyColumns: [String]
  /// Columns of the recorded properties, in the order of the history's records.
  package var recordedColumns: [String] = []
  /// Whether no two rows may have the same logical key: a uniqueness constraint.
  package var hasUniqueKey = false
  /// Its to-one relationships, as far as they are checked.
  package var references: [ReferenceLayout]

  /// The one relationship to the rows' owner, of which an insert records the key; nil where there are several or none.
  var owner: (reference: ReferenceLayout, entity: UInt16)? {
    let needed = references.filter { $0.need != .optional }
    guard needed.count == 1, needed[0].entities.count == 1 else { return nil }
    return (needed[0], needed[0].entities[0])
  }

  package init(
    number: UInt16, name: String, table: String, keyColumn: String, revisionColumn: String? = nil,
    valueColumn: String? = nil, listColumn: String? = nil, propertyColumns: [String] = [],
    references: [ReferenceLayout] = []
  ) {
    precondition(number > 0, "entities count from 1; an operation of none has 0")
    precondition(!name.isEmpty && !table.isEmpty && !keyColumn.isEmpty, "an entity's rows are in a table, by a key")
    self.number = number
    self.name = name
    self.table = table
    self.keyColumn = keyColumn
    self.revisionColumn = revisionColumn
    self.valueColumn = valueColumn
    self.listColumn = listColumn
    self.propertyColumns = propertyColumns
    self.references = references
  }
}
