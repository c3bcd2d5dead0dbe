import Testing

@testable import CoreData

/// The rules for values in a model's file are checked when the values are saved.
struct ModelRuleTests {
  private static func model() throws -> NSManagedObjectModel {
    try ModelReadingTests.model(
      """
      <entity name="Thing">
        <attribute name="name" optional="YES" attributeType="String" minValueString="2" maxValueString="4"
          regularExpressionString="[a-z]+"/>
        <attribute name="age" optional="YES" attributeType="Integer 16" minValueString="1" maxValueString="120"/>
        <attribute name="weight" optional="YES" attributeType="Double" minValueString="0.5" maxValueString="1.5"/>
        <attribute name="worth" optional="YES" attributeType="Decimal" minValueString="1" maxValueString="9.5"/>
        <attribute name="day" optional="YES" attributeType="Date" minDateTimeInterval="100" maxDateTimeInterval="200"/>
        <attribute name="must" attributeType="Boolean" defaultValueString="NO" usesScalarValueType="YES"/>
      </entity>
      """)
  }

  // Sendable: made once, and nothing in them changes.
  nonisolated(unsafe) private static let rejected: [(String, Any?, Int)] = [
    ("name", "a", NSValidationStringTooShortError), ("name", "abcde", NSValidationStringTooLongError),
    ("name", "ABC", NSValidationStringPatternMatchingError), ("age", 0, NSValidationNumberTooSmallError),
    ("age", 121, NSValidationNumberTooLargeError), ("weight", 0.4, NSValidationNumberTooSmallError),
    ("weight", 1.6, NSValidationNumberTooLargeError), ("worth", Decimal(0), NSValidationNumberTooSmallError),
    ("worth", Decimal(10), NSValidationNumberTooLargeError),
    ("day", Date(timeIntervalSinceReferenceDate: 99), NSValidationDateTooSoonError),
    ("day", Date(timeIntervalSinceReferenceDate: 201), NSValidationDateTooLateError),
    ("must", nil, NSValidationMissingMandatoryPropertyError),
  ]

  @Test("S9.2 a value against a rule of the file fails the save with Apple's code", arguments: rejected.indices)
  func rules(index: Int) throws {
    let (key, value, code) = Self.rejected[index]
    let context = try TestStack(model: try Self.model()).context()
    try context.performAndWait {
      let thing = context.insert("Thing", [:])
      thing.setValue(value, forKey: key)
      let error = try #require(caught { try context.save() })
      #expect(error.code == code && error.userInfo[NSValidationKeyErrorKey] as? String == key)
    }
  }

  @Test("S9.2 values within the rules of the file are saved, and defaults are set") func withinTheRules() throws {
    let context = try TestStack(model: try Self.model()).context()
    try context.performAndWait {
      let thing = context.insert(
        "Thing",
        [
          "name": "ab", "age": 120, "weight": 0.5, "worth": Decimal(1),
          "day": Date(timeIntervalSinceReferenceDate: 200),
        ])
      #expect(thing.value(forKey: "must") as? Bool == false)
      context.insert("Thing", [:])
      try context.save()
    }
  }
}
