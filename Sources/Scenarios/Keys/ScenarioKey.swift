/// One key of scenario files: its only declaration, used by parsing, `--set`, `validate` and `list keys`.
///
/// The shipped keys are in one list; those of registered strategies and workloads come after them.
public struct ScenarioKey: Sendable {
  /// Name in files and after `--set`; units last.
  public var name: String
  /// The type of its values, with their range.
  public var type: ScenarioValueType
  /// Unit of the value; empty where it has none.
  public var unit: String
  /// Value where a file says nothing, as text; nil = the key is then absent.
  public var defaultValue: String?
  /// Value of `--quick` runs where the file says nothing; nil = the default.
  public var quickValue: String?
  /// Whether a strategy's options may set it, in `options:`.
  public var isOption: Bool
  /// Whether only strategies use it that name it in their ``Strategy/options``, which give its default.
  public var isOfStrategies: Bool
  /// Whether a file has to name it if its workload reads it; of paths only.
  package var isRequired = false
  /// One sentence about its effect.
  public var documentation: String

  /// Declares a key.
  public init(
    _ name: String, _ type: ScenarioValueType, unit: String = "", default defaultValue: String? = nil,
    quick quickValue: String? = nil, isOption: Bool = false,
    isOfStrategies: Bool = false, _ documentation: String
  ) {
    precondition(!name.isEmpty && !name.contains("="), "a key's name can be written before an equals sign: \(name)")
    let values = [defaultValue, quickValue].compactMap(\.self)
    switch type {
    case .choice(let words): precondition(values.allSatisfy(words.contains), "\(name) has its defaults among its words")
    case .integer(let range):
      let numbers = values.compactMap { Int($0) }.filter(range.contains)
      precondition(numbers.count == values.count, "the defaults of \(name) are whole numbers in its range")
    case .number(let range):
      let numbers = values.compactMap { Double($0) }.filter(range.contains)
      precondition(numbers.count == values.count, "the defaults of \(name) are numbers in its range")
    case .boolean: precondition(values.allSatisfy { Bool($0) != nil }, "the defaults of \(name) are true or false")
    default: precondition(type.isScalar || values.isEmpty, "a section has no value where a file says nothing: \(name)")
    }
    self.name = name
    self.type = type
    self.unit = unit
    self.defaultValue = defaultValue
    self.quickValue = quickValue
    self.isOption = isOption
    self.isOfStrategies = isOfStrategies
    self.documentation = documentation
  }

  /// Its possible values and its default: `whole number, 1 to 64 workers; default 4`.
  package var valueText: String {
    var text = type.title + (type.rangeText.isEmpty ? "" : ", " + type.rangeText) + (unit.isEmpty ? "" : " " + unit)
    if let defaultValue { text += "; default " + defaultValue }
    if let quickValue { text += "; quick " + quickValue }
    return text
  }
}
