import Cells
import Checking
import Foundation
import Measuring
import Reporting
import Testing

@testable import Runs

struct RecommendationTests {
  /// Conclusions of some repetitions: seconds on main, seconds until visible.
  private func conclusions(
    _ strategies: KeyValuePairs<String, (main: Double, finish: Double)>, repetitions: Int = 5
  ) -> [Conclusion] {
    let cells = (0..<repetitions).flatMap { repetition in
      strategies.enumerated().map { place, entry in
        let key = CellKey(
          run: "r", cell: repetition * strategies.count + place, scenario: "import", strategy: entry.key, options: "",
          mergePolicy: "error", seed: UInt64(repetition), repetition: repetition)
        var row = CellRow(key: key, verdict: .held)
        let jitter = 1 + 0.002 * Double((repetition * 3 + place) % 5)
        row.mainThread = MainThreadTime(total: entry.value.main * jitter)
        row.untilVisibleSeconds = entry.value.finish * jitter
        return row
      }
    }
    return Conclusion.all(cells: cells, violations: [])
  }

  private func losses(_ strategy: String, under losing: [String]) -> [MatrixRow] {
    ["error", "overwrite"].map { policy in
      let place = MatrixEntry.Place(strategy: strategy, mergePolicy: policy, kind: .lostUpdate)
      let witness = MatrixEntry.Witness(scenario: "two-writers", seed: 1, replay: "")
      let result: MatrixEntry.Result = losing.contains(policy) ? .violated(witness) : .clean(schedules: 12)
      return MatrixRow(MatrixEntry(place: place, result: result))
    }
  }

  @Test func whatMattersDecides() throws {
    let made = conclusions(["parent-child": (8, 1), "notification-merge": (1, 2), "main-only": (9, 3)])
    func best(_ weights: RecommendationWeights) -> String? {
      Recommendation(made, losses: [], weights: weights).candidates.first?.name
    }
    #expect(best(RecommendationWeights()) == "notification-merge")
    #expect(best(RecommendationWeights(mainThread: 0)) == "parent-child")
    #expect(best(RecommendationWeights(mainThread: 1, throughput: 0)) == "notification-merge")
  }

  @Test func fewRepetitionsRankNothingButSafety() {
    let made = conclusions(["main-only": (8, 1), "notification-merge": (1, 2)], repetitions: 4)
    let bare = Recommendation(made, losses: [], weights: RecommendationWeights())
    #expect(bare.candidates.allSatisfy { $0.ratios.isEmpty })
    let text = bare.text(colour: false, width: 500)
    #expect(text.contains("note: 4 of 5 repetitions are too few") && text.hasSuffix("\nnone is recommended\n"))
    let lost = losses("main-only", under: ["error"]) + losses("notification-merge", under: [])
    let safe = Recommendation(made, losses: lost, weights: RecommendationWeights()).text(colour: false, width: 500)
    #expect(safe.contains("\nuse notification-merge: two writers of one row lost no update"), "\(safe)")
  }

  @Test func losingUpdatesCostsAsMuchAsItIsSaidTo() throws {
    let made = conclusions(["parent-child": (1, 1), "notification-merge": (3, 3)])
    let lost = losses("parent-child", under: ["error", "overwrite"]) + losses("notification-merge", under: [])
    let equal = Recommendation(made, losses: lost, weights: RecommendationWeights())
    #expect(equal.candidates.map(\.name) == ["parent-child", "notification-merge"])
    let candidate = try #require(equal.candidates.first)
    #expect(abs(candidate.cost - pow(Recommendation.lossFactor, 1.0 / 3)) < 1e-9 && candidate.losing.count == 2)
    let safe = Recommendation(made, losses: lost, weights: RecommendationWeights(safety: 5))
    #expect(safe.candidates.first?.name == "notification-merge")
  }

  @Test func whatNoiseHidesIsNotCountedAsEqual() throws {
    func ranking(_ high: Double) -> Recommendation {
      var made = conclusions(["notification-merge": (1, 1), "main-only": (3, 1)])
      for place in made[0].rankings.indices where made[0].rankings[place].aspect == .mainThread {
        made[0].rankings[place].contenders[1].ratioLow = 0.9
        made[0].rankings[place].contenders[1].ratioHigh = high
      }
      return Recommendation(made, losses: [], weights: RecommendationWeights())
    }
    let (hidden, close) = (ranking(8), ranking(1.5))
    #expect(hidden.candidates.last?.strategy == "main-only")
    #expect(try #require(hidden.candidates.last?.ratios[.mainThread]) > 2.5)
    #expect(hidden.text(colour: false, width: 200).contains("noise hides which strategy is better"))
    #expect(close.candidates.allSatisfy { $0.ratios[.mainThread] == 1 })
    #expect(!close.text(colour: false, width: 200).contains("noise hides"))
  }

  @Test func ofEqualStrategiesTheOneWithoutADeprecatedTypeIsFirst() throws {
    let made = conclusions(["dedicated-thread": (1, 1), "single-background-writer": (1, 1)])
    let names = Recommendation(made, losses: [], weights: RecommendationWeights()).candidates.map(\.name)
    #expect(names == ["single-background-writer", "dedicated-thread"])
  }

  @Test func aRunWithoutTwoWritersSaysThatSafetyChangesNothing() throws {
    let made = conclusions(["parent-child": (8, 1), "notification-merge": (1, 1)])
    func text(_ losses: [MatrixRow]) -> String {
      Recommendation(made, losses: losses, weights: RecommendationWeights()).text(colour: false, width: 200)
    }
    #expect(text([]).contains("--safety changes nothing here"))
    #expect(!text(losses("parent-child", under: [])).contains("--safety"))
  }

  @Test func aStrategyThatLostNothingIsSaidToHaveBeenTriedSoOften() throws {
    let made = conclusions(["parent-child": (8, 1), "notification-merge": (1, 1)])
    let key = CellKey(
      run: "r", cell: 0, scenario: "import", strategy: "notification-merge", options: "", mergePolicy: "error", seed: 0,
      repetition: 0)
    var cell = CellRow(key: key, verdict: .held)
    let late = LatencySummary(count: 9, latencyNanosecondsMax: 21_400_000)
    cell.stalls = StallSummary(ticks: 9, late: 1, lateness: late)
    let text = Recommendation(
      made, losses: losses("notification-merge", under: []), cells: [cell], weights: RecommendationWeights()
    ).text(colour: false, width: 200)
    #expect(text.contains("lost no update in 12 schedules of each merge policy"), "\(text)")
    let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("notification-merge") })
    #expect(row.hasSuffix("21.4 ms  none in 12 schedules"), "\(row)")
    #expect(text.split(separator: "\n").contains { $0.hasPrefix("parent-child") && $0.hasSuffix("–  not tried") })
  }

  @Test func theTextSaysWhichWithReasonsAndCode() throws {
    let made = conclusions(["parent-child": (8, 1), "notification-merge": (1, 1)])
    let recommendation = Recommendation(
      made, losses: losses("notification-merge", under: ["overwrite"]), weights: RecommendationWeights())
    let text = recommendation.text(colour: false, width: 100)
    #expect(
      text.contains("use notification-merge: it is the best, or cannot be distinguished from the best, in main thread"))
    #expect(text.contains("lose an update under overwrite"))
    #expect(text.contains("final class NotificationMergeStack {") && text.contains("watch for\n  - "))
    let none = Recommendation([], losses: [], weights: RecommendationWeights())
    #expect(none.text(colour: false, width: 100).hasPrefix("no strategy held"))
  }

  @Test func everyShippedStrategyHasASkeleton() {
    let names = Set(StrategyRegistry.all.map { $0.name })
    #expect(Set(Arrangement.shipped.keys) == names)
    for (name, arrangement) in Arrangement.shipped {
      #expect(arrangement.skeleton.hasPrefix("final class ") && arrangement.skeleton.hasSuffix("\n}"), "\(name)")
      #expect(!arrangement.watchFor.isEmpty, "\(name)")
    }
  }
}
