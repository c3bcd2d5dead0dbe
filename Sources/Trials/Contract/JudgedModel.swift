import Cells
import CoreData

/// A model with every kind of rule for values, and the rules that each value breaks, by hand.
enum JudgedModel {
  struct Rule {
    let key: String
    let type: NSAttributeType
    let isMandatory: Bool
    /// Formats of predicates.
    let formats: [String]
    /// A value that no rule refuses.
    let valid: Any?
    /// Values, and the codes of the errors that refuse them.
    let values: [(value: Any?, code: Int?)]

    func code(_ value: Any?) -> Int? {
      values.first { RulePicture.text($0.value) == RulePicture.text(value) }.flatMap(\.code)
    }
  }

  static let entities = ["Owner", "Thing"]

  // Not changed after they were made.
  nonisolated(unsafe) static let rules: [String: [Rule]] = [
    "Owner": [
      Rule(
        key: "title", type: .stringAttributeType, isMandatory: false,
        formats: ["length >= 2", "length <= 5", "SELF MATCHES '[a-z]*'"],
        valid: "abc",
        values: [
          (nil, nil), ("ab", nil), ("abcde", nil), ("a", NSValidationStringTooShortError),
          ("", NSValidationStringTooShortError),
          ("abcdef", NSValidationStringTooLongError), ("aB", NSValidationStringPatternMatchingError),
          ("A", NSValidationStringTooShortError),
        ]),
      Rule(
        key: "since", type: .dateAttributeType, isMandatory: false, formats: ["SELF >= 1000", "SELF <= 2000"],
        valid: date(1_500),
        values: [
          (nil, nil), (date(1_000), nil), (date(2_000), nil), (date(999.5), NSValidationDateTooSoonError),
          (date(2_000.5), NSValidationDateTooLateError),
        ]),
    ],
    "Thing": [
      Rule(
        key: "code", type: .stringAttributeType, isMandatory: true, formats: [], valid: "c",
        values: [("", nil), ("x", nil), (nil, NSValidationMissingMandatoryPropertyError)]),
      Rule(
        key: "count", type: .integer16AttributeType, isMandatory: true, formats: ["SELF >= 1", "SELF <= 10"], valid: 5,
        values: [
          (1, nil), (10, nil), (0, NSValidationNumberTooSmallError), (11, NSValidationNumberTooLargeError),
          (70_000, NSValidationNumberTooLargeError), (-70_000, NSValidationNumberTooSmallError),
          (nil, NSValidationMissingMandatoryPropertyError),
        ]),
      Rule(
        key: "rate", type: .doubleAttributeType, isMandatory: false, formats: ["SELF BETWEEN {-1, 1}"], valid: 0.5,
        values: [
          (nil, nil), (-1.0, nil), (1.0, nil), (-1.5, NSValidationNumberTooSmallError),
          (1.5, NSValidationNumberTooLargeError),
        ]),
      Rule(
        key: "kind", type: .stringAttributeType, isMandatory: false, formats: ["SELF IN {'a', 'b'}"], valid: "a",
        values: [(nil, nil), ("a", nil), ("b", nil), ("c", NSManagedObjectValidationError)]),
    ],
  ]

  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  private static func make() -> NSManagedObjectModel {
    let (owner, thing) = (ModelParts.entity("Owner"), ModelParts.entity("Thing"))
    precondition(Set(rules.keys) == Set(entities), "each entity of the model has its rules")
    for entity in [owner, thing] {
      for rule in rules[entity.name ?? ""] ?? [] {
        precondition(
          rule.code(rule.valid) == nil && (rule.valid != nil || !rule.isMandatory), "no rule refuses a valid value")
        precondition(!entity.properties.contains { $0.name == rule.key }, "an attribute has one rule")
        let attribute = ModelParts.attribute(rule.key, rule.type, isOptional: !rule.isMandatory)
        attribute.setValidationPredicates(rule.formats.map { NSPredicate(format: $0) }, withValidationWarnings: nil)
        entity.properties.append(attribute)
      }
    }
    let things = ModelParts.many("things", thing, .denyDeleteRule)
    (things.minCount, things.maxCount, things.isOptional) = (1, 3, false)
    let its = ModelParts.one("owner", owner)
    its.isOptional = false
    ModelParts.connect(things, of: owner, its, of: thing)
    let leaders = ModelParts.many("leaders", thing, .nullifyDeleteRule)
    (leaders.minCount, leaders.maxCount) = (2, 3)
    ModelParts.connect(leaders, of: owner, ModelParts.one("leads", owner), of: thing)
    // With a least count alone.
    let guests = ModelParts.many("guests", thing, .nullifyDeleteRule)
    guests.minCount = 2
    ModelParts.connect(guests, of: owner, ModelParts.one("visits", owner), of: thing)
    let model = NSManagedObjectModel()
    model.entities = [owner, thing]
    return model
  }
}
