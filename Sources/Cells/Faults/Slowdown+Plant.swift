import Scenarios
import SQLite

extension Slowdown {
  /// Slows down what a cell's settings say; never the floor, which shares none of this code.
  static func plant(_ settings: ScenarioSettings) {
    func share(_ slowdown: Slowdown) -> Double { settings.values[slowdown.key].flatMap { Double($0) } ?? 0 }
    PlantedSlowdown.plant(sqlite: share(.sqlite), save: share(.stack), merge: share(.merge))
  }
}
