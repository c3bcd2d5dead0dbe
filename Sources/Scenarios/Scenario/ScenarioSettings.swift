/// The resolved values of a scenario's scalar keys, read by the names of their declarations.
///
/// Values were validated when the scenario was parsed, so a wrong name or type is a mistake in the caller and traps.
public struct ScenarioSettings: Sendable, Hashable, Codable {
  /// Canonical text by key; keys without value are absent.
  public var values: [String: String]

  /// Wraps values that were validated.
  public init(_ values: [String: String]) { self.values = values }

  /// The values by key, and nothing around them.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([String: String].self))
  }

  /// Writes what ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }

  /// A whole number.
  public func integer(_ key: String) -> Int {
    guard let value = optionalInteger(key) else { preconditionFailure("scenario key \(key) has a value") }
    return value
  }

  /// A whole number, nil where the key is absent.
  public func optionalInteger(_ key: String) -> Int? {
    values[key].map { text in
      guard let value = Int(text) else { preconditionFailure("scenario key \(key) is a whole number") }
      return value
    }
  }

  /// A number.
  public func number(_ key: String) -> Double {
    guard let value = optionalNumber(key) else { preconditionFailure("scenario key \(key) has a value") }
    return value
  }

  /// A number, nil where the key is absent.
  public func optionalNumber(_ key: String) -> Double? {
    values[key].map { text in
      guard let value = Double(text) else { preconditionFailure("scenario key \(key) is a number") }
      return value
    }
  }

  /// `true` or `false`.
  public func boolean(_ key: String) -> Bool { text(key) == "true" }

  /// Text or a name.
  public func text(_ key: String) -> String {
    guard let value = values[key] else { preconditionFailure("scenario key \(key) has a value") }
    return value
  }
}
