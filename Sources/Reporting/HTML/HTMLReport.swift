import Checking
import Measuring

/// A run as one page of HTML that holds everything it shows and loads nothing.
package struct HTMLReport: Sendable {
  /// The results on the page.
  let results: Results
  /// The run's manifest.
  let manifest: Manifest
  /// How it ended; nil when it was killed.
  let outcome: RunOutcome?
  /// The events around its violations.
  let timelines: Timelines
  /// Pictures of its scenarios.
  let pictures: [Picture]
  /// The text in place of pictures, when there are none.
  let withoutPictures: String

  /// Makes the page of a run.
  ///
  /// - Parameter withoutPictures: The way to get pictures; shown when there are none.
  package init(
    results: Results, manifest: Manifest, outcome: RunOutcome? = nil, timelines: Timelines = Timelines(),
    pictures: [Picture], withoutPictures: String
  ) {
    self.timelines = timelines
    self.outcome = outcome
    self.results = results
    self.manifest = manifest
    self.pictures = pictures
    self.withoutPictures = withoutPictures
  }

  /// The page.
  package var text: String {
    let title = "contextbench \(manifest.command), \(manifest.run)"
    let head = HTML.element(
      "head",
      [
        .checked("<meta charset=\"utf-8\">"),
        .checked("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"),
        // Nothing is loaded, and nothing is run but the page's own script, whatever a text in the results says.
        .checked(
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
            + "script-src 'sha256-\(Self.scriptHash)'\">"),
        .element("title", title), .checked("<style>\(Self.style)</style>"),
      ])
    let body = HTML.element(
      "body",
      [
        .element("main", [header, conclusion, comparison, violations, contents] + scenarios.map(section) + [run]),
        .checked("<script>\(Self.script)</script>"),
      ])
    return "<!doctype html>\n" + HTML.element("html", ["lang": "en"], [head, body]).markup + "\n"
  }

  /// Names of the scenarios, in the order of the plan.
  var scenarios: [String] {
    var names: [String] = []
    for row in results.cells.sorted(by: { $0.key.cell < $1.key.cell }) where !names.contains(row.key.scenario) {
      names.append(row.key.scenario)
    }
    return names
  }

  /// The section with the run's facts.
  private var run: HTML { .element("section", ["id": "run"], [.element("h2", "The run"), facts]) }

  private var contents: HTML {
    let links =
      (outcome?.comparison == nil ? [] : [HTML.element("a", ["href": "#comparison"], "Comparison")])
      + scenarios.enumerated().map { HTML.element("a", ["href": "#scenario-\($0)"], $1) }
      + [
        HTML.element("a", ["href": "#violations"], "Violations"), HTML.element("a", ["href": "#run"], "The run"),
      ]
    return .element("nav", ["aria-label": "Contents"], links)
  }

  private func section(_ scenario: String) -> HTML {
    guard let number = scenarios.firstIndex(of: scenario) else {
      preconditionFailure("a section is that of a scenario of the results, to which the contents link")
    }
    let groups = HTMLReportGroup.groups(of: results.cells.filter { $0.key.scenario == scenario })
    return .element(
      "section", ["id": "scenario-\(number)"],
      [.element("h2", scenario), medians(groups)] + figures(scenario) + [latencies(groups)])
  }

  private func figures(_ scenario: String) -> [HTML] {
    let order = ["time", "throughput", "stalls", "latency", "safety"]
    func place(_ picture: Picture) -> Int { order.firstIndex(of: picture.kind) ?? order.count }
    let own = pictures.filter { $0.scenario == scenario }
      .sorted { (place($0), $0.fileName) < (place($1), $1.fileName) }
    guard !own.isEmpty else { return [.element("p", ["class": "note"], withoutPictures)] }
    return own.map { picture in
      .element(
        "figure",
        [.element("div", ["class": "wide", "tabindex": "0"], [.checked(picture.markup)])]
          + [.element("figcaption", picture.summary)])
    }
  }
}

extension HTMLReport {
  /// The conclusions about the run's strategies; nothing where there were not several to choose from.
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
