import Checking

/// The names a scenario file may use: what this executable has registered.
public struct ScenarioVocabulary: Sendable {
  /// One list of names.
  public enum List: String, Sendable, CaseIterable {
    /// Registered strategies.
    case strategies
    /// Registered workloads.
    case workloads
    /// Checks that can be asked for.
    case checks

    /// The word for one entry.
    var singular: String {
      switch self {
      case .strategies: "strategy"
      case .workloads: "workload"
      case .checks: "check"
      }
    }
  }

  /// Names by list, in the order they are shown.
  private var names: [List: [String]]
  /// Options by strategy name.
  private var options: [String: [StrategyOption]]

  /// Makes a vocabulary.
  public init(
    strategies: [String], options: [String: [StrategyOption]] = [:], workloads: [String], checks: [String]
  ) {
    names = [.strategies: strategies, .workloads: workloads, .checks: checks]
    self.options = options
  }

  /// What is registered in this executable.
  public static var registered: ScenarioVocabulary {
    let strategies = StrategyRegistry.all
    return ScenarioVocabulary(
      strategies: strategies.map { $0.name },
      options: Dictionary(uniqueKeysWithValues: strategies.map { ($0.name, $0.options) }),
      workloads: WorkloadRegistry.all.map { $0.name }, checks: checkNames)
  }

  private static let checkNames = [
    "confinement", "faults", "deadlock", "lost-record", "duplicate-record", "orphan-record", "unpersisted-save",
    "stale-read", "main-thread-stall", "failed-save", "overlap",
  ]

  /// The names of a list.
  public subscript(list: List) -> [String] { names[list] ?? [] }

  /// Everything that `options:` may set for a strategy: keys that are options, and the strategy's own.
  func optionKeys(of strategy: String) -> [ScenarioKey] {
    let shared = ScenarioKey.all.filter(\.isOption)
    let own = (options[strategy] ?? []).filter { option in !shared.contains { $0.name == option.name } }
    return shared
      + own.map { option in
        ScenarioKey(option.name, .choice(option.values), default: option.defaultValue, isOption: true, option.summary)
      }
  }

  /// Names of the violation kinds, for `expect`.
  var violationKinds: [String] { ViolationKind.allCases.map(\.rawValue) }
}
