import Runs
import Scenarios

/// The options of an exploration.
package struct ExploreOptions: Sendable {
  /// Most schedules of a cell, and most steps of a schedule.
  package static let countMax = 1_000_000_000

  /// Schedules of each cell, in all shards together.
  package var schedules = 1_000
  /// Wall time of all cells together; nil = as long as it takes.
  package var seconds: Double?
  /// The policy's name, or the portfolio's.
  package var policy = "portfolio"
  /// Preemptions of an exhaustive search; nil for other searches.
  package var preemptions: Int?
  /// Whether every order is tried but those that only exchange neighbouring steps on different resources.
  package var isReduced = false
  package var seed: UInt64 = 1
  /// Children at a time.
  package var jobs = 1
  /// The part that is explored; nil = all.
  package var shard: Shard?
  /// Whether a cell is explored to its end whatever was found.
  package var findsAll = false
  /// Steps after which a schedule counts as a livelock.
  package var stepsMax = 200_000
  /// Wall time for making each finding smaller; 0 = it stays as it is.
  package var shrinkSeconds = 20.0

  package init() {}
}
