import CoreData

/// An object of a class with validation of its own, as a test sets it up.
final class Checked: NSManagedObject {
  var calls: [String] = []
  var refusal: NSError?

  private func note(_ call: String) throws {
    calls.append(call)
    if let refusal { throw refusal }
  }

  override func validateForInsert() throws {
    try super.validateForInsert()
    try note("insert")
  }
  override func validateForUpdate() throws {
    try super.validateForUpdate()
    try note("update")
  }
  override func validateForDelete() throws {
    try super.validateForDelete()
    try note("delete")
  }
}

/// Trims names, and refuses the name "bad", value by value.
class Trimmed: NSManagedObject {
  override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
    if key == "name", let name = value.pointee as? NSString {
      let text = String(describing: name)
      if text == "bad" { throw NSError(domain: "Trimmed", code: 7) }
      let trimmed = text.trimmingCharacters(in: .whitespaces)
      if trimmed != text { value.pointee = trimmed as AnyObject }
    }
    try super.validateValue(value, forKey: key)
  }
}

/// Inherits its validation.
final class TrimmedToo: Trimmed {}

/// A model with one rule of each kind.
enum Ruled {
  /// - Parameter type: class of the entity `Thing`.
  static func model(_ type: NSManagedObject.Type = NSManagedObject.self) -> NSManagedObjectModel {
    let thing = Notebook.entity("Thing", type)
    let part = Notebook.entity("Part", NSManagedObject.self)
    let parts = Notebook.relationship("parts", to: part, maxCount: 3, rule: .denyDeleteRule)
    parts.minCount = 2
    let owner = Notebook.relationship("owner", to: thing, maxCount: 1)
    (parts.inverseRelationship, owner.inverseRelationship) = (owner, parts)
    thing.properties = [
      attribute("name", .stringAttributeType, ["length >= 2", "length <= 4", "SELF MATCHES '[a-z ]+'"]),
      attribute("age", .integer16AttributeType, ["SELF >= 1", "120 >= SELF"]),
      attribute("weight", .doubleAttributeType, ["SELF BETWEEN {0.5, 1.5}"]),
      attribute("worth", .decimalAttributeType, ["SELF > 0 AND SELF < 10"]),
      attribute("day", .dateAttributeType, ["SELF >= 100", "SELF <= 200"]),
      attribute("code", .integer64AttributeType, ["SELF IN {1, 2}"]),
      attribute("photo", .binaryDataAttributeType, ["length < 3"]),
      parts,
    ]
    part.properties = [Notebook.attribute("serial", .integer64AttributeType), owner]
    let model = NSManagedObjectModel()
    model.entities = [thing, part]
    return model
  }

  static func attribute(
    _ name: String, _ type: NSAttributeType, _ formats: [String], warnings: [String]? = nil
  ) -> NSAttributeDescription {
    let attribute = Notebook.attribute(name, type)
    attribute.setValidationPredicates(formats.map { NSPredicate(format: $0) }, withValidationWarnings: warnings)
    return attribute
  }
}
