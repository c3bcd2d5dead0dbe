import Checking
import CoreData

// Saves that the model's rules refuse: nothing is written, nothing is lost, and mended changes are saved.

extension AnythingClient {
  /// Gives an attribute a value that its rules forbid, saves, and restores its old value.
  func breakRule(_ actor: AnythingStep.Actor, _ name: Int, _ attribute: String) throws {
    try requireHeard(actor)
    let participant = participant(actor)
    try settleContested(participant)
    guard let node = participant.view.nodes[name], let property = model.attributes[attribute],
      model.isKind(node.entity, of: property.entity), let forbidden = Self.forbidden(property)
    else { return }
    let error = try participant.context.performAndWait { () -> NSError? in
      guard let object = try participant.find(name, participant.view) else { return nil }
      let before = object.value(forKey: attribute)
      _ = notices[actor]?.drainSaves()
      object.setValue(forbidden.value, forKey: attribute)
      let error = Self.error { try participant.context.save() }
      object.setValue(before, forKey: attribute)
      return error
    }
    guard let error, error.code == forbidden.code || error.code == NSValidationMultipleErrorsError else {
      if let error, session.faults.explains(error) { return }
      return try report(
        .wrongValue, "a save of \(participant.name) with a forbidden \(attribute)",
        expected: "refused with \(forbidden.code)",
        seen: error.map { "\($0.code)" } ?? "saved")
    }
    try checkRefused(actor)
    try checkFile()
    try participant.context.performAndWait { try checkAll(participant) }
  }

  /// Deletes an object, leads a relationship of another one to it, and saves: the save is refused, and nothing is lost by that.
  func dangle(_ actor: AnythingStep.Actor, _ name: Int, _ relationship: String, _ target: Int) throws {
    try requireHeard(actor)
    // After an undo, rules are followed once more, and clear the relationship.
    try rollBack(actor)
    let participant = participant(actor)
    var after = participant.view
    let property = model.relationship(relationship)
    guard name != target, participant.base.nodes[target] != nil, let node = after.nodes[name],
      model.isKind(node.entity, of: property.entity), after.apply(.delete(target)), after.denied.isEmpty,
      after.nodes[name] != nil
    else { return }
    // Without an inverse no delete rule clears the row's value, and to set that is no change.
    guard property.inverse != nil || participant.base.nodes[name]?.ones[relationship] != target else { return }
    let error = try participant.context.performAndWait { () -> NSError? in
      let object = try participant.find(name, participant.view)
      let doomed = try participant.find(target, participant.view)
      _ = notices[actor]?.drainSaves()
      try participant.picture.apply(.delete(target)) { $0 == target ? doomed : nil }
      participant.context.processPendingChanges()
      object?.setValue(doomed, forKey: relationship)
      return Self.error { try participant.context.save() }
    }
    let codes = [NSManagedObjectValidationError, NSValidationMultipleErrorsError]
    guard let error, codes.contains(error.code) || session.faults.explains(error) else {
      return try report(
        .danglingReference, "a save of \(participant.name) with a \(relationship) that leads to a deleted object",
        expected: "refused with \(NSManagedObjectValidationError)", seen: error.map { "\($0.code)" } ?? "saved")
    }
    try checkRefused(actor)
    try rollBack(actor)
  }

  /// A value that an attribute's rules forbid, and the error's code; nil where everything is allowed.
  private static func forbidden(_ attribute: DrawnModel.Attribute) -> (value: Any?, code: Int)? {
    switch attribute.type {
    case .integer16AttributeType, .integer32AttributeType:
      (NSNumber(value: Int64(1) << 40), NSValidationNumberTooLargeError)
    default: attribute.isOptional ? nil : (nil, NSValidationMissingMandatoryPropertyError)
    }
  }
}
