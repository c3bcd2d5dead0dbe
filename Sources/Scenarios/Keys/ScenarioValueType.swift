/// The type of a scenario key's values.
public enum ScenarioValueType: Sendable, Equatable {
  /// A whole number within a range.
  case integer(ClosedRange<Int>)
  /// A number within a range.
  case number(ClosedRange<Double>)
  /// `true` or `false`.
  case boolean
  /// Any text.
  case text
  /// A file; a relative one belongs to the folder of the scenario file, or on the command line to the working directory.
  case path
  /// One of these words.
  case choice([String])
  /// One name out of a list of the vocabulary.
  case name(ScenarioVocabulary.List)
  /// A list of names out of a list of the vocabulary; on the command line separated by commas.
  case names(ScenarioVocabulary.List)
  /// The `options` section: strategy → key → value, or list of values to cross.
  case optionsSection
  /// The `expect` section.
  case expectSection
  /// The `thresholds` section: a list of differences that count.
  case thresholdsSection
  /// The `phases` section: a list of phases with weights and an end.
  case phasesSection
  /// The `quick` section: key → value in `--quick` runs.
  case quickSection

  /// The `careful` section: key → value of the right way beside a mistake.
  case carefulSection

  /// Whether a value is one scalar, so that `quick:` and `options:` may set it.
  var isScalar: Bool {
    switch self {
    case .integer, .number, .boolean, .text, .path, .choice, .name: true
    case .names, .optionsSection, .expectSection, .thresholdsSection, .phasesSection, .quickSection,
      .carefulSection:
      false
    }
  }

  /// Whether `--set` can write a value of this type.
  package var canBeWrittenOnCommandLine: Bool {
    switch self {
    case .optionsSection, .expectSection, .thresholdsSection, .phasesSection, .quickSection, .carefulSection: false
    default: true
    }
  }

  /// The type as `list keys` and messages call it.
  public var title: String {
    switch self {
    case .integer: "whole number"
    case .number: "number"
    case .boolean: "true or false"
    case .text: "text"
    case .path: "path"
    case .choice(let words): "one of " + words.joined(separator: ", ")
    case .name(let list): "name of a \(list.singular)"
    case .names(let list): "list of \(list.singular) names"
    case .optionsSection, .expectSection, .thresholdsSection, .phasesSection, .quickSection,
      .carefulSection:
      "section"
    }
  }

  /// The range as text, empty where there is none.
  public var rangeText: String {
    switch self {
    case .integer(let range):
      range.upperBound == .max ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
    case .number(let range):
      "\(ScenarioValueType.plain(range.lowerBound)) to \(ScenarioValueType.plain(range.upperBound))"
    default: ""
    }
  }

  private static func plain(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }
}
