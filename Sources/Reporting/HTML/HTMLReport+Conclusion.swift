extension HTMLReport {
  /// What the run says of its strategies; nothing where there were not several to choose from.
  var conclusion: HTML {
    let conclusions = Conclusion.all(cells: results.cells, violations: results.violations)
    guard !conclusions.isEmpty else { return .text("") }
    let parts = conclusions.flatMap { conclusion -> [HTML] in
      let items = conclusion.sentences.flatMap { topic, sentence in
        [HTML.element("dt", topic), HTML.element("dd", sentence)]
      }
      return [
        .element("h3", "\(conclusion.title): \(conclusion.heading)"),
        .element("dl", ["class": "facts conclusion"], items),
      ]
    }
    return .element("section", ["id": "conclusion"], [.element("h2", "Conclusion")] + parts)
  }
}
