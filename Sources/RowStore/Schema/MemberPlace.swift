/// Where the file has the members of one to-many relationship.
package struct MemberPlace {
  /// The join table, or the destination's.
  package let table: String
  let isJoin: Bool
  /// Column with the key of the object that has the relationship.
  package let owner: String
  /// Column with the key of a member: `Z_PK` in the destination's table.
  package let member: String
  /// Column with the order of an owner's members; nil when they are a set.
  package let order: String?

  /// Of a transient relationship: no row is a member.
  static let nowhere = MemberPlace(
    table: "(SELECT NULL AS Z_OWNER, NULL AS Z_MEMBER LIMIT 0)", isJoin: true, owner: "Z_OWNER", member: "Z_MEMBER",
    order: nil)
}
