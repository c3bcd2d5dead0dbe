import Foundation

/// The table of a many-to-many relationship; in a new file on the entity that comes first by name.
package final class JoinSchema {
  package let name: String
  /// The relationship that names the table; only its side writes.
  package let owner: PropertyLayout
  /// The other side: ``owner`` itself where that is its own inverse.
  package let other: PropertyLayout
  /// Column with the keys of the objects that have ``owner``.
  package let ownerColumn: String
  /// Column with the keys of the objects ``owner`` leads to.
  package let memberColumn: String
  /// Column with the order of an owner's members; nil when they are a set.
  package let memberOrderColumn: String?
  /// Column with the order of a member's owners; nil when they are a set.
  package let ownerOrderColumn: String?

  /// The table as a new file has it.
  ///
  /// - Parameter taken: columns of other join tables: relationships of one name to one entity are numbered.
  package convenience init(owner: PropertyLayout, inverse: PropertyLayout, taken: inout Set<String>) {
    let member = TableSchema.unique(Self.column(owner), &taken)
    // A relationship that is its own inverse would name both columns alike.
    let own = owner === inverse ? Self.reflexive : TableSchema.unique(Self.column(inverse), &taken)
    self.init(owner, inverse, table: Self.table(owner), ownerColumn: own, memberColumn: member)
  }

  /// The table that a file has of the relationship, whichever side it is named for; nil where it has none.
  ///
  /// - Parameter used: tables of other relationships.
  package static func find(
    _ property: PropertyLayout, _ inverse: PropertyLayout, in names: FileNames, used: Set<String>
  ) -> JoinSchema? {
    for (owner, other) in property === inverse ? [(property, inverse)] : [(property, inverse), (inverse, property)] {
      for table in names.tables(numbered: table(owner)) where !used.contains(table) {
        let members = names.columns(of: table, numbered: column(owner))
        let owners = names.columns(of: table, numbered: owner === other ? reflexive : column(other))
        guard let member = members.first, let own = owners.first(where: { $0 != member }) else { continue }
        return JoinSchema(owner, other, table: table, ownerColumn: own, memberColumn: member)
      }
    }
    return nil
  }

  private static let reflexive = "REFLEXIVE"

  private static func table(_ owner: PropertyLayout) -> String {
    "Z_\(owner.owner.number)\(owner.name.uppercased())"
  }

  /// The column with the keys of the objects that a relationship leads to.
  private static func column(_ property: PropertyLayout) -> String {
    "Z_\(property.relation.destination.number)\(property.name.uppercased())"
  }

  private init(
    _ owner: PropertyLayout, _ inverse: PropertyLayout, table: String, ownerColumn: String, memberColumn: String
  ) {
    precondition(owner.isToMany && inverse.isToMany, "a join table is between two to-many relationships")
    precondition(ownerColumn != memberColumn, "each side of a join table has a column of its own")
    self.owner = owner
    other = inverse
    name = table
    self.ownerColumn = ownerColumn
    self.memberColumn = memberColumn
    memberOrderColumn = owner.relation.isOrdered ? "Z_FOK_" + memberColumn.dropFirst(2) : nil
    ownerOrderColumn = inverse.relation.isOrdered && owner !== inverse ? "Z_FOK_" + ownerColumn.dropFirst(2) : nil
  }

  /// The columns as one of the two relationships sees them: its objects' keys, the other side's, and their order.
  package func columns(_ property: PropertyLayout) -> (own: String, other: String, order: String?) {
    precondition(property === owner || property === other, "a join table is of two relationships")
    return property === owner
      ? (ownerColumn, memberColumn, memberOrderColumn) : (memberColumn, ownerColumn, ownerOrderColumn)
  }
}
