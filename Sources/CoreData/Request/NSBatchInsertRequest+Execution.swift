import RowStore

extension NSBatchInsertRequest {
  final func execute(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    let entity = try self.entity(named: entityName, in: context)
    guard !entity.isAbstract else {
      throw NSError.coreData(
        NSManagedObjectValidationError,
        "\(entity.name) is abstract and has no objects of its own; insert objects of its sub-entities.")
    }
    guard let policy = context.mergePolicy as? NSMergePolicy else {
      preconditionFailure("a merge policy is an NSMergePolicy")
    }
    let wantsIDs = resultType == .objectIDs
    let source = source(entity)
    let outcome = try coordinator(of: context).batchInsert(self, of: entity) { store in
      try store.batchInsert(
        entity, BatchCollision(policy.mergeType), wantsRows: wantsIDs, by: HistoryStamp(of: context)
      ) {
        let row = try source()
        try row?.encodeValues(of: entity)
        return row
      }
    }
    self.entity = entity.entity
    return NSBatchInsertResult(outcome, resultType)
  }

  /// Gives one row after the other, and nil at the end.
  private final func source(_ entity: EntityLayout) -> () throws -> BatchRow? {
    if let handler = managedObjectHandler { return rows(entity, settingObjects: handler) }
    let template = BatchRow(slots: entity.defaultValues.slots, given: .empty)
    if let handler = dictionaryHandler {
      let dictionary = NSMutableDictionary()
      return {
        dictionary.removeAllObjects()
        guard !handler(dictionary) else { return nil }
        var row = template
        for (key, value) in dictionary { try row.set(key as? String ?? "\(key)", value, entity) }
        return row
      }
    }
    var objects = (objectsToInsert ?? []).makeIterator()
    return {
      guard let object = objects.next() else { return nil }
      var row = template
      for (key, value) in object { try row.set(key, value, entity) }
      return row
    }
  }

  private final func rows(
    _ entity: EntityLayout, settingObjects handler: @escaping (NSManagedObject) -> Bool
  ) -> () throws -> BatchRow? {
    let object = entity.makeObject()
    let attributes = PropertyMask(entity.properties.filter { !$0.isRelationship && !$0.isDerived }.map(\.index))
    return {
      object.values = object.makeInitialValues()
      object.relations = .unread
      object.changed.removeAll()
      guard !handler(object) else { return nil }
      guard object.registry == nil, let values = object.values else {
        throw NSError.coreData(
          NSPersistentStoreOperationError,
          "The object that a batch insert gives its handler was put into a context; only set its attributes.")
      }
      for property in entity.relationships where object.changed.contains(property.index) {
        throw BatchRow.refusal(entity, property.name, "a batch cannot set relationships")
      }
      for (property, _) in entity.excesses(in: values) {
        throw BatchRow.refusal(entity, property.name, "the attribute is too narrow for the number")
      }
      return BatchRow(slots: values.slots, given: attributes)
    }
  }
}

extension BatchRow {
  /// Takes the value of one attribute.
  ///
  /// - Throws: 1550 for a key that is no stored attribute, or has another type.
  mutating func set(_ key: String, _ value: Any, _ entity: EntityLayout) throws {
    guard let property = entity.propertiesByName[key] else {
      throw Self.refusal(
        entity, key, "it has " + entity.propertiesByName.keys.sorted().joined(separator: ", ") + " only")
    }
    guard case .attribute(let type) = property.kind else {
      throw Self.refusal(entity, key, "a batch cannot set relationships")
    }
    guard !property.isTransient else { throw Self.refusal(entity, key, "it is transient, and not in the store") }
    guard !property.isDerived else { throw Self.refusal(entity, key, "it is derived, and computed by the store") }
    switch Slot.encoding(value, to: type, property.encoding) {
    case .success(let slot): slots[property.index] = slot
    case .failure(let mismatch): throw Self.refusal(entity, key, mismatch.message)
    }
    given.insert(property.index)
  }

  /// Encodes transformable values, as a save does before it writes.
  func encodeValues(of entity: EntityLayout) throws {
    for index in entity.encodedIndices {
      let property = entity.properties[index]
      guard case .transformed(let transformer)? = property.encoding, case .boxed(let box) = slots[index],
        let value = box.value as? TransformedValue
      else { continue }
      do {
        try value.encode(transformer)
      } catch {
        throw Self.refusal(entity, property.name, "\(error)")
      }
    }
  }

  static func refusal(_ entity: EntityLayout, _ key: String, _ reason: String) -> NSError {
    NSError.coreData(
      NSManagedObjectValidationError, "A batch insert cannot set \(entity.name).\(key): \(reason).",
      userInfo: [NSValidationKeyErrorKey: key])
  }
}

extension Row {
  /// The values of all properties.
  fileprivate var slots: ContiguousArray<Slot> { ContiguousArray((0..<count).map { self[$0] }) }
}

extension PropertyMask {
  fileprivate init(_ indices: [Int]) {
    self = .empty
    for index in indices { insert(index) }
  }
}

extension BatchCollision {
  init(_ policy: NSMergePolicyType) {
    self =
      switch policy {
      case .errorMergePolicyType: .fail
      case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .keep
      case .mergeByPropertyObjectTrumpMergePolicyType: .takeGiven
      case .overwriteMergePolicyType: .takeAll
      }
  }
}
