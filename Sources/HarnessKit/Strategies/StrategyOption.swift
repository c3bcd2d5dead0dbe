/// One option of a strategy: its name, what it may be set to, and what it is when nobody sets it.
public struct StrategyOption: Sendable, Hashable {
  /// snake_case, as written in scenario files and in the CSV's `options` column.
  public let name: String
  /// Everything it may be set to.
  public let values: [String]
  /// Its value when nobody sets it; one of `values`.
  public let defaultValue: String
  /// One sentence for `contextbench list`.
  public let summary: String

  /// Declares an option; its first value is the default.
  public init(_ name: String, _ values: [String], summary: String) {
    precondition(!values.isEmpty, "an option has at least one value")
    self.name = name
    self.values = values
    self.defaultValue = values[0]
    self.summary = summary
  }

  /// Declares a yes-or-no option.
  public static func flag(_ name: String, default value: Bool, summary: String) -> StrategyOption {
    StrategyOption(name, value ? ["true", "false"] : ["false", "true"], summary: summary)
  }

  /// The merge policy of the contexts that save; every strategy has it, and the CSV gives it a column of its own.
  public static let mergePolicy = StrategyOption(
    "merge_policy", ["error", "store-trump", "object-trump", "overwrite", "rollback"],
    summary: "Merge policy of every context that saves.")

  /// Whether writing contexts are reset after each save, so that memory does not grow with the import.
  public static let resetAfterSave = flag(
    "reset_after_save", default: true, summary: "Reset a writing context after each save.")
}
