import Measuring
import Reporting

extension Recommendation {
  /// The ranking, the merits of the first strategy, its skeleton and its pitfalls.
  package func text(colour: Bool, width: Int) -> String {
    guard let best = candidates.first else { return "no strategy held in every scenario, so none is recommended\n" }
    var parts = [table(colour: colour, width: width)]
    parts += conclusions.map { $0.text(width: width) }
    if !excluded.isEmpty { parts.append(wrapped("not recommended: " + excluded.joined(separator: "; "), width)) }
    parts += notes.map { wrapped("note: " + $0, width) }
    if best.ratios.isEmpty, best.tried == 0 { return parts.joined(separator: "\n") + "\nnone is recommended\n" }
    parts.append(wrapped("use \(best.name): " + reasons(best), width))
    if let arrangement = Arrangement.of(best.strategy) {
      parts.append(arrangement.skeleton + "\n")
      parts.append("watch for\n" + arrangement.watchFor.map { "  - " + hanging($0, width) + "\n" }.joined())
    }
    return parts.joined(separator: "\n")
  }

  /// The limits of the ranking that its reader must know.
  private var notes: [String] {
    var notes: [String] = []
    if let few = conclusions.flatMap(\.rankings).first(where: { !$0.isRanked }) {
      let needed = Statistics.intervalCountMin
      notes.append(
        "\(few.repetitions) of \(needed) repetitions are too few to rank by main thread, finish and memory, which count "
          + "nothing here: --repetitions \(needed) or more would decide.")
    }
    if conclusions.contains(where: { $0.rankings.contains { $0.contenders.contains(where: \.isHidden) } }) {
      notes.append(
        "some intervals reach beyond \(HumanReadable.ratio(Self.tieMax)), so noise hides which strategy is better; "
          + "there the measured ratio counts. More repetitions or a quieter machine show more.")
    }
    notes.append(
      "ranked are strategies whose checks held in every cell. What a loss of power takes is none of them: with synchronous: "
        + "normal, the default, it can be the last saves; contextbench explore … --set fault_power_loss_rate=0.1 shows it."
    )
    if candidates.allSatisfy({ $0.tried == 0 }) {
      notes.append(
        "this run does not try two writers of one row, so --safety changes nothing here; without a folder it is tried.")
    }
    return notes
  }

  /// A row for each strategy that held, best first.
  func table(colour: Bool, width: Int) -> String {
    var table = TextTable(columns: [
      .left("strategy"), .right("cost"), .right("main thread"), .right("finish"), .right("memory"),
      .right("worst stall"), .left("two writers of one row lose updates"),
    ])
    for candidate in candidates {
      let ratios = Conclusion.Aspect.allCases.map { HumanReadable.ratio(candidate.ratios[$0]) }
      table.append(
        [TextTable.Cell(candidate.name), TextTable.Cell(HumanReadable.ratio(candidate.cost))]
          + ratios.map { TextTable.Cell($0) }
          + [
            TextTable.Cell(candidate.worstStall.map { HumanReadable.nanoseconds($0) } ?? "–"),
            TextTable.Cell(candidate.lossText),
          ])
    }
    return table.rendered(colour: colour, width: width)
  }

  /// The merits of a candidate, and its costs.
  func reasons(_ candidate: Candidate) -> String {
    func list(_ aspects: [Conclusion.Aspect]) -> String { aspects.map(\.rawValue).joined(separator: ", ") }
    let measured = Conclusion.Aspect.allCases.filter { candidate.ratios[$0] != nil }
    let best = measured.filter { candidate.ratios[$0] == 1 }
    var sentences: [String] = []
    if !best.isEmpty { sentences.append("it is the best, or cannot be distinguished from the best, in \(list(best))") }
    sentences += measured.filter { !best.contains($0) }.map {
      "its \($0.rawValue) is \(HumanReadable.ratio(candidate.ratios[$0])) the best"
    }
    if candidate.tried > 0 {
      sentences.append(
        candidate.losing.isEmpty
          ? "two writers of one row lost no update in \(candidate.schedules) schedules of each merge policy"
          : "two writers of one row lose an update under \(candidate.lossText)")
    }
    let equal = candidates.filter { $0.name != candidate.name && $0.cost == candidate.cost }.map(\.name)
    if !equal.isEmpty { sentences.append("as good by these weights: \(equal.joined(separator: ", "))") }
    return sentences.joined(separator: "; ") + "."
  }

  private func wrapped(_ text: String, _ width: Int) -> String {
    TextTable.lines(of: text, width: width).joined(separator: "\n") + "\n"
  }

  private func hanging(_ text: String, _ width: Int) -> String {
    TextTable.lines(of: text, width: max(20, width - 4)).joined(separator: "\n    ")
  }
}

extension Recommendation.Candidate {
  /// The merge policies under which it loses updates, in words.
  var lossText: String {
    if tried == 0 { return "not tried" }
    if losing.isEmpty { return "none in \(schedules) schedules" }
    return losing.count == tried ? "under every merge policy" : losing.joined(separator: ", ")
  }
}
