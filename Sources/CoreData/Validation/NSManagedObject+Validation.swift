import RowStore

extension NSManagedObject {
  /// The validation methods that the object's class overrides.
  final var validationHooks: ValidationHooks {
    let type = type(of: self)
    return type == layout.objectClass ? layout.validation.hooks : ValidationHooks(layout, of: type)
  }

  /// Whether a look at the values shows that nothing is wrong, as with most objects; false does not say that something
  /// is.
  @inline(__always)
  final var isPlainlyValid: Bool {
    layoutReference._withUnsafeGuaranteedRef { layout in
      guard layout.objects.isPlain, type(of: self) == layout.objectClass, let valuesReference else { return false }
      let isComplete = valuesReference._withUnsafeGuaranteedRef { row in
        let values = row.values
        return !layout.mandatorySlotList.contains { values.isNull($0) } && layout.plainlyHolds(values)
      }
      return isComplete && !leadsToLeaving
    }
  }

  /// Whether a to-one relationship leads to an object that is gone or deleted.
  @inline(__always)
  private final var leadsToLeaving: Bool {
    relations.leadsToOne { $0.isLeaving }
  }

  /// Gone, or deleted by this save.
  @inline(__always)
  final var isLeaving: Bool { !state.isDisjoint(with: [.gone, .deleted]) }

  // MARK: The work of the open methods

  final func checkProperties() throws {
    touch("validate")
    if values == nil { _ = realisedValues(nil) }
    var errors = ValidationErrors()
    collectErrors(validationHooks, &errors)
    try errors.throwIfAny()
  }

  final func checkDeletion() throws {
    touch("validateForDelete")
    var errors = ValidationErrors()
    if let context = registry?.contextOnQueue, !state.contains(.gone) {
      for property in layout.relationships where property.relation.deleteRule == .deny {
        errors.collect {
          if let denied = try DeleteRules(in: context).denial(of: self, property) { throw denied.error }
        }
      }
    }
    try errors.throwIfAny()
  }

  final func checkValue(_ value: AnyObject?, _ key: String) throws {
    touch(key)
    guard let property = layout.propertiesByName[key] else { return }
    let given: Any? = value is NSNull ? nil : value
    switch property.kind {
    case .attribute(let type):
      let converted = Slot.converting(given, to: type, property.encoding)
      if case .failure(let mismatch) = converted, let excess = mismatch.excess {
        throw outOfRange(property, excess, value: given)
      }
      guard case .success(let slot) = converted else {
        throw validationError(
          NSManagedObjectValidationError, property, value: given,
          "\(layout.name).\(key) is \(type.valueDescription), and cannot be \(given.map { "\($0)" } ?? "nil").")
      }
      if slot.isNull {
        if property.isMandatory { throw missingValue(property) }
      } else if let error = brokenRule(property, slot, type) {
        throw error
      }
    case .toOne:
      guard let given else {
        if property.isMandatory { throw missingValue(property) }
        return
      }
      guard let object = given as? NSManagedObject, object.layout.isKind(of: property.relation.destination) else {
        throw validationError(
          NSManagedObjectValidationError, property, value: given,
          "\(layout.name).\(key) takes objects of \(property.relation.destination.name).")
      }
    case .toMany:
      let collection = given.map { KeyedCollection($0)?.elements as? [NSManagedObject] } ?? []
      guard let objects = collection else {
        throw validationError(
          NSManagedObjectValidationError, property, value: given, "\(layout.name).\(key) takes a set of objects.")
      }
      if let code = property.failure(count: objects.count), property.isCounted {
        throw wrongCount(code, property, count: objects.count, value: Set(objects))
      }
    }
  }

  // MARK: All properties

  /// Adds the errors of the object's properties.
  ///
  /// - Parameter hooks: the methods that the object's class overrides; `validateValue` is called only where it is.
  final func collectErrors(_ hooks: ValidationHooks, _ errors: inout ValidationErrors) {
    guard let values else { return }
    if hooks.contains(.validateValue) { return collectErrorsByHook(&errors) }
    // Most objects lack nothing, and are looked through without a look at their properties.
    let all = values.values
    if layout.mandatorySlots.contains(where: { all.isNull($0) }) {
      for index in layout.mandatorySlots where values[index].isNull {
        errors.append(missingValue(layout.properties[index]))
      }
    }
    let excesses = newExcesses
    for (property, excess) in excesses {
      guard case .attribute(let type) = property.kind else { continue }
      errors.append(outOfRange(property, excess, value: values[property.index].value(as: type)))
    }
    if layout.validation.isPlain { return }
    for property in layout.validation.ruled where !excesses.contains(where: { $0.property === property }) {
      guard case .attribute(let type) = property.kind else { continue }
      let slot = values[property.index]
      if !slot.isNull, let error = brokenRule(property, slot, type) { errors.append(error) }
    }
    for property in layout.validation.counted where !isUntouchedFault(property) {
      let members = members(property)
      if let code = property.failure(count: members.count) {
        errors.append(wrongCount(code, property, count: members.count, value: Set(members.objects)))
      }
    }
  }

  /// The attributes that were given a number out of their range. One that the file has is no mistake of this save.
  private final var newExcesses: [(property: PropertyLayout, excess: NumberOutOfRange)] {
    guard let values else { return [] }
    return layout.excesses(in: values).filter { snapshot == nil || changed.contains($0.property.index) }
  }

  /// A to-many relationship that was neither read nor changed is as it was when it was last validated.
  private final func isUntouchedFault(_ property: PropertyLayout) -> Bool {
    snapshot != nil && !changed.contains(property.index) && knownToMany(property)?.members == nil
  }

  private final func isOutOfRangeInFile(_ property: PropertyLayout) -> Bool {
    guard let values, let snapshot, !changed.contains(property.index), !layout.plainlyHolds(values.values) else {
      return false
    }
    return property.excess(of: snapshot[property.index]) != nil
  }

  /// Calls `validateValue(_:forKey:)` for each property, and sets the values that it replaced.
  private final func collectErrorsByHook(_ errors: inout ValidationErrors) {
    for property in layout.properties {
      if case .toMany = property.kind, isUntouchedFault(property) { continue }
      if isOutOfRangeInFile(property) { continue }
      let before = propertyValue(property.name) as AnyObject?
      var value = before
      do {
        try validateValue(&value, forKey: property.name)
      } catch {
        errors.append(error)
        continue
      }
      if value !== before { setPropertyValue(value, property.name) }
    }
  }
}
