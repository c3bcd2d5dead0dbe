import RowStore

/// The errors of one validation, flat.
struct ValidationErrors {
  private(set) var errors: [NSError] = []

  /// Takes an error, or those under it.
  mutating func append(_ error: any Error) {
    let error = error as NSError
    if error.domain == NSCocoaErrorDomain, error.code == NSValidationMultipleErrorsError,
      let details = error.userInfo[NSDetailedErrorsKey] as? [NSError]
    {
      for detail in details { append(detail) }
    } else {
      errors.append(error)
    }
  }

  /// Collects the error of `body`.
  mutating func collect(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      append(error)
    }
  }

  /// Throws the one error, or one that combines several.
  func throwIfAny() throws {
    switch errors.count {
    case 0: return
    case 1: throw errors[0]
    default:
      let keys = Set(errors.compactMap { $0.userInfo[NSValidationKeyErrorKey] as? String }).sorted()
      let names = keys.isEmpty ? "" : " (\(keys.joined(separator: ", ")))"
      throw NSError.coreData(
        NSValidationMultipleErrorsError, "\(errors.count) validation errors\(names); see NSDetailedErrorsKey.",
        userInfo: [NSDetailedErrorsKey: errors])
    }
  }
}

extension NSManagedObject {
  /// A validation error of a property, in Apple's form.
  final func validationError(
    _ code: Int, _ property: PropertyLayout, value: Any? = nil, _ sentence: String, predicate: NSPredicate? = nil
  ) -> NSError {
    var info: [String: Any] = [NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: property.name]
    info[NSValidationValueErrorKey] = value
    info[NSValidationPredicateErrorKey] = predicate
    return NSError.coreData(code, sentence, userInfo: info)
  }

  final func missingValue(_ property: PropertyLayout) -> NSError {
    validationError(
      NSValidationMissingMandatoryPropertyError, property, "\(layout.name).\(property.name) is required and nil.")
  }

  /// The error of the first rule that the value does not meet; nil when it meets all.
  final func brokenRule(_ property: PropertyLayout, _ slot: Slot, _ type: AttributeType) -> NSError? {
    for rule in layout.objects.rules[property.index] {
      guard let code = rule.failure(slot, type) else { continue }
      let value = slot.value(as: type)
      return validationError(
        code, property, value: value,
        rule.warning ?? "\(layout.name).\(property.name) does not meet \(rule.predicate.description).",
        predicate: rule.predicate)
    }
    return nil
  }

  final func outOfRange(_ property: PropertyLayout, _ excess: NumberOutOfRange, value: Any?) -> NSError {
    let code =
      switch excess.isAbove {
      case true?: NSValidationNumberTooLargeError
      case false?: NSValidationNumberTooSmallError
      case nil: NSManagedObjectValidationError
      }
    let number = value.map { "\($0)" } ?? "it"
    return validationError(
      code, property, value: value,
      "\(layout.name).\(property.name) cannot hold \(number): the attribute is too narrow.")
  }

  final func wrongCount(_ code: Int, _ property: PropertyLayout, count: Int, value: @autoclosure () -> Any) -> NSError {
    let limits = property.relation.maxCount > 0 ? " to \(property.relation.maxCount)" : " or more"
    return validationError(
      code, property, value: value(),
      "\(layout.name).\(property.name) has \(count) objects; \(property.relation.minCount)\(limits) are allowed.")
  }
}

extension DeniedDelete {
  /// Why the object cannot be deleted.
  var error: NSError {
    NSError.coreData(
      NSValidationRelationshipDeniedDeleteError,
      "\(object.objectID) cannot be deleted: \(relationship.name) still has "
        + obstacles.map { "\($0.objectID)" }.joined(separator: ", "),
      userInfo: [
        NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: relationship.name,
        NSValidationValueErrorKey: Set(obstacles), NSAffectedObjectsErrorKey: [object],
      ])
  }
}
