import Checking

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
  /// Where checkers find its rows in the file of a cell of these settings; throws what is wrong with the settings.
  package let layout: @Sendable (ScenarioSettings) throws -> StoreLayout

  /// Makes a description; without more than a name it is of a workload that works on the notebook.
  package init(
    name: String, summary: String = "", keys: [ScenarioKey] = [], sharedKeys: [String] = [], operations: [String] = [],
    layout: @escaping @Sendable (ScenarioSettings) throws -> StoreLayout = { _ in .notebook }
  ) {
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
