import Cells
import CoreData

/// Drawn bounds of attributes of every type that has an order, with values at them and one beside.
struct BoundsModel {
  /// An attribute with its values in ascending order.
  struct Ladder {
    let key: String
    let type: NSAttributeType
    let isMandatory: Bool
    let rules: [NSPredicate]
    let steps: [Any]
    /// The error that refuses each of the steps.
    let codes: [Int?]

    /// The error of a step, or of none.
    func code(_ step: Int?) -> Int? {
      step.map { codes[$0] } ?? (isMandatory ? NSValidationMissingMandatoryPropertyError : nil)
    }
  }

  let ladders: [Ladder]
  let model: NSManagedObjectModel
  /// Of integers of which sums are exact.
  static let summed = ["short", "middle"]

  init(_ trial: RuleTrial) {
    ladders =
      [
        Self.whole("short", .integer16AttributeType, Int64(Int16.min), Int64(Int16.max), trial),
        Self.whole("middle", .integer32AttributeType, Int64(Int32.min), Int64(Int32.max), trial),
        Self.whole("long", .integer64AttributeType, .min, .max, trial), Self.doubles(trial), Self.floats(trial),
        Self.dates(trial), Self.decimals(trial), Self.texts(trial),
      ]
    let (thing, owner) = (ModelParts.entity("Thing"), ModelParts.entity("Owner"))
    for ladder in ladders {
      precondition(ladder.steps.count == ladder.codes.count, "each value is allowed or refused")
      let attribute = ModelParts.attribute(ladder.key, ladder.type, isOptional: !ladder.isMandatory)
      attribute.setValidationPredicates(ladder.rules, withValidationWarnings: nil)
      thing.properties.append(attribute)
    }
    thing.properties.append(ModelParts.attribute("free", .stringAttributeType, isOptional: true))
    ModelParts.connect(
      ModelParts.many("things", thing, .nullifyDeleteRule), of: owner, ModelParts.one("owner", owner), of: thing)
    model = NSManagedObjectModel()
    model.entities = [thing, owner]
  }

  // MARK: Ladders

  /// The values below, at and above two bounds; a rule for each bound, or one for both.
  private static func ladder(
    _ key: String, _ type: NSAttributeType, _ bounds: (Any, Any), _ steps: [(value: Any, side: Int)],
    _ trial: RuleTrial,
    _ codes: (low: Int, high: Int) = (NSValidationNumberTooSmallError, NSValidationNumberTooLargeError)
  ) -> Ladder {
    let rules =
      trial.chance(1, of: 3)
      ? [NSPredicate(format: "SELF BETWEEN %@", argumentArray: [[bounds.0, bounds.1]])]
      : [
        NSPredicate(format: "SELF >= %@", argumentArray: [bounds.0]),
        NSPredicate(format: "SELF <= %@", argumentArray: [bounds.1]),
      ]
    trial.note("\(key): from \(bounds.0) to \(bounds.1), \(rules.count) rules")
    return Ladder(
      key: key, type: type, isMandatory: trial.chance(1, of: 3), rules: rules, steps: steps.map(\.value),
      codes: steps.map { $0.side == 0 ? nil : $0.side < 0 ? codes.low : codes.high })
  }

  private static func whole(
    _ key: String, _ type: NSAttributeType, _ least: Int64, _ most: Int64, _ trial: RuleTrial
  ) -> Ladder {
    let (low, high) =
      trial.pick([
        (least, most), (least, least + 1), (most - 1, most), (-1, 1), (0, 255), (least + 1, most - 1), (-129, 127),
        (1, 32_766),
      ]) ?? (-1, 1)
    precondition(low < high, "there are two bounds")
    var steps: [(value: Any, side: Int)] = [(NSNumber(value: low), 0), (NSNumber(value: high), 0)]
    if low > .min { steps.insert((NSNumber(value: low - 1), -1), at: 0) }
    if high < .max { steps.append((NSNumber(value: high + 1), 1)) }
    return ladder(key, type, (NSNumber(value: low), NSNumber(value: high)), steps, trial)
  }

  private static func doubles(_ trial: RuleTrial) -> Ladder {
    let bounds: [(Double, Double)] = [
      (-0.5, 1.5), (0.1, 0.3), (1e300, .greatestFiniteMagnitude), (-1e-300, 1e-300), (9_007_199_254_740_991, 1e16),
    ]
    let (low, high) = trial.pick(bounds) ?? (0.1, 0.3)
    let steps = [(low.nextDown, -1), (low, 0), (high, 0), (high.nextUp, 1)].filter { $0.0.isFinite }
    return ladder(
      "double", .doubleAttributeType, (NSNumber(value: low), NSNumber(value: high)),
      steps.map { (NSNumber(value: $0.0), $0.1) }, trial)
  }

  private static func floats(_ trial: RuleTrial) -> Ladder {
    let (low, high): (Float, Float) =
      trial.pick([(-0.5, 1.5), (0.1, 0.3), (1e30, 2e30), (16_777_215, 16_777_216)]) ?? (0.1, 0.3)
    return ladder(
      "float", .floatAttributeType, (NSNumber(value: Double(low)), NSNumber(value: Double(high))),
      [(low.nextDown, -1), (low, 0), (high, 0), (high.nextUp, 1)].map { (NSNumber(value: $0.0), $0.1) }, trial)
  }

  private static func dates(_ trial: RuleTrial) -> Ladder {
    let (low, high) = trial.pick([(1_000.0, 2_000.0), (0, 0.5), (-6e9, 6e9), (-0.25, 0.25)]) ?? (0, 0.5)
    func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
    return ladder(
      "date", .dateAttributeType, (date(low), date(high)),
      [(low - 0.001, -1), (low, 0), (high, 0), (high + 0.001, 1)].map { (date($0.0), $0.1) }, trial,
      (NSValidationDateTooSoonError, NSValidationDateTooLateError))
  }

  /// Of at most 15 digits, which a file keeps.
  private static func decimals(_ trial: RuleTrial) -> Ladder {
    let rows = [
      ["0.99999999999999", "1", "2", "2.00000000000001"],
      ["-0.000010000000001", "-0.00001", "0.00001", "0.000010000000001"],
      ["99999999999.998", "99999999999.999", "123456789012.345", "123456789012.346"],
      ["-1000000000000001", "-1000000000000000", "999999999999999", "1000000000000000"],
    ]
    let row = (trial.pick(rows) ?? rows[0]).map { NSDecimalNumber(string: $0) }
    return ladder(
      "decimal", .decimalAttributeType, (row[1], row[2]), zip(row, [-1, 0, 0, 1]).map { ($0, $1) }, trial)
  }

  // MARK: Texts

  /// Parts of texts of one to eight units.
  static let pieces = [
    "a", "b", "\u{e9}", "e\u{301}", "\u{1F600}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{1D11E}", "\u{df}",
    "\u{4E2D}", " ", "\u{301}",
  ]

  /// A text of so many UTF-16 units.
  static func text(_ units: Int, _ trial: RuleTrial) -> String {
    precondition(units >= 0, "a text has no fewer than no units")
    var text = ""
    while text.utf16.count < units {
      let piece = trial.pick(pieces) ?? "a"
      text += text.utf16.count + piece.utf16.count <= units ? piece : "a"
    }
    return text
  }

  /// By their lengths: a step is a text of so many units.
  private static func texts(_ trial: RuleTrial) -> Ladder {
    let (low, high) = trial.pick([(1, 2), (2, 5), (7, 12), (255, 256)]) ?? (2, 5)
    let lengths = [low - 1, low, high, high + 1]
    trial.note("text: from \(low) to \(high) units")
    return Ladder(
      key: "text", type: .stringAttributeType, isMandatory: trial.chance(1, of: 3),
      rules: [
        NSPredicate(format: "length >= %@", argumentArray: [low]),
        NSPredicate(format: "length <= %@", argumentArray: [high]),
      ],
      steps: lengths.map { text($0, trial) },
      codes: [NSValidationStringTooShortError, nil, nil, NSValidationStringTooLongError])
  }
}
