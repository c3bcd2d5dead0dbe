/// The table of a many-to-many relationship in a store's file of Apple's layout.
package struct JoinLayout: Codable, Sendable, Hashable {
  /// One side of the table.
  package struct End: Codable, Sendable, Hashable {
    /// The column with the keys of this side's rows: `Z_3TAGS`.
    package var column: String
    /// The table of those rows: `ZTAG`.
    package var table: String
    /// Numbers of the entities that they may be of; empty for any.
    package var entities: [UInt16]

    package init(column: String, table: String, entities: [UInt16] = []) {
      self.column = column
      self.table = table
      self.entities = entities
    }
  }

  /// Name of the relationship, with its entity's: `Document.tags`.
  package var name: String
  /// Name of the table: `Z_3TAGS`.
  package var table: String
  /// The rows that have the relationship.
  package var owner: End
  /// The rows that it leads to.
  package var member: End
  /// Whether the relationship is its own inverse, so that each pair is there in both orders.
  package var isReflexive: Bool

  package init(name: String, table: String, owner: End, member: End, isReflexive: Bool = false) {
    precondition(
      !isReflexive || owner.table == member.table, "a relationship that is its own inverse leads back to its table")
    precondition(owner.column != member.column, "each side of a join table has a column of its own: \(table)")
    self.name = name
    self.table = table
    self.owner = owner
    self.member = member
    self.isReflexive = isReflexive
  }
}
