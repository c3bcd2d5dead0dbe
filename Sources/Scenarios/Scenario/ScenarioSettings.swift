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

  /// Writes what ``init(from:)`` reads.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }

  /// A whole number.
  @available(*, deprecated, message: "declare a Setting, and read settings[setting]: no name can be wrong there")
  public func integer(_ key: String) -> Int {
    guard let value = optionalInteger(key) else { preconditionFailure("scenario key \(key) has a value") }
    return value
  }

  /// A whole number, nil where the key is absent.
  @available(*, deprecated, message: "declare a Setting, and read settings[setting]: no name can be wrong there")
  public func optionalInteger(_ key: String) -> Int? {
    values[key].map { text in
      guard let value = Int(text) else { preconditionFailure("scenario key \(key) is a whole number") }
      return value
    }
  }

  /// A number.
  @available(*, deprecated, message: "declare a Setting, and read settings[setting]: no name can be wrong there")
  public func number(_ key: String) -> Double {
    guard let value = optionalNumber(key) else { preconditionFailure("scenario key \(key) has a value") }
    return value
  }

  /// A number, nil where the key is absent.
  @available(*, deprecated, message: "declare a Setting, and read settings[setting]: no name can be wrong there")
  public func optionalNumber(_ key: String) -> Double? {
    values[key].map { text in
      guard let value = Double(text) else { preconditionFailure("scenario key \(key) is a number") }
      return value
    }
  }

  /// `true` or `false`.
  @available(*, deprecated, message: "declare a Setting, and read settings[setting]: no name can be wrong there")
  public func boolean(_ key: String) -> Bool { text(key) == "true" }

  /// Text or a name.
  @available(*, deprecated, message: "declare a Setting, and read settings[setting]: no name can be wrong there")
  public func text(_ key: String) -> String {
    guard let value = values[key] else { preconditionFailure("scenario key \(key) has a value") }
    return value
  }
}
