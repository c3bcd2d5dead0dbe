/// The object that relationships hold weakly in place of the entity that they lead to.
///
/// References are counted more slowly for an object that is held weakly, and each object that is made counts one
/// to its entity.
final class EntityAnchor {
  /// The anchor is the entity's, and goes with it.
  unowned(unsafe) final var entity: NSEntityDescription?
}
