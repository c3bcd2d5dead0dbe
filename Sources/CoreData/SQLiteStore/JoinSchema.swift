/// The table of a many-to-many relationship; on the lower-numbered entity.
final class JoinSchema {
  let name: String
  /// The relationship that names the table; only its side writes.
  let owner: PropertyLayout
  /// Column with the keys of the objects that have ``owner``.
  let ownerColumn: String
  /// Column with the keys of the objects ``owner`` leads to.
  let memberColumn: String
  /// Column with the order of an owner's members; nil when they are a set.
  let memberOrderColumn: String?
  /// Column with the order of a member's owners; nil when they are a set.
  let ownerOrderColumn: String?

  init(owner: PropertyLayout, inverse: PropertyLayout) {
    self.owner = owner
    let source = owner.owner.number
    let destination = owner.relation.destination.number
    name = "Z_\(source)\(owner.name.uppercased())"
    memberColumn = "Z_\(destination)\(owner.name.uppercased())"
    // A relationship that is its own inverse would name both columns alike.
    ownerColumn = owner === inverse ? "REFLEXIVE" : "Z_\(source)\(inverse.name.uppercased())"
    memberOrderColumn = owner.relation.isOrdered ? "Z_FOK_" + memberColumn.dropFirst(2) : nil
    ownerOrderColumn = inverse.relation.isOrdered && owner !== inverse ? "Z_FOK_" + ownerColumn.dropFirst(2) : nil
  }

  /// The columns as one of the two relationships sees them: its objects' keys, the other side's, and their order.
  func columns(_ property: PropertyLayout) -> (own: String, other: String, order: String?) {
    property === owner
      ? (ownerColumn, memberColumn, memberOrderColumn) : (memberColumn, ownerColumn, ownerOrderColumn)
  }
}
