import RowStore

/// The checks of a save for the objects of one entity, found once.
struct ValidationPlan: Sendable {
  /// The validation methods that the entity's class overrides.
  let hooks: ValidationHooks
  /// Attributes with predicates.
  let ruled: [PropertyLayout]
  /// To-many relationships with a least or greatest count.
  let counted: [PropertyLayout]
  /// Whether there is nothing to check but the slots of mandatory properties.
  let isPlain: Bool

  /// Whether nothing is checked but mandatory values.
  var isEmpty: Bool { hooks.isEmpty && ruled.isEmpty && counted.isEmpty }

  /// Nothing to check.
  init() {
    hooks = []
    ruled = []
    counted = []
    isPlain = true
  }

  init(_ entity: EntityLayout) {
    hooks = ValidationHooks(entity, of: entity.objectClass)
    ruled = entity.properties.filter { !$0.isRelationship && !entity.objects.rules[$0.index].isEmpty }
    counted = entity.relationships.filter(\.isCounted)
    isPlain = ruled.isEmpty && counted.isEmpty
  }
}

extension PropertyLayout {
  /// Whether the number of a to-many relationship's objects matters.
  var isCounted: Bool {
    guard case .toMany = kind, let relation, !isTransient else { return false }
    return relation.minCount > 0 || relation.maxCount > 0
  }

  /// The code of the error for so many objects; nil when there is none.
  ///
  /// An optional relationship may be empty whatever its least count, and a mandatory one without a least count.
  func failure(count: Int) -> Int? {
    if count == 0, isOptional { return nil }
    if count < relation.minCount { return NSValidationRelationshipLacksMinimumCountError }
    return relation.maxCount > 0 && count > relation.maxCount ? NSValidationRelationshipExceedsMaximumCountError : nil
  }
}
