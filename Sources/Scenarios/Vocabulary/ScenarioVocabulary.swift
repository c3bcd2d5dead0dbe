import Checking

/// The names that a scenario file may use: the strategies, workloads and checks of this executable, and the keys they read.
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

  /// The strategies, in the order they are shown.
  package let strategies: [StrategyDescription]
  /// The workloads, in the order they are shown.
  package let workloads: [WorkloadDescription]
  /// Names of the checks.
  private let checks: [String]
  /// Every key, in the order `list keys` shows them: those of every scenario, then those of strategies and workloads.
  package let keys: [ScenarioKey]
  /// Names of those that belong to no workload.
  private let everywhere: Set<String>

  /// Makes a vocabulary.
  package init(
    strategies: [StrategyDescription], workloads: [WorkloadDescription], checks: [String] = CheckerCatalogue.names
  ) {
    precondition(
      Set(strategies.map(\.name)).count == strategies.count && Set(workloads.map(\.name)).count == workloads.count,
      "a strategy's name is its own, and a workload's as well")
    self.strategies = strategies
    self.workloads = workloads
    self.checks = checks
    var names: Set<String> = []
    let declared = ScenarioKey.shipped + strategies.flatMap(\.keys) + workloads.flatMap(\.keys)
    keys = declared.filter { names.insert($0.name).inserted }
    let types = Dictionary(keys.map { ($0.name, $0.type) }) { first, _ in first }
    precondition(declared.allSatisfy { types[$0.name] == $0.type }, "a key that several declare has one type")
    let own = strategies.map(\.name) + workloads.map(\.name)
    precondition(own.allSatisfy { !$0.isEmpty && !$0.contains(",") }, "names can be listed with commas between them")
    everywhere = Set((ScenarioKey.shipped + strategies.flatMap(\.keys)).map(\.name))
  }

  /// The names of a list.
  package subscript(list: List) -> [String] {
    switch list {
    case .strategies: strategies.map(\.name)
    case .workloads: workloads.map(\.name)
    case .checks: checks
    }
  }

  /// The strategy of that name, if there is one.
  package func strategy(named name: String) -> StrategyDescription? { strategies.first { $0.name == name } }

  /// The workload of that name, if there is one.
  package func workload(named name: String) -> WorkloadDescription? { workloads.first { $0.name == name } }

  /// The key of a name, if it is declared.
  package func key(named name: String) -> ScenarioKey? { keys.first { $0.name == name } }

  /// Strategies that use a key; empty = all of them.
  package func strategies(using key: ScenarioKey) -> [String] {
    key.isOfStrategies ? strategies.filter { $0.options[key.name] != nil }.map(\.name) : []
  }

  /// Workloads that use a key; empty = all of them.
  package func workloads(using key: ScenarioKey) -> [String] {
    everywhere.contains(key.name) ? [] : workloads.filter { $0.reads(key.name) }.map(\.name)
  }

  /// Whether a workload reads a key.
  func isUsed(_ key: ScenarioKey, byWorkload name: String) -> Bool {
    everywhere.contains(key.name) || workload(named: name)?.reads(key.name) ?? false
  }

  /// Whether a strategy reads a key, or the workload on its behalf.
  func isUsed(_ key: ScenarioKey, byStrategy name: String) -> Bool {
    !key.isOfStrategies || strategy(named: name)?.options[key.name] != nil
  }

  /// Names of the violation kinds, for `expect`.
  var violationKinds: [String] { ViolationKind.allCases.map(\.rawValue) }

  /// The violation kinds with their meanings, for `list violations`.
  package static let violationMeanings = ViolationKind.allCases.map { (name: $0.rawValue, meaning: $0.meaning) }

  /// The faults with the keys that ask for them, the violations they may cause and their effects, for `list faults`.
  package static let faults = InjectedFault.allCases.map { fault in
    (
      name: fault.rawValue, key: fault.rateKey, mayCause: fault.mayAlwaysCause.map(\.rawValue).sorted(),
      meaning: fault.meaning
    )
  }
}

/// The part of a strategy that other targets need, without its code.
package struct StrategyDescription: Sendable {
  /// Name on the command line, in scenario files and in the CSV.
  package let name: String
  /// One sentence for `contextbench list`.
  package let summary: String
  /// The options it reads besides those of every strategy, each with its default.
  package let options: [String: String]
  /// Keys of scenario files that only this strategy declares.
  package let keys: [ScenarioKey]
  /// Whether saves are handed on from one context to another in a cell of these settings.
  package let deliversSaves: @Sendable (ScenarioSettings) -> Bool

  /// Makes a description; without more than a name it is of a strategy that has nothing of its own.
  package init(
    name: String, summary: String = "", options: [String: String] = [:], keys: [ScenarioKey] = [],
    deliversSaves: @escaping @Sendable (ScenarioSettings) -> Bool = { _ in true }
  ) {
    self.name = name
    self.summary = summary
    self.options = options
    self.keys = keys
    self.deliversSaves = deliversSaves
  }
}

/// The part of a workload that other targets need, without its code.
package struct WorkloadDescription: Sendable {
  /// Name in scenario files, under the key `workload`.
  package let name: String
  /// One sentence for `contextbench list`.
  package let summary: String
  /// Keys of scenario files that it reads besides those of every scenario.
  package let keys: [ScenarioKey]
  /// Names of more of them, which other workloads declare.
  package let sharedKeys: [String]
  /// Operations that `phases` of a scenario may name.
  package let operations: [String]
  /// Where checkers find its rows in the file of a cell of these settings; throws the problem of the settings.
  package let layout: @Sendable (ScenarioSettings) throws -> StoreLayout

  /// Makes a description; without more than a name it is of a workload that works on the notebook.
  package init(
    name: String, summary: String = "", keys: [ScenarioKey] = [], sharedKeys: [String] = [], operations: [String] = [],
    layout: @escaping @Sendable (ScenarioSettings) throws -> StoreLayout = { _ in .notebook }
  ) {
    precondition(Set(operations).count == operations.count, "phases of \(name) name each operation once")
    self.name = name
    self.summary = summary
    self.keys = keys
    self.sharedKeys = sharedKeys
    self.operations = operations
    self.layout = layout
  }

  /// Whether it reads the key of that name.
  package func reads(_ key: String) -> Bool { sharedKeys.contains(key) || keys.contains { $0.name == key } }
}
