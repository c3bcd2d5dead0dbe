extension HTMLReport {
  /// The command that writes the whole trace, for which a page has no room.
  var traceCommand: String { "contextbench export \(Self.shellWord(results.path)) --format trace --out trace.json" }

  /// The timeline of the first of these rows' cells that has one, or a link to where the page has it.
  func timeline(of rows: [ViolationRow]) -> [HTML] {
    let found = timelines.shown.enumerated().first { _, timeline in rows.contains { $0.key == timeline.key } }
    guard let (number, timeline) = found else { return [] }
    let id = "timeline-\(number)"
    guard rows.contains(timeline.home) else {
      let link = HTML.element("a", ["href": "#\(id)"], "the timeline of cell \(timeline.key.cell)")
      return [.element("p", ["class": "note"], [.text("See "), link, .text(".")])]
    }
    let summary = HTML.element("summary", "Timeline of cell \(timeline.key.cell), seed \(timeline.key.seed)")
    let parts = [
      summary, HTML.element("p", ["class": "note"], extent(of: timeline)), Self.controls(timeline),
      Self.lanes(timeline),
      .element("p", ["class": "note detail", "aria-live": "polite"], "Tap or click a span to see here what it was."),
    ]
    guard !timeline.home.isExpected else { return [.element("details", ["class": "timeline", "id": id], parts)] }
    return [.element("details", ["class": "timeline", "id": id, "open": "open"], parts)]
  }

  /// The shown part of the history, and the left-out one.
  private func extent(of timeline: Timeline) -> String {
    let recorded = HumanReadable.count(timeline.recorded)
    let (begin, end) = (timeline.time.lowerBound, timeline.time.upperBound)
    let time = "\(Self.milliseconds(begin)) to \(Self.milliseconds(end)) after the first record"
    var sentences: [String] = []
    if timeline.shown == timeline.recorded {
      sentences.append("The whole history: \(recorded) records, \(time).")
    } else {
      let left = HumanReadable.count(timeline.recorded - timeline.shown)
      sentences.append(
        "\(HumanReadable.count(timeline.shown)) of \(recorded) records, \(time). \(left) are left out: "
          + "\(traceCommand) has all, for Perfetto.")
    }
    if timeline.outside > 0 {
      sentences.append("Of the cell's violations \(timeline.outside) lie outside this stretch.")
    }
    if timeline.withoutStep > 0 {
      sentences.append("Of the cell's violations \(timeline.withoutStep) have no step in the history, and no mark.")
    }
    return sentences.joined(separator: " ")
  }

  /// Buttons, which the page's script shows, and the meanings of the colours.
  private static func controls(_ timeline: Timeline) -> HTML {
    func button(_ move: String, _ text: String, _ title: String) -> HTML {
      .element("button", ["type": "button", "data-move": move, "title": title], text)
    }
    var buttons = [
      button("in", "Zoom in", "Also: the key +, or the wheel after a click into the timeline"),
      button("out", "Zoom out", "Also: the key -"), button("all", "All", "Also: the key 0"),
    ]
    let bars = timeline.rows.flatMap(\.bars)
    if bars.contains(where: \.isViolation) {
      buttons.append(button("next", "Next violation", "Also: the key n"))
    }
    let legend = categories.filter { name, _ in bars.contains { mark($0) == name } }.map { name, meaning in
      HTML.element("span", ["class": "bar \(name)"], meaning)
    }
    let parts = [
      HTML.element("span", ["class": "buttons", "hidden": "hidden"], buttons),
      HTML.element("span", ["class": "key"], legend),
    ]
    return .element("div", ["class": "controls"], parts)
  }

  /// Classes of bars, and their names.
  private static let categories: KeyValuePairs<String, String> = [
    "save": "save", "merge": "merge", "read": "read", "stall": "late main thread", "open": "never completed",
    "refused": "failed or unknown", "mark": "violation",
  ]

  private static func mark(_ bar: Timeline.Bar) -> String {
    if bar.isViolation { return "mark" }
    if bar.span.category == HistoryTrace.unfinished { return "open" }
    let type = bar.span.arguments["type"]
    // A record of one moment, such as a stall, is of type info.
    return type == "fail"
      || (type == "info" && bar.span.end > bar.span.begin && bar.span.category != HistoryTrace.stall)
      ? "refused" : bar.span.category
  }

  private static func lanes(_ timeline: Timeline) -> HTML {
    let lines = timeline.rows.flatMap(\.bars).filter(\.isViolation).map { bar in
      HTML.element("i", ["class": "line", "style": "left:\(percent(bar.place.lowerBound))"], [])
    }
    let rows = timeline.rows.map { row in
      HTML.element(
        "div", ["class": "lane"], [.element("b", row.name), .element("div", row.bars.map(bar))])
    }
    let canvas = HTML.element(
      "div",
      [
        "class": "canvas", "data-begin": "\(timeline.time.lowerBound)",
        "data-length": "\(max(1, timeline.time.upperBound - timeline.time.lowerBound))",
      ], [.element("div", ["class": "axis"], [])] + lines + rows)
    let label = "Timeline of cell \(timeline.key.cell): \(timeline.rows.map(\.name).joined(separator: ", "))"
    return .element("div", ["class": "lanes", "tabindex": "0", "role": "group", "aria-label": label], [canvas])
  }

  private static func bar(_ bar: Timeline.Bar) -> HTML {
    let mark = mark(bar)
    let width = bar.place.upperBound - bar.place.lowerBound
    let style = "left:\(percent(bar.place.lowerBound))" + (width > 0 ? ";width:\(percent(width))" : "")
    return .element(
      "i", ["class": "bar \(mark)\(bar.isInside ? " inside" : "")", "style": style, "title": title(bar)],
      bar.isViolation ? "" : name(bar))
  }

  /// A bar's name; that of a stall without its length in nanoseconds, which the bar shows.
  private static func name(_ bar: Timeline.Bar) -> String {
    bar.span.category == HistoryTrace.stall ? HistoryTrace.stall : bar.span.name
  }

  /// Characters of a violation's text that show.
  private static let seenMax = 200

  private static func title(_ bar: Timeline.Bar) -> String {
    let span = bar.span
    let arguments = span.arguments
    if bar.isViolation {
      let seen = (arguments["seen"] ?? "").prefix(seenMax)
      return "\(span.name) at \(milliseconds(span.begin)): \(arguments["subject"] ?? ""): \(seen)"
    }
    var parts = ["\(name(bar)): at \(milliseconds(span.begin))"]
    if span.end > span.begin { parts.append("took \(milliseconds(span.end - span.begin))") }
    parts += [arguments["type"], arguments["step"].map { "step \($0)" }, arguments["context"]].compactMap(\.self)
    return parts.joined(separator: ", ")
  }

  /// A share to a hundred-millionth.
  private static func percent(_ share: Double) -> String {
    precondition((0...1).contains(share), "a bar lies within the time that is shown")
    let digits = String(Int((share * 1e8).rounded()))
    let padded = String(repeating: "0", count: max(0, 7 - digits.count)) + digits
    return "\(padded.dropLast(6)).\(padded.suffix(6))%"
  }

  /// Milliseconds to a thousandth.
  static func milliseconds(_ nanoseconds: UInt64) -> String {
    let rest = String((nanoseconds / 1_000) % 1_000)
    return "\(HumanReadable.count(Int(clamping: nanoseconds / 1_000_000)))."
      + String(repeating: "0", count: 3 - rest.count) + rest + " ms"
  }
}
