extension NSBatchUpdateRequest: ExecutableRequest {
  final func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let entity = try context.requestedEntity(entityName)
    let assignments = try assignments(entity)
    let fetch = NSFetchRequest<NSManagedObjectID>()
    fetch.entity = entity.entity
    fetch.predicate = predicate
    fetch.includesSubentities = includesSubentities
    let selection = try context.batchSelection(fetch).selection
    let outcome = try context.batchCoordinator().batch(self, of: entity) { store in
      try store.batchUpdate(
        entity, selection, assignments, wantsIDs: resultType == .updatedObjectIDsResultType)
    }
    foundEntity = entity.entity
    return NSBatchUpdateResult(outcome, resultType)
  }

  private final func assignments(_ entity: EntityLayout) throws -> [BatchAssignment] {
    guard let propertiesToUpdate, !propertiesToUpdate.isEmpty else {
      throw NSError.coreData(
        NSPersistentStoreOperationError,
        "The batch update of \(entity.name) has no propertiesToUpdate; name what is to be changed.")
    }
    return try propertiesToUpdate.map { key, value in
      let name = (key.base as? NSPropertyDescription)?.name ?? key.base as? String ?? "\(key.base)"
      guard let property = entity.propertiesByName[name] else {
        throw refusal(
          entity, name, "it has " + entity.propertiesByName.keys.sorted().joined(separator: ", ") + " only")
      }
      guard !property.isTransient else {
        throw refusal(entity, name, "the property is transient, and not in the store")
      }
      return BatchAssignment(property: property, value: try slot(value, property, entity))
    }
  }

  private final func slot(_ value: Any, _ property: PropertyLayout, _ entity: EntityLayout) throws -> Slot {
    switch property.kind {
    case .attribute(let type):
      switch Slot.converting(value, to: type) {
      case .success(let slot): return slot
      case .failure(let mismatch): throw refusal(entity, property.name, mismatch.message)
      }
    case .toOne:
      guard property.relation.inverse?.relation.isToMany ?? true else {
        throw refusal(entity, property.name, "a one-to-one relationship has two sides, which a batch cannot change")
      }
      if value is NSNull { return .null }
      let id = (value as? NSManagedObject)?.objectID ?? value as? NSManagedObjectID
      guard let id, !id.isTemporaryID, id.layout.isKind(of: property.relation.destination) else {
        throw refusal(
          entity, property.name, "a saved \(property.relation.destination.name), its ID or NSNull is wanted")
      }
      return .reference(RowReference(key: id.key, entity: UInt16(truncatingIfNeeded: id.layout.number)))
    case .toMany: throw refusal(entity, property.name, "a batch cannot change to-many relationships")
    }
  }

  private final func refusal(_ entity: EntityLayout, _ property: String, _ reason: String) -> NSError {
    NSError.coreData(
      NSManagedObjectValidationError, "A batch update cannot set \(entity.name).\(property): \(reason).",
      userInfo: [NSValidationKeyErrorKey: property])
  }
}
