/// How a strategy is written in an app, and what to watch for.
package struct Arrangement: Sendable {
  /// What it is, in a sentence.
  package let summary: String
  /// A class of Swift that arranges the contexts so; `CellsTests` compiles it.
  package let skeleton: String
  /// What goes wrong with it, each a sentence.
  package let watchFor: [String]

  init(summary: String, skeleton: String, watchFor: [String]) {
    self.summary = summary
    self.skeleton = skeleton
    self.watchFor = watchFor
  }

  /// Whether it needs the concurrency type that Apple has deprecated.
  package var isDeprecated: Bool { skeleton.contains("confinementConcurrencyType") }

  /// The arrangement of a shipped strategy; nil of one of another package.
  package static func of(_ strategy: String) -> Arrangement? { shipped[strategy] }
}
