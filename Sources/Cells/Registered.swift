import Scenarios

extension ScenarioVocabulary {
  /// The strategies and workloads registered in this executable, as values: enough to read, plan and judge.
  package static var registered: ScenarioVocabulary {
    ScenarioVocabulary(
      strategies: StrategyRegistry.all.map { $0.description }, workloads: WorkloadRegistry.all.map { $0.description })
  }
}

extension Strategy {
  fileprivate static var description: StrategyDescription {
    StrategyDescription(
      name: name, summary: summary, options: options, keys: keys, deliversSaves: { deliversSaves($0) })
  }
}

extension Workload {
  fileprivate static var description: WorkloadDescription {
    WorkloadDescription(
      name: name, summary: summary, keys: keys, sharedKeys: sharedKeys, operations: operations,
      layout: { try schema(for: $0).layout })
  }
}
