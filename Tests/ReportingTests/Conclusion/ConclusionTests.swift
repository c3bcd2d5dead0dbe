import Checking
import Foundation
import Measuring
import Testing

@testable import Reporting

struct ConclusionTests {
  /// Cells of strategies with so many seconds of the main thread, with a spread of one percent.
  private func cells(
    _ seconds: KeyValuePairs<String, Double>, repetitions: Int = 5, options: String = "", from first: Int = 0
  ) -> [CellRow] {
    (0..<repetitions).flatMap { repetition in
      seconds.enumerated().map { place, entry in
        let key = CellKey(
          run: "r", cell: first + repetition * seconds.count + place, scenario: "import", strategy: entry.key,
          options: options, mergePolicy: "error", seed: UInt64(repetition), repetition: repetition)
        var row = CellRow(key: key, verdict: .held)
        row.mainThread = MainThreadTime(total: entry.value * (1 + 0.002 * Double((repetition * 3 + place) % 5)))
        row.untilVisibleSeconds = 1 / entry.value
        return row
      }
    }
  }

  private func conclusion(_ cells: [CellRow], _ violations: [ViolationRow] = []) throws -> Conclusion {
    try #require(Conclusion.all(cells: cells, violations: violations).first)
  }

  @Test func theBestComesFirstWithWhatCannotBeDistinguishedFromIt() throws {
    let conclusion = try conclusion(cells(["slow": 8, "best": 2, "close": 2.001, "middle": 3]))
    #expect(conclusion.heading == "4 of 4 strategies held")
    #expect(conclusion.rankings.map(\.aspect) == [.mainThread, .finish], "memory was not measured")
    let main = try #require(conclusion.rankings.first)
    #expect(main.contenders.map(\.name) == ["best", "close", "middle", "slow"])
    #expect(main.tied.map(\.name) == ["close"] && main.behind.map(\.name) == ["middle", "slow"])
    #expect(
      main.sentence.hasPrefix("best keeps main freest (2.01 s), tied with close; next is middle, 1.5"),
      "\(main.sentence)")
    #expect(!main.sentence.contains("slow"), "the table has the others")
    #expect(conclusion.rankings[1].contenders.map(\.name).first == "slow")
  }

  @Test func twoOfTheSameAreNeverDistinguished() throws {
    for repetitions in [5, 6, 20] {
      var rows = cells(["a": 2, "b": 2], repetitions: repetitions)
      for index in rows.indices { rows[index].mainThread = MainThreadTime(total: Double((index * 7) % 11 + 20)) }
      let ranking = try #require(conclusion(rows).rankings.first)
      #expect(ranking.tied.count == 1 && ranking.behind.isEmpty)
      let isAB = ranking.contenders[0].name == "a"
      #expect(ranking.sentence == "tied: \(isAB ? "a and b" : "b and a"). No difference is shown.")
    }
  }

  @Test(arguments: 1...4) func fewRepetitionsRankNothing(repetitions: Int) throws {
    let conclusion = try conclusion(cells(["slow": 8, "best": 2], repetitions: repetitions))
    let sentence = "too few to rank (\(repetitions) of 5): --repetitions 5 or more would decide."
    #expect(conclusion.sentences.map(\.sentence) == [sentence, sentence])
  }

  @Test func whatIsBetterInEachRepetitionThanTheBestByMediansIsNotBehindIt() throws {
    // By the medians "flat" is first; but the other is faster than it in most repetitions.
    var rows = cells(["flat": 1, "steep": 1], repetitions: 7)
    for index in rows.indices {
      let repetition = Double(rows[index].key.repetition)
      let isFlat = rows[index].key.strategy == "flat"
      rows[index].mainThread = MainThreadTime(total: isFlat ? 10 + repetition : 9.9 + repetition * 0.99)
    }
    let ranking = try #require(conclusion(rows).rankings.first)
    #expect(ranking.behind.allSatisfy { $0.ratio > 1 })
  }

  @Test func whatDidNotHoldIsNotRanked() throws {
    var rows = cells(["wrong": 1, "best": 2, "slow": 8])
    rows[0].verdict = .violated
    rows[0].ending = .violated
    let lost = ViolationRow(
      key: rows[0].key, violation: Samples.violation(subject: "x", seen: "y"), isExpected: false, replay: "")
    let conclusion = try conclusion(rows, [lost])
    #expect(conclusion.heading == "2 of 3 strategies held")
    #expect(conclusion.rankings[0].contenders.map(\.name) == ["best", "slow"])
    #expect(conclusion.excluded == ["wrong: violated 1/5"])
    #expect(conclusion.sentences.contains { $0.topic == "risks" && $0.sentence.contains("wrong: ") })
    for index in rows.indices { rows[index].ending = .violated }
    #expect(Conclusion.all(cells: rows, violations: []).isEmpty)
  }

  @Test func aChoiceNeedsTwoStrategies() {
    #expect(Conclusion.all(cells: cells(["only": 1]), violations: []).isEmpty)
    #expect(Conclusion.all(cells: [], violations: []).isEmpty)
  }

  @Test func whatAllStrategiesVaryIsConcludedApart() throws {
    let rows =
      cells(["a": 1, "b": 2], options: "save_every=5") + cells(["a": 3, "b": 2], options: "save_every=500", from: 100)
    let conclusions = Conclusion.all(cells: rows, violations: [])
    #expect(conclusions.map(\.title) == ["import, save_every=5", "import, save_every=500"])
    #expect(conclusions.map { $0.rankings[0].contenders.map(\.name) } == [["a", "b"], ["b", "a"]])
    // An option that one of them varies is a part of its name.
    let mixed = cells(["a": 1], options: "merge=sync") + cells(["a": 2, "b": 3], options: "merge=async", from: 100)
    let together = try conclusion(mixed)
    #expect(together.rankings[0].contenders.map(\.name) == ["a merge=sync", "a merge=async", "b"])
  }

  @Test func linesFitTheWidth() throws {
    let text = try conclusion(cells(["slow": 8, "best": 2, "close": 2.001, "middle": 3])).text(width: 60)
    let lines = text.split(separator: "\n")
    #expect(lines.count > 4 && lines.dropFirst().allSatisfy { $0.count <= 60 && $0.hasPrefix("  ") }, "\(text)")
    #expect(text.contains("  main thread  best keeps main freest"))
  }

  @Test func everyFormHasTheConclusion() throws {
    let rows = cells(["slow": 8, "best": 2])
    var plan = ExportSamples.plan
    plan.blocks = []
    let exported = ExportedResults(
      results: Results(path: "r", manifest: ExportSamples.manifest, cells: rows), manifest: ExportSamples.manifest,
      plan: plan)
    let sentence = try conclusion(rows).rankings[0].sentence
    #expect(try MarkdownExport.text(of: exported).contains(MarkdownExport.escaped(sentence)))
    let json = try JSONExport.text(of: exported)
    let document = try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let first = (document["conclusions"] as? [[String: Any]])?.first
    let rankings = try #require(first?["rankings"] as? [[String: Any]])
    #expect(rankings.map { $0["column"] as? String } == ["main_thread_s", "until_visible_s"])
    let page = HTMLReport(
      results: exported.results, manifest: exported.manifest, pictures: [], withoutPictures: "none"
    ).text
    let texts = try HTMLReportTests.texts(of: page)
    let place = try #require(texts.firstIndex(of: sentence))
    #expect(place < texts.firstIndex(of: "import") ?? 0, "it comes before the table")
  }
}
