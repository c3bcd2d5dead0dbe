import Measuring

extension Conclusion {
  /// The subject: `import`, `shootout, save_every=5`.
  package var title: String { setting.isEmpty ? scenario : "\(scenario), \(setting)" }

  /// How many strategies there were to choose from.
  package var heading: String {
    "\(strategies - excluded.count) of \(strategies) strategies held"
  }

  /// A sentence for each aspect, with the word it begins with on the terminal; then the risks of the others.
  package var sentences: [(topic: String, sentence: String)] {
    var sentences = rankings.map { ($0.aspect.rawValue, $0.sentence) }
    if !excluded.isEmpty { sentences.append(("left out", excluded.joined(separator: "; ") + ".")) }
    if !risks.isEmpty { sentences.append(("risks", riskSentence)) }
    return sentences
  }

  private var riskSentence: String {
    risks.map { risk in
      let state = risk.isExpected ? ", as expected" : risk.isWarning ? ", a warning" : ""
      return "\(risk.name): \(risk.kind) in \(risk.cells) of \(risk.ofCells) cells\(state)"
    }.joined(separator: "; ") + "."
  }

  /// For the terminal: a heading, then each sentence behind its word, broken at the width.
  package func text(width: Int) -> String {
    let topics = sentences.map(\.topic.count).max() ?? 0
    let lines = sentences.flatMap { topic, sentence -> [String] in
      let padding = String(repeating: " ", count: topics - topic.count + 2)
      let hanging = String(repeating: " ", count: topics + 4)
      return TextTable.lines(of: sentence, width: max(20, width - topics - 4)).enumerated().map { number, line in
        (number == 0 ? "  \(topic)\(padding)" : hanging) + line
      }
    }
    return "\(title): \(heading)\n" + lines.map { $0 + "\n" }.joined()
  }
}

extension Conclusion.Ranking {
  /// Whether there are enough repetitions to say which is best.
  package var isRanked: Bool { repetitions >= Statistics.intervalCountMin }

  /// The best strategy, those tied with it, and by how much the next is behind; or that there are too few repetitions to say.
  package var sentence: String {
    guard let best = contenders.first else { return "" }
    let needed = Statistics.intervalCountMin
    guard isRanked else {
      return "too few to rank (\(repetitions) of \(needed)): --repetitions \(needed) or more would decide."
    }
    let leader = "\(best.name) \(words) (\(Comparison.value(best.median, column: column)))"
    if behind.isEmpty { return "tied: \(Self.list(([best] + tied).map(\.name))). No difference is shown." }
    let ties = tied.isEmpty ? "" : ", tied with \(Self.list(tied.map(\.name)))"
    let next = behind.min { $0.ratio < $1.ratio }.map { "; next is \($0.name), \($0.ratioText)" } ?? ""
    return leader + ties + next + "."
  }

  private var words: String {
    switch aspect {
    case .mainThread: "keeps main freest"
    case .finish: "finishes first"
    case .memory: "needs least memory"
    }
  }

  static func list(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension Conclusion.Contender {
  /// The ratio with its interval: `4.91× (3.82…6.13)`.
  package var ratioText: String {
    guard let ratioLow, let ratioHigh else { return HumanReadable.ratio(ratio) }
    return
      "\(HumanReadable.ratio(ratio)) (\(HumanReadable.significant(ratioLow))…\(HumanReadable.significant(ratioHigh)))"
  }
}
