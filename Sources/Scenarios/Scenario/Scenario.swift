import Checking
import Reporting

/// A scenario file that was read and found right.
public struct Scenario: Sendable {
  /// A strategy with one set of its options.
  public struct Variant: Sendable, Hashable {
    /// Strategy name.
    public var strategy: String
    /// Every option key with its value, those of the file's `options:` over the scenario's own.
    public var options: [String: String]
  }

  /// The file's stem; names the scenario in every output.
  public var name: String
  /// The file, as it was given.
  public var path: String
  /// Every scalar key with its value.
  public var settings: ScenarioSettings
  /// Strategies in the file's order.
  public var strategies: [String]
  /// Strategies crossed with their options.
  public var variants: [Variant]
  /// Names of the checks that are made.
  public var checks: [String]
  /// The expectations for every strategy.
  public var expectation: ScenarioExpectation
  /// Further expectations for single strategies.
  public var expectationByStrategy: [String: ScenarioExpectation]

  /// The differences from a baseline that count, where the file says so.
  package var thresholds: [Threshold]

  /// Whether the file names its checks, so that each must have something to check.
  package var checksAreNamed = true

  /// Whether each cell runs beside one of another executable, with which it is compared.
  package var isBeside = false

  /// The cells of a pair that each strategy has in a repetition; one that is nil where there are no pairs.
  package var arms: [Arm?] {
    if isBeside { return [.base, .head] }
    return settings.values["aa"] == "true" ? [.a, .b] : [nil]
  }

  /// The expectations for a strategy.
  public func expectation(for strategy: String) -> ScenarioExpectation {
    expectationByStrategy[strategy].map(expectation.adding) ?? expectation
  }

  /// The settings of one variant's cells.
  package func settings(for variant: Variant) -> ScenarioSettings {
    ScenarioSettings(settings.values.merging(variant.options) { _, option in option })
  }
}

/// The resolved values of a scenario's scalar keys, read by their ``Setting``s: `settings[Keys.clients]`.
public struct ScenarioSettings: Sendable, Hashable, Codable {
  /// Canonical text by key; keys without value are absent.
  public var values: [String: String]

  /// Wraps values that were validated.
  public init(_ values: [String: String]) { self.values = values }

  /// The values by key, and nothing around them.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([String: String].self))
  }

  /// Writes the form that ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }
}
