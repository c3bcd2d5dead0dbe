extension RunHistory {
  private static let (width, rowHeight, left, plotHeight) = (760.0, 96.0, 12.0, 48.0)

  /// An SVG picture: a line for each series from run to run, and an upright one where it changed. It follows a dark page.
  package var picture: String {
    let height = Self.rowHeight * Double(max(1, series.count)) + 16
    let style = """
      svg { color: #222; background: #fff; font: 12px system-ui, sans-serif; }
      @media (prefers-color-scheme: dark) { svg { color: #e6e6e6; background: #161616; } }
      text { fill: currentColor; } polyline { fill: none; stroke: #0072b2; stroke-width: 1.5; }
      circle { fill: #0072b2; } .change { stroke: #d55e00; stroke-dasharray: 3 2; } .note { fill: #d55e00; }
      """
    let content =
      XMLText.element("style", [:], indent: 1, content: XMLText.escaped(style), isText: true)
      + series.enumerated().map { drawing($1, top: Self.rowHeight * Double($0) + 16) }.joined()
    return XMLText.element(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(Int(Self.width)) \(Int(height))", "role": "img",
      ], content: content)
  }

  private func drawing(_ series: Series, top: Double) -> String {
    let medians = series.points.map(\.median)
    guard let least = medians.min(), let greatest = medians.max() else { return "" }
    let range = greatest > least ? greatest - least : 1
    let step = (Self.width - 2 * Self.left) / Double(max(1, runs.count - 1))
    func x(_ run: Int) -> Double { Self.left + step * Double(run) }
    func y(_ median: Double) -> Double { top + 20 + Self.plotHeight * (1 - (median - least) / range) }
    func number(_ value: Double) -> String { String((value * 10).rounded() / 10) }
    let title =
      "\(series.scenario), \(series.name), \(series.column): \(Comparison.value(least, column: series.column)) to "
      + Comparison.value(greatest, column: series.column)
    var parts = text(title, x: Self.left, y: top + 8)
    parts += XMLText.element(
      "polyline",
      ["points": series.points.map { "\(number(x($0.run))),\(number(y($0.median)))" }.joined(separator: " ")], indent: 1
    )
    for point in series.points {
      parts += XMLText.element(
        "circle", ["cx": number(x(point.run)), "cy": number(y(point.median)), "r": "2"], indent: 1)
    }
    for change in series.changes {
      let place = number(x(change.run) - step / 2)
      parts += XMLText.element(
        "line",
        [
          "class": "change", "x1": place, "x2": place, "y1": number(top + 14),
          "y2": number(top + 24 + Self.plotHeight),
        ], indent: 1)
      let name = runs[change.run].revision.map { String($0.prefix(8)) } ?? runs[change.run].name
      let percent = (change.difference > 0 ? "+" : "") + HumanReadable.significant(change.difference * 100) + " %"
      parts += text("\(name) \(percent)", x: x(change.run) - step / 2 + 3, y: top + 22, isNote: true)
    }
    return parts
  }

  private func text(_ text: String, x: Double, y: Double, isNote: Bool = false) -> String {
    XMLText.element(
      "text", ["x": String(x), "y": String(y), "class": isNote ? "note" : "title"], indent: 1,
      content: XMLText.escaped(text), isText: true)
  }
}
