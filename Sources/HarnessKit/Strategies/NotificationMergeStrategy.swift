/// Main context and private worker contexts, one an operation, share a coordinator; each worker's save is merged into
/// main on the main queue.
package final class NotificationMergeStrategy: Strategy {
  package static let name = "notification-merge"
  package static let summary = "One private context an operation beside main; each save is merged into main."
  package static let options: [StrategyOption] = [
    .mergePolicy,
    StrategyOption(
      "merge", ["async", "sync", "none"],
      summary: "How a save reaches main: enqueued, waited for by the worker, or not at all (a mistake to catch)."),
    .resetAfterSave,
  ]
}
