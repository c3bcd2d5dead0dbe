/// Where the rows of an entity have a to-one relationship in a store's file of Apple's layout.
package struct ReferenceLayout: Codable, Sendable, Hashable {
  /// Which rows must have it.
  package enum Need: Codable, Sendable, Hashable {
    /// None.
    case optional
    /// All: the target owns the row.
    case required
    /// Those in which this column of the row's table is neither null nor 0.
    case requiredWhere(column: String)
  }

  /// Name of the relationship: `note`.
  package var name: String
  /// The foreign key's column: `ZNOTE`.
  package var column: String
  /// The column with the entity of the row that it leads to, where several are possible: `Z4_NOTE`.
  package var entityColumn: String?
  /// The table that it leads to: `ZNOTE`.
  package var table: String
  /// Numbers of the entities that it may lead to; empty for any.
  package var entities: [UInt16]
  /// Which rows must have it.
  package var need: Need
  /// The column of ``table`` that leads back, of a one-to-one relationship; nil where one side alone is stored.
  package var inverseColumn: String?

  package init(
    name: String, column: String, entityColumn: String? = nil, table: String, entities: [UInt16] = [],
    need: Need = .optional, inverseColumn: String? = nil
  ) {
    precondition(!column.isEmpty && !table.isEmpty, "a relationship is in a column, and leads to a table: \(name)")
    self.name = name
    self.column = column
    self.entityColumn = entityColumn
    self.table = table
    self.entities = entities
    self.need = need
    self.inverseColumn = inverseColumn
  }
}
