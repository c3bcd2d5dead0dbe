import CProcess
import SQLite
import Scenarios

extension Slowdown {
  /// Makes commits of this process longer, as its cell's settings say.
  ///
  /// - Precondition: the process has no connection to a store yet, and one thread.
  static func plant(_ settings: ScenarioSettings) {
    guard let steps = settings.values[key].flatMap({ Int($0) }), steps > 0 else { return }
    CommitWatch.begin { rows in cprocess_work(rows * steps) }
  }
}
