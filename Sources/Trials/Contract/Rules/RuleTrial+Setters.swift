import Cells
import Checking
import CoreData
import Scheduling

// S2.7: what awakeFromFetch sets is no change, also of what the file has; what validateValue puts in the place of a value is saved,
// and what a class refuses is refused, in sub-entities and for one object alone as well.

extension RuleTrial {
  // MARK: awakeFromFetch

  /// Values that awakeFromFetch sets make nothing dirty, in a context and in its child, and are not written by a save.
  func setInHooks() throws {
    let coordinator = try open(AwokenModel.shared, at: newURL())
    let (writer, reader) = (context(coordinator), context(coordinator))
    let kind = pick(AwokenModel.entities) ?? "Awoken"
    let id: NSManagedObjectID = try writer.performAndWait {
      let object = insertNumbered(kind, writer)
      object.setValue("saved", forKey: "remark")
      try save(writer)
      return object.objectID
    }
    let place = chance(1, of: 3) ? context(in: reader) : reader
    note("awakeFromFetch of a \(kind) sets a remark")
    try place.performAndWait {
      let log = HookLog([.awakeFromFetch: { $0.remark = "set by awakeFromFetch" }])
      try log.record(place) {
        let way = draw(3)
        let object: NSManagedObject
        switch way {
        case 0: object = place.object(with: id)
        case 1: object = try place.existingObject(with: id)
        default: object = try place.fetch(NSFetchRequest<NSManagedObject>(entityName: "Awoken"))[0]
        }
        for round in 0..<2 {
          try require(
            object.value(forKey: "remark") as? String, "set by awakeFromFetch", .wrongValue,
            "what awakeFromFetch has set, in round \(round)")
          try require(
            [
              object.hasChanges, object.isUpdated, object.hasPersistentChangedValues, place.hasChanges,
              place.updatedObjects.isEmpty,
            ],
            [false, false, false, false, true], .wrongValue, "changes by awakeFromFetch, in round \(round)")
          place.processPendingChanges()
          try save(place)
          place.refresh(object, mergeChanges: false)
        }
      }
    }
    if place !== reader {
      try reader.performAndWait {
        try require(reader.hasChanges, false, .wrongValue, "changes of a parent whose child has read an object")
      }
    }
    let fresh = freshContext(coordinator)
    try fresh.performAndWait {
      try require(
        try fresh.existingObject(with: id).value(forKey: "remark") as? String, "saved", .dirtyRead,
        "a value in the file that awakeFromFetch has set elsewhere")
    }
  }

  // MARK: Validation by classes

  /// A class replaces some values, refuses others, and adds what it refuses to what the model refuses.
  func replaceValues() throws {
    let coordinator = try open(PickyModel.shared, at: newURL())
    let root = context(coordinator)
    let editor = chance(1, of: 3) ? context(in: root) : root
    for _ in 0..<(3 + draw(3)) {
      let kind = pick(PickyModel.entities) ?? "Picky"
      let (text, size) = (pick(["plain", " padded ", "worse", nil]) ?? nil, pick([1, 5, 0]) ?? 1)
      let isNew = chance(1, of: 2)
      note("\(isNew ? "a new" : "a saved") \(kind) with \(text ?? "null") and \(size)")
      let refused: [String] =
        (text == "worse" ? ["\(PickyObject.code) text"] : [])
        + (size < 1 ? ["\(NSValidationNumberTooSmallError) size"] : [])
        + (text == "plain" && size == 5 ? ["\(PickyObject.code) both"] : [])
      let (number, seen): (Int, [String]) = try editor.performAndWait {
        let object = insertNumbered(kind, editor)
        object.setValue(1, forKey: "size")
        if !isNew { try save(editor) }
        object.setValue(text, forKey: "text")
        object.setValue(size, forKey: "size")
        let error = AnythingClient.error { try editor.save() }
        if let error, error.code != NSValidationMultipleErrorsError, refused.count > 1 {
          try report(.wrongValue, "the code of several errors", expected: "1560", seen: "\(error.code)")
        }
        let alone = try refusedAlone(object)
        try require(
          alone, refused.isEmpty ? [] : refused.sorted(), .wrongValue, "what the validation of one object refuses")
        if error != nil { editor.rollback() }
        return (RulePicture.number(object), refusedKeys(error))
      }
      try require(seen, refused.sorted(), .wrongValue, "what a save refuses by the model and by the class")
      if let parent = editor.parent { try parent.performAndWait { try save(parent) } }
      guard refused.isEmpty else { continue }
      for reader in [editor, freshContext(coordinator)] {
        try reader.performAndWait {
          let object = try all("Picky", reader).first { RulePicture.number($0) == number }
          try require(
            RulePicture.text(object?.value(forKey: "text")), text == " padded " ? "padded" : text ?? "null",
            .unpersistedSave, "a text that validateValue may have replaced, in \(reader.name ?? "")")
        }
      }
    }
  }

  /// The properties that the validation of one object refuses; in a block of its context.
  private func refusedAlone(_ object: NSManagedObject) throws -> [String] {
    precondition(object.managedObjectContext != nil, "an object is validated in its context")
    return refusedKeys(
      AnythingClient.error { try object.isInserted ? object.validateForInsert() : object.validateForUpdate() })
  }

  private func refusedKeys(_ error: NSError?) -> [String] {
    Self.parts(of: error).map { "\($0.code) \($0.userInfo[NSValidationKeyErrorKey] as? String ?? "nothing")" }.sorted()
  }
}

/// Objects that note the calls of their life, in an entity and in one that inherits from it.
private enum AwokenModel {
  static let entities = ["Awoken", "AwokenToo"]
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let (awoken, too) = (RuleModel.hooked("Awoken"), NSEntityDescription())
    (too.name, too.managedObjectClassName) = ("AwokenToo", awoken.managedObjectClassName)
    awoken.subentities = [too]
    precondition([awoken, too].compactMap(\.name) == entities, "the entities are listed, the parent first")
    let model = NSManagedObjectModel()
    model.entities = [awoken, too]
    return model
  }
}

/// An object with a class that strips its text, and refuses some.
private class PickyObject: NSManagedObject {
  static let code = NSManagedObjectValidationError

  private func refusal(_ key: String) -> NSError {
    NSError(
      domain: NSCocoaErrorDomain, code: Self.code,
      userInfo: [NSValidationKeyErrorKey: key, NSValidationObjectErrorKey: self])
  }

  override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
    if key == "text", let given = value.pointee as? NSString {
      let text = String(describing: given)
      if text == "worse" { throw refusal(key) }
      let stripped = text.trimmingCharacters(in: .whitespaces)
      if stripped != text { value.pointee = stripped as AnyObject }
    }
    try super.validateValue(value, forKey: key)
  }

  /// Refuses what no single value shows, besides what the values show.
  private func validateBoth(_ validate: () throws -> Void) throws {
    var errors: [NSError] = []
    if let error = AnythingClient.error({ try validate() }) {
      errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
    }
    if value(forKey: "text") as? String == "plain", (value(forKey: "size") as? NSNumber)?.intValue == 5 {
      errors.append(refusal("both"))
    }
    if errors.count == 1 { throw errors[0] }
    guard errors.count > 1 else { return }
    throw NSError(
      domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError, userInfo: [NSDetailedErrorsKey: errors])
  }

  override func validateForInsert() throws { try validateBoth { try super.validateForInsert() } }

  override func validateForUpdate() throws { try validateBoth { try super.validateForUpdate() } }
}

/// Inherits its class's validation.
private final class PickierObject: PickyObject {}

private enum PickyModel {
  static let entities = ["Picky", "Pickier"]
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let (picky, pickier) = (ModelParts.entity("Picky"), NSEntityDescription())
    pickier.name = "Pickier"
    picky.managedObjectClassName = NSStringFromClass(PickyObject.self)
    pickier.managedObjectClassName = NSStringFromClass(PickierObject.self)
    let size = ModelParts.attribute("size", .integer32AttributeType, isOptional: true)
    size.setValidationPredicates([NSPredicate(format: "SELF >= 1")], withValidationWarnings: nil)
    picky.properties += [ModelParts.attribute("text", .stringAttributeType, isOptional: true), size]
    picky.subentities = [pickier]
    precondition([picky, pickier].compactMap(\.name) == entities, "the entities are listed, the parent first")
    let model = NSManagedObjectModel()
    model.entities = [picky, pickier]
    return model
  }
}
