extension SchedulesDocument {
  /// As one page that loads nothing and runs nothing.
  package var html: String {
    let head = HTML.element(
      "head",
      [
        .checked("<meta charset=\"utf-8\">"),
        .checked("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"),
        .checked(
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"),
        .element("title", title), .checked("<style>\(HTMLReport.style)\(Self.style)</style>"),
      ])
    var content = [HTML.element("h1", title)]
    if let header = cells.first { content.append(Self.table(header, cells.dropFirst().map { $0.map(HTML.text) })) }
    if entries.isEmpty { content.append(.element("p", ["class": "note"], "No schedule was saved.")) }
    content += entries.map(Self.section)
    if entries.contains(where: { $0.interleaving != nil }) {
      content.append(.element("p", ["class": "note"], Self.legend))
    }
    let body = HTML.element("body", [.element("main", content)])
    return "<!doctype html>\n" + HTML.element("html", ["lang": "en"], [head, body]).markup + "\n"
  }

  /// Steps are sentences: they wrap, each in the column of its task.
  private static let style = """
    .interleaving th, .interleaving td { white-space: normal; text-align: left; vertical-align: top; min-width: 9rem; }
    .interleaving td:first-child { min-width: 1.5rem; }
    .interleaving .decides td { background: var(--shade); }

    """

  private static func section(_ entry: Entry) -> HTML {
    var content = [HTML.element("h2", entry.title)]
    content += entry.seen.map { .element("p", $0) }
    content.append(
      .element("dl", ["class": "facts"], entry.facts.flatMap { [.element("dt", $0.name), .element("dd", $0.value)] }))
    content.append(.element("pre", entry.command))
    if let interleaving = entry.interleaving {
      content.append(table(interleaving))
      if !interleaving.omissions.isEmpty {
        content.append(.element("p", ["class": "note"], "Left out: \(interleaving.omissions)."))
      }
    }
    if let note = entry.note { content.append(.element("p", note)) }
    return .element("section", content)
  }

  private static func table(_ interleaving: Interleaving) -> HTML {
    let rows = interleaving.steps.map { step in
      let own = [HTML.text(step.text)] + step.operations.map { HTML.element("strong", " [\($0)]") }
      let cells = interleaving.tasks.indices.map { HTML.element("td", $0 == step.column ? own : []) }
      let isCritical = !step.mark.isEmpty && step.mark != "⇄"
      return HTML.element("tr", ["class": isCritical ? "decides" : ""], [.element("td", step.mark)] + cells)
    }
    let header = HTML.element("tr", ([""] + interleaving.tasks).map { .element("th", $0) })
    return .element(
      "div", ["class": "wide", "tabindex": "0"],
      [
        .element(
          "table", ["class": "interleaving"], [.element("thead", [header]), .element("tbody", rows)])
      ])
  }

  private static func table(_ header: [String], _ rows: [[HTML]]) -> HTML {
    let head = HTML.element("tr", header.map { .element("th", $0) })
    let body = rows.map { row in HTML.element("tr", row.map { .element("td", [$0]) }) }
    return .element(
      "div", ["class": "wide", "tabindex": "0"],
      [.element("table", [.element("thead", [head]), .element("tbody", body)])])
  }
}
