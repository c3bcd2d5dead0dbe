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

  /// Makes a vocabulary.
  public init(strategies: [String], workloads: [String], checks: [String]) {
    names = [.strategies: strategies, .workloads: workloads, .checks: checks]
  }

  /// What is registered in this executable.
  public static var registered: ScenarioVocabulary {
    ScenarioVocabulary(
      strategies: StrategyRegistry.all.map { $0.name }, workloads: WorkloadRegistry.all.map { $0.name },
      checks: CheckerCatalogue.names)
  }

  /// The names of a list.
  public subscript(list: List) -> [String] { names[list] ?? [] }

  /// Names of the violation kinds, for `expect`.
  var violationKinds: [String] { ViolationKind.allCases.map(\.rawValue) }

  /// The violation kinds with their meanings, for `list violations`.
  package static let violationMeanings = ViolationKind.allCases.map { (name: $0.rawValue, meaning: $0.meaning) }
}
