import ContextTesting
import Foundation
import Races
import Testing

let tablePath = ProcessInfo.processInfo.environment["CONTEXTBENCH_RACES_TABLE"]

/// The table of results/races: CONTEXTBENCH_RACES_TABLE names its file, CONTEXTBENCH_RACES_SEEDS how many seeds it has.
@Suite(.serialized, .enabled(if: tablePath != nil)) struct RacesTable {
  private static let seeds = UInt64(ProcessInfo.processInfo.environment["CONTEXTBENCH_RACES_SEEDS"] ?? "20") ?? 20

  /// The number of the schedule that fails; nil where none of 1,000 does.
  private func schedule(_ race: Race, _ care: Care, seed: UInt64) async throws -> Int? {
    do {
      try await RacesTests.search(race, care, seed: seed, schedules: 1_000)
      return nil
    } catch let order as FailingOrder {
      let number = try #require(order.description.firstMatch(of: #/Order: schedule (\d+) /#))
      return Int(number.1)
    }
  }

  @Test func write() async throws {
    var lines: [String] = []
    for race in RacesTests.races {
      for care in [Care.careless] + (race.hasHidden ? [.hidden] : []) {
        var found: [Int] = []
        for seed in 1...Self.seeds { if let number = try await schedule(race, care, seed: seed) { found.append(number) } }
        found.sort()
        let name = race.name + (care == .hidden ? ", hidden by its mend" : "")
        let middle = found.isEmpty ? "–" : "\(found[found.count / 2])"
        lines.append(
          "| \(name) | \(race.fault ?? "its test fails") | \(found.count) of \(Self.seeds) | \(middle) | "
            + "\(found.last.map(String.init) ?? "–") |")
        #expect(Double(found.count) >= 0.9 * Double(Self.seeds), "\(name)")
      }
    }
    let head = "| race | shown by | seeds that find it | median schedule | last |\n|---|---|--:|--:|--:|\n"
    try (head + lines.joined(separator: "\n") + "\n").write(toFile: tablePath ?? "", atomically: true, encoding: .utf8)
  }
}
