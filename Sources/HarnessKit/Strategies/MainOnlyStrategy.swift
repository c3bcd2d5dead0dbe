/// Everything on the main context: the baseline that freezes.
package final class MainOnlyStrategy: Strategy {
  package static let name = "main-only"
  package static let summary = "Everything on the main context: the baseline that freezes."
  package static let options: [StrategyOption] = [.mergePolicy]
}
