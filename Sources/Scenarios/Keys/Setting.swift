/// A key of scenario files together with the type of its values: declared once, and read by no name that could be wrong.
///
/// ```swift
/// extension Keys {
///   static let books = Setting("books", 1...100_000, unit: "objects", default: 1000, quick: 100, "Books in the store.")
/// }
/// let books = session.settings[Keys.books]
/// ```
public struct Setting<Value: Sendable>: Sendable {
  /// Its declaration, for ``ScenarioKey`` lists of workloads and strategies.
  public let key: ScenarioKey
  /// The value where a cell has none.
  let fallback: Value
  /// The value of a canonical text.
  let read: @Sendable (String) -> Value?
}

/// The settings, by name: those that every scenario or several workloads have, and in extensions those of one.
public enum Keys {}

extension ScenarioSettings {
  /// The value of a setting, its default where a cell has none.
  public subscript<Value>(setting: Setting<Value>) -> Value {
    guard let text = values[setting.key.name] else { return setting.fallback }
    guard let value = setting.read(text) else {
      preconditionFailure("\(setting.key.name) was validated when the scenario was read; it is \(text)")
    }
    return value
  }
}

extension Setting<Int> {
  /// A whole number.
  public init(
    _ name: String, _ range: ClosedRange<Int>, unit: String = "", default value: Int, quick: Int? = nil,
    isOption: Bool = false, _ documentation: String
  ) {
    key = ScenarioKey(
      name, .integer(range), unit: unit, default: String(value), quick: quick.map { String($0) }, isOption: isOption,
      documentation)
    fallback = value
    read = { Int($0) }
  }
}

extension Setting<Int?> {
  /// A whole number that may be absent.
  public init(
    _ name: String, _ range: ClosedRange<Int>, unit: String = "", isOption: Bool = false, _ documentation: String
  ) {
    key = ScenarioKey(name, .integer(range), unit: unit, isOption: isOption, documentation)
    fallback = nil
    read = { Int($0) }
  }
}

extension Setting<Double> {
  /// A number.
  public init(
    _ name: String, _ range: ClosedRange<Double>, unit: String = "", default value: String, quick: String? = nil,
    isOption: Bool = false, _ documentation: String
  ) {
    guard let number = Double(value) else { preconditionFailure("the default of \(name) is a number") }
    key = ScenarioKey(
      name, .number(range), unit: unit, default: value, quick: quick, isOption: isOption, documentation)
    fallback = number
    read = { Double($0) }
  }
}

extension Setting<Double?> {
  /// A number that may be absent.
  public init(
    _ name: String, _ range: ClosedRange<Double>, unit: String = "", isOption: Bool = false, _ documentation: String
  ) {
    key = ScenarioKey(name, .number(range), unit: unit, isOption: isOption, documentation)
    fallback = nil
    read = { Double($0) }
  }
}

extension Setting<Bool> {
  /// `true` or `false`.
  ///
  /// - Parameter isOfStrategies: whether only strategies use it that name it in their options, which give its default.
  public init(
    _ name: String, default value: Bool, isOption: Bool = false, isOfStrategies: Bool = false, _ documentation: String
  ) {
    key = ScenarioKey(
      name, .boolean, default: isOfStrategies ? nil : String(value), isOption: isOption, isOfStrategies: isOfStrategies,
      documentation)
    fallback = value
    read = { Bool($0) }
  }
}

extension Setting where Value: RawRepresentable<String> & CaseIterable {
  /// One of the type's words.
  ///
  /// - Parameter isOfStrategies: whether only strategies use it that name it in their options, which give its default.
  public init(
    _ name: String, default value: Value, isOption: Bool = false, isOfStrategies: Bool = false,
    _ documentation: String
  ) {
    key = ScenarioKey(
      name, .choice(Value.allCases.map(\.rawValue)), default: isOfStrategies ? nil : value.rawValue, isOption: isOption,
      isOfStrategies: isOfStrategies, documentation)
    fallback = value
    read = { Value(rawValue: $0) }
  }
}

extension Setting<String> {
  /// Anything that is text; empty where there is none.
  ///
  /// - Parameter isRequired: whether a file has to name it if its workload reads it; of paths only.
  package init(
    _ name: String, _ type: ScenarioValueType, default value: String? = nil, isRequired: Bool = false,
    _ documentation: String
  ) {
    precondition(!isRequired || type == .path, "\(name) is a path, if it has to be named")
    var key = ScenarioKey(name, type, default: value, documentation)
    key.isRequired = isRequired
    self.key = key
    fallback = value ?? ""
    read = { $0 }
  }
}
