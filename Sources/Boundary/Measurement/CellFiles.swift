import Measuring

/// Names of the files in a cell's folder that its process writes and its run reads.
package enum CellFiles {
  /// The store, unless the measurement names another one.
  package static let store = "store.sqlite"
  /// The stacks of all threads, from a process at its deadline.
  package static let stacks = "stacks.txt"
  /// The order of its steps, where that was asked for; see ``NotedOrder``.
  package static let order = "order.txt"
  /// All latencies.
  package static let latencies = "latencies." + HistogramLog.fileExtension
}
