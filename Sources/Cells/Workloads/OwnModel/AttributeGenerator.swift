import Boundary
import CoreData
import Scheduling

/// Draws values that one attribute accepts: of its type, within its limits, like its pattern, and each once if it must
/// be unique.
struct AttributeGenerator {
  /// Why an attribute gets no values, with the remedy.
  struct Impossible: Error, CustomStringConvertible {
    let description: String
  }

  /// How often a value is drawn anew that a predicate refuses, or that was drawn before.
  private static let attempts = 400
  /// One value in so many of an optional attribute is null.
  private static let nullEvery = 6

  let name: String
  private let attribute: NSAttributeDescription
  private let isUnique: Bool
  private let bounds: ValueBounds
  private let patterns: [TextPattern]
  private let parts: [AttributeGenerator]
  private var used: Set<AnyHashable> = []
  private var serial = 0

  init(_ attribute: NSAttributeDescription, isUnique: Bool) throws(Impossible) {
    name = attribute.name
    self.attribute = attribute
    self.isUnique = isUnique
    bounds = ValueBounds(attribute.validationPredicates)
    var patterns: [TextPattern] = []
    for pattern in bounds.patterns {
      do {
        patterns.append(try TextPattern(pattern))
      } catch {
        throw Impossible(
          description: "\(attribute.name): no text can be drawn from the regular expression \(pattern): \(error); "
            + "take it out of the copy of the model that you measure")
      }
    }
    self.patterns = patterns
    var parts: [AttributeGenerator] = []
    for element in (attribute as? NSCompositeAttributeDescription)?.elements ?? [] where !element.isTransient {
      parts.append(try AttributeGenerator(element, isUnique: false))
    }
    self.parts = parts
  }

  /// Draws a value; nil where the attribute may be null and is.
  mutating func draw(_ random: inout SeededRandom) throws(Impossible) -> Any? {
    if attribute.isOptional, !isUnique, Int.random(in: 0..<Self.nullEvery, using: &random) == 0 { return nil }
    for attempt in 0..<Self.attempts {
      guard let value = try candidate(attempt, &random) else { break }
      guard attribute.validationPredicates.allSatisfy({ $0.evaluate(with: value) }) else { continue }
      if isUnique {
        guard let key = value as? AnyHashable else { break }
        guard used.insert(key).inserted else { continue }
      }
      return value
    }
    if attribute.isOptional { return nil }
    throw Impossible(
      description: "\(name): no \(isUnique ? "further " : "")value was found that its rules accept; give it fewer "
        + "objects, or wider rules in the copy of the model that you measure")
  }

  /// A value of the type, within the limits; nil where there is none.
  private mutating func candidate(_ attempt: Int, _ random: inout SeededRandom) throws(Impossible) -> Any? {
    if let choices = bounds.choices, !choices.isEmpty {
      return choices[Int.random(in: 0..<choices.count, using: &random)]
    }
    serial += 1
    switch attribute.attributeType {
    case .integer16AttributeType: return NSNumber(value: Int16(integer(Int64(Int16.min)...Int64(Int16.max), &random)))
    case .integer32AttributeType: return NSNumber(value: Int32(integer(Int64(Int32.min)...Int64(Int32.max), &random)))
    case .integer64AttributeType: return NSNumber(value: integer(Int64.min...Int64.max, &random))
    case .doubleAttributeType: return NSNumber(value: real(&random))
    // Rounding could leave the limits; the predicates see to that.
    case .floatAttributeType: return NSNumber(value: Float(real(&random)))
    case .decimalAttributeType: return decimal(&random)
    case .booleanAttributeType: return NSNumber(value: Bool.random(using: &random))
    case .dateAttributeType: return date(&random)
    case .stringAttributeType: return text(attempt, &random)
    case .binaryDataAttributeType: return Data(bytes(&random))
    case .UUIDAttributeType: return uuid(&random)
    case .URIAttributeType: return URL(string: "https://example.org/\(serial)/\(letters(6, &random))")
    case .transformableAttributeType: return NSString(string: "\(serial) \(letters(12, &random))")
    case .compositeAttributeType:
      var value: [String: Any] = [:]
      for var part in parts { value[part.name] = try part.draw(&random) }
      return value
    case .undefinedAttributeType, .objectIDAttributeType: return nil
    }
  }

  // MARK: Numbers

  private func integer(_ type: ClosedRange<Int64>, _ random: inout SeededRandom) -> Int64 {
    let low = bounds.least.map { Self.integer($0.rounded(.up), type) }
    let high = bounds.greatest.map { Self.integer($0.rounded(.down), type) }
    // Near common values; the ends of the type now and then.
    let usual: Int64 = 10_000
    let least =
      low ?? high.map {
        $0.subtractingReportingOverflow(usual).overflow ? type.lowerBound : max(type.lowerBound, $0 - usual)
      } ?? 0
    let most =
      high ?? (least.addingReportingOverflow(usual).overflow ? type.upperBound : min(type.upperBound, least + usual))
    precondition(type.contains(least) && type.contains(most), "an integer is drawn within its type")
    guard least <= most else { return least }
    if isUnique, most.subtractingReportingOverflow(least).overflow || most - least >= Int64(serial) {
      return least + Int64(serial)
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0: return low ?? type.lowerBound
    case 1: return high ?? type.upperBound
    default: return Int64.random(in: least...most, using: &random)
    }
  }

  private static func integer(_ number: Double, _ type: ClosedRange<Int64>) -> Int64 {
    if number <= Double(type.lowerBound) { return type.lowerBound }
    if number >= Double(type.upperBound) { return type.upperBound }
    return Int64(number)
  }

  private func real(_ random: inout SeededRandom) -> Double {
    let usual = 1_000.0
    let least = bounds.least ?? bounds.greatest.map { $0 - usual } ?? -usual
    let most = bounds.greatest ?? least + 2 * usual
    guard least < most else { return least }
    return Double.random(in: least...most, using: &random)
  }

  private func decimal(_ random: inout SeededRandom) -> NSDecimalNumber {
    let cents = (real(&random) * 100).rounded(bounds.greatest == nil ? .up : .down)
    guard let whole = Int64(exactly: cents) else { return NSDecimalNumber(value: real(&random)) }
    return NSDecimalNumber(decimal: Decimal(whole) / 100)
  }

  /// A whole number of seconds within ten years, or within the limits.
  private func date(_ random: inout SeededRandom) -> Date {
    let span = 315_360_000.0
    let least = bounds.least ?? bounds.greatest.map { $0 - span } ?? 599_529_600
    let most = bounds.greatest ?? least + span
    guard least < most else { return Date(timeIntervalSinceReferenceDate: least) }
    let drawn = Double.random(in: least...most, using: &random).rounded()
    return Date(timeIntervalSinceReferenceDate: min(max(drawn, least), most))
  }

  // MARK: Texts and bytes

  /// Texts as people write them, with letters of one to four bytes, alone or combined.
  private static let words = [
    "note", "Straße", "naïve", "東京", "한국어", "Ωμέγα", "привет", "e\u{301}te\u{301}", "🙂", "list", "two words", "O'Hara",
  ]

  private func text(_ attempt: Int, _ random: inout SeededRandom) -> String {
    if let pattern = patterns.first {
      // Longer ones with each attempt, for a text that must be longer or has not been drawn yet.
      return pattern.draw(spread: 2 + attempt / 8, &random)
    }
    let least = bounds.leastLength ?? 0
    let most = bounds.greatestLength ?? max(24, least + 24)
    var text = isUnique ? String(serial, radix: 36) : ""
    let target = Int.random(in: min(max(least, min(1, most)), most)...max(least, most), using: &random)
    // Predicates count UTF-16 units.
    while text.utf16.count < target {
      let word = Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
      if text.utf16.count + word.utf16.count < target {
        text += word + " "
      } else {
        text += letters(target - text.utf16.count, &random)
      }
    }
    return text
  }

  private func letters(_ count: Int, _ random: inout SeededRandom) -> String {
    String(
      String.UnicodeScalarView(
        (0..<count).map { _ in
          Unicode.Scalar(UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z"), using: &random))
        }))
  }

  /// Up to 64 bytes; where large data may lie in files of their own, one value in sixteen is large enough.
  private func bytes(_ random: inout SeededRandom) -> [UInt8] {
    let large = 200_000
    let isLarge = attribute.allowsExternalBinaryDataStorage && Int.random(in: 0..<16, using: &random) == 0
    let count = isLarge ? large : Int.random(in: 0...64, using: &random)
    let length = max(0, min(max(count, bounds.leastLength ?? 0), bounds.greatestLength ?? .max))
    return (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private func uuid(_ random: inout SeededRandom) -> UUID {
    var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return NSUUID(uuidBytes: bytes) as UUID
  }
}
