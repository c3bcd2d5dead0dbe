import RowStore

extension NSBatchUpdateRequest {
  final func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let entity = try self.entity(named: entityName, in: context)
    let assignments = try assignments(entity)
    let fetch = NSFetchRequest<NSManagedObjectID>()
    fetch.entity = entity.entity
    fetch.predicate = predicate
    fetch.includesSubentities = includesSubentities
    let selection = try fetch.batchSelection(in: context).selection
    let outcome = try coordinator(of: context).batch(among: affectedStores, of: entity) { store in
      try store.batchUpdate(
        entity, selection, assignments,
        wantsRows: resultType == .updatedObjectIDsResultType || ContextWatch.isOn,
        by: HistoryStamp(of: context))
    }
    if ContextWatch.isOn { ContextWatch.tellBatch(outcome.objectIDs, isDeletion: false) }
    foundEntity = entity.entity
    return NSBatchUpdateResult(outcome, resultType)
  }

  private final func assignments(_ entity: EntityLayout) throws -> [BatchAssignment] {
    guard let propertiesToUpdate, !propertiesToUpdate.isEmpty else {
      throw NSError.coreData(
        NSCoreDataError,
        "The batch update of \(entity.name) has no propertiesToUpdate; name what is to be changed.")
    }
    return try propertiesToUpdate.map { key, value in
      let name = (key.base as? NSPropertyDescription)?.name ?? key.base as? String ?? "\(key.base)"
      guard let property = entity.propertiesByName[name] else {
        throw refusal(entity, name, "it has " + entity.propertiesByName.keys.sorted().joined(separator: ", ") + " only")
      }
      guard !property.isTransient else {
        throw refusal(entity, name, "the property is transient, and not in the store")
      }
      guard !property.isDerived else {
        throw refusal(entity, name, "the attribute is derived, and computed by the store")
      }
      if let expression = value as? NSExpression {
        return BatchAssignment(property: property, value: try computed(expression, property, entity))
      }
      return BatchAssignment(property: property, value: .constant(try slot(value, property, entity)))
    }
  }

  private final func computed(
    _ expression: NSExpression, _ property: PropertyLayout, _ entity: EntityLayout
  ) throws -> BatchAssignment.Value {
    if let constant = expression.form.constantValue {
      return .constant(try slot(constant.value ?? NSNull(), property, entity))
    }
    guard case .attribute(let type) = property.kind else {
      throw refusal(entity, property.name, "an expression can only be set to an attribute")
    }
    guard property.encoding == nil else {
      throw refusal(entity, property.name, "its column does not have the value as it is; give a constant")
    }
    if case .conditional(let predicate, let yes, let no) = expression.form {
      return .expression(
        .conditional(
          try condition(predicate, property, entity), try computed(yes, property, entity).expression,
          try computed(no, property, entity).expression))
    }
    do {
      let column = try ResolvedColumn(expression, entity: entity, isGrouped: false)
      guard column.expression.isTranslatable || column.expression.isColumn(of: type) else {
        throw refusal(entity, property.name, "the store cannot compute \(expression)")
      }
      if case .path(let path) = column.expression, path.steps.last?.encoding != nil {
        throw refusal(entity, property.name, "the column of \(expression) does not have the value as it is")
      }
      let wanted = ValueType(type)
      switch (wanted, column.type) {
      // Columns of integers take no fractions, and those of floating-point numbers nothing else.
      case (.integer, .integer), (.integer, .boolean): return .expression(column.expression)
      case (.integer, let given) where given.isNumber: return .expression(.function(.integer, [column.expression]))
      case (.real, let given) where given.isNumber: return .expression(.function(.real, [column.expression]))
      case (_, .null): return .expression(column.expression)
      case (_, let given) where wanted == given || wanted.isText && given.isText: return .expression(column.expression)
      case (.date, let given), (.decimal, let given):
        guard given.isNumber else { break }
        return .expression(column.expression)
      default: break
      }
      throw refusal(entity, property.name, "\(expression) gives \(column.type.description)")
    } catch let error as PredicateFailure {
      throw refusal(entity, property.name, "\(error)")
    }
  }

  /// The condition of a choice between two values.
  private final func condition(
    _ predicate: NSPredicate, _ property: PropertyLayout, _ entity: EntityLayout
  ) throws -> ResolvedPredicate {
    do {
      let condition = try ResolvedPredicate(predicate, entity: entity)
      guard condition.isTranslatable else {
        throw refusal(entity, property.name, "the store cannot evaluate \(predicate)")
      }
      return condition
    } catch let error as PredicateFailure {
      throw refusal(entity, property.name, "\(error)")
    }
  }

  private final func slot(_ value: Any, _ property: PropertyLayout, _ entity: EntityLayout) throws -> Slot {
    switch property.kind {
    case .attribute(let type):
      if case .composite? = property.encoding {
        throw refusal(entity, property.name, "a composite attribute has several columns, which a batch cannot change")
      }
      switch Slot.encoding(value, to: type, property.encoding) {
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
        throw refusal(entity, property.name, "expected a saved \(property.relation.destination.name), its ID or NSNull")
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

extension BatchAssignment.Value {
  /// The value in an expression that has others beside it.
  fileprivate var expression: ResolvedExpression {
    switch self {
    case .constant(let slot): .constant(slot.comparable)
    case .expression(let expression): expression
    }
  }
}

extension ResolvedExpression {
  /// Whether it is a stored attribute of that type as it is.
  fileprivate func isColumn(of type: AttributeType) -> Bool {
    guard case .path(let path) = self, case .attribute(type)? = path.steps.last?.kind else { return false }
    return !path.steps.contains(where: \.isTransient)
  }
}
