/// A model as the stack works with it.
package final class ModelLayout: @unchecked Sendable {
  // Sendable: nothing changes once the model is frozen.

  /// Every entity; number *n* is at index *n* − 1.
  package let entities: [EntityLayout]
  package let entitiesByName: [String: EntityLayout]
  /// The part that contexts keep with the model; the store does not look at it.
  package let contextPart: AnyObject

  /// - Precondition: the entities stand where their numbers say, have different names, and are complete.
  package init(_ entities: [EntityLayout], contextPart: AnyObject) {
    precondition(
      entities.enumerated().allSatisfy { $0.offset + 1 == $0.element.number }, "an entity is where its number says")
    self.entities = entities
    self.contextPart = contextPart
    entitiesByName = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
    for entity in entities { entity.finish(self) }
  }

  /// The entity with that `Z_ENT`; nil when the model has none.
  package func entity(number: Int) -> EntityLayout? {
    number > 0 && number <= entities.count ? entities[number - 1] : nil
  }
}
