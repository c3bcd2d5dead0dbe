import Cells
import Checking
import CoreData

// S2.7: methods that validate one property.

extension RuleTrial {
  /// The model's rules judge the value that was set, and a method of the class judges what they let pass.
  func validateByMethods() throws {
    let entity = ModelParts.entity("Shortened")
    entity.managedObjectClassName = _typeName(ShortenedObject.self)
    let text = ModelParts.attribute("text", .stringAttributeType, isOptional: true)
    text.setValidationPredicates([NSPredicate(format: "length <= 6")], withValidationWarnings: nil)
    entity.properties.append(text)
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = try open(model, at: newURL())
    let editor = context(coordinator)
    try editor.performAndWait {
      let object = insertNumbered("Shortened", editor)
      for _ in 0..<4 {
        let text = String("abcdefghij".prefix(1 + draw(10)))
        precondition(!text.isEmpty, "the method gets a text")
        note("text \(text), of which a method makes a shorter one")
        object.setValue(text, forKey: "text")
        var value: AnyObject? = text as NSString
        let codes = [
          AnythingClient.error { try object.validateValue(&value, forKey: "text") }?.code,
          AnythingClient.error { try editor.save() }?.code,
        ]
        let code = text.count > 6 ? NSValidationStringTooLongError : nil
        try require(codes, [code, code], .wrongValue, "the errors of text \(text), validated and saved")
        let left = text.count > 6 ? text : String(text.prefix(3))
        try require(object.value(forKey: "text") as? String, left, .wrongValue, "text \(text) after it was validated")
      }
    }
    try close(coordinator)
  }
}

/// An object that shortens its text when that is validated.
final class ShortenedObject: NSManagedObject {
  func validateText(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) {
    guard let text = value.pointee as? String else { return }
    value.pointee = String(text.prefix(3)) as NSString
  }
}

/// As the accessors' plug-in writes it for a method that is declared `@objc`.
nonisolated final class _CoreDataClassNames: _ManagedClassNames {
  override class var validators: [_KeyedValidator] {
    [_KeyedValidator("text", ShortenedObject.self) { $0.validateText($1) }]
  }
}
