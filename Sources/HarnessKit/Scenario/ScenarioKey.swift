/// One key of scenario files: its only declaration, used by parsing, `--set`, `validate` and `list keys`.
///
/// The shipped keys stand in one list; those of registered strategies and workloads come after them.
public struct ScenarioKey: Sendable {
  /// Name in files and after `--set`; units last.
  public var name: String
  /// What it may hold, with its range.
  public var type: ScenarioValueType
  /// Unit of the value; empty where it has none.
  public var unit: String
  /// Value where a file says nothing, as text; nil = the key is then absent.
  public var defaultValue: String?
  /// Value of `--quick` runs where the file says nothing; nil = the default.
  public var quickValue: String?
  /// Whether a strategy's options may set it, in `options:`.
  public var isOption: Bool
  /// Workloads that use it; empty = all of them.
  public var workloads: [String]
  /// Whether only strategies use it that name it in their ``Strategy/options``, which give its default.
  public var isOfStrategies: Bool
  /// One sentence that says what it does.
  public var documentation: String

  /// Declares a key.
  public init(
    _ name: String, _ type: ScenarioValueType, unit: String = "", default defaultValue: String? = nil,
    quick quickValue: String? = nil, isOption: Bool = false, workloads: [String] = [],
    isOfStrategies: Bool = false, _ documentation: String
  ) {
    self.name = name
    self.type = type
    self.unit = unit
    self.defaultValue = defaultValue
    self.quickValue = quickValue
    self.isOption = isOption
    self.workloads = workloads
    self.isOfStrategies = isOfStrategies
    self.documentation = documentation
  }

  /// Every key, in the order `list keys` shows them.
  public static var all: [ScenarioKey] {
    shipped + StrategyRegistry.all.flatMap { $0.keys } + WorkloadRegistry.all.flatMap { $0.keys }
  }

  /// The key of a name, if it is declared.
  public static func named(_ name: String) -> ScenarioKey? { all.first { $0.name == name } }

  /// Strategies that use it; empty = all of them.
  public var strategies: [String] {
    isOfStrategies ? StrategyRegistry.all.filter { $0.options[name] != nil }.map { $0.name } : []
  }

  /// Workloads that use it, those that share another's key included; empty = all of them.
  public var usingWorkloads: [String] {
    workloads.isEmpty
      ? [] : workloads + WorkloadRegistry.all.filter { $0.sharedKeys.contains(name) }.map { $0.name }
  }

  /// Whether a workload reads this key.
  func isUsed(byWorkload workload: String) -> Bool {
    workloads.isEmpty || workloads.contains(workload)
      || WorkloadRegistry.workload(named: workload)?.sharedKeys.contains(name) ?? false
  }

  /// Whether a strategy reads this key, or the workload on its behalf.
  func isUsed(byStrategy strategy: String) -> Bool {
    !isOfStrategies || StrategyRegistry.strategy(named: strategy)?.options[name] != nil
  }
}
