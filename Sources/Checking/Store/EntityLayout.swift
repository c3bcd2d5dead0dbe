/// Where the rows of one entity are in a store's file of Apple's layout.
package struct EntityLayout: Codable, Sendable, Hashable {
  /// A to-one relationship that each row of the entity must have.
  package struct Owner: Codable, Sendable, Hashable {
    /// The foreign key's column: `ZNOTE`.
    package var column: String
    /// The owner's table: `ZNOTE`.
    package var table: String

    package init(column: String, table: String) {
      self.column = column
      self.table = table
    }
  }

  /// Number in history records, and the rows' `Z_ENT`; from 1.
  package var number: UInt16
  /// Name of the entity.
  package var name: String
  /// The table its rows are in: `ZNOTE`.
  package var table: String
  /// Column of the logical key: `ZNUMBER`.
  package var keyColumn: String
  /// Column of the revision that every update raises, if the entity has one.
  package var revisionColumn: String?
  /// The owner without which a row is an orphan, if rows of this entity have one.
  package var owner: Owner?

  package init(
    number: UInt16, name: String, table: String, keyColumn: String, revisionColumn: String? = nil, owner: Owner? = nil
  ) {
    self.number = number
    self.name = name
    self.table = table
    self.keyColumn = keyColumn
    self.revisionColumn = revisionColumn
    self.owner = owner
  }
}
