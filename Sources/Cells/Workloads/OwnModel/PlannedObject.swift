/// An object that is going to be made: its values, and its relationships to others of its cluster.
struct PlannedObject: @unchecked Sendable {
  // Sendable: the values are immutable Foundation values.

  /// Name of the entity.
  let entity: String
  /// The attributes that are set.
  var values: [String: Any]
  /// By relationship, the positions in the cluster of the objects at its other end, in order. One side of a
  /// relationship with an inverse is enough, and only one side is there.
  var links: [String: [Int]] = [:]
}
