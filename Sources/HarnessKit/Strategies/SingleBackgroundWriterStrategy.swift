/// One long-lived background context does all writing, one block at a time; main only reads and merges automatically.
package final class SingleBackgroundWriterStrategy: Strategy {
  package static let name = "single-background-writer"
  package static let summary = "One background context does all writing; main only reads and merges automatically."
  package static let options: [StrategyOption] = [.mergePolicy, .resetAfterSave]
}
