/// Workers are children of the main context; main saves to the store after each child's save.
package final class ParentChildStrategy: Strategy {
  package static let name = "parent-child"
  package static let summary = "Workers are children of main; main saves to the store after each child's save."
  package static let options: [StrategyOption] = [
    .mergePolicy,
    StrategyOption(
      "root_save", ["each", "never"],
      summary: "When main saves: after each child's save, or never (a mistake to catch)."),
    .resetAfterSave,
  ]
}
