import Foundation

/// The exploration of a package's tests, for people and for programs.
package struct TestReport: Sendable {
  /// A test's row.
  package struct Row: Codable, Sendable {
    package var test: String
    package var verdict: String
    package var orders: Int
    package var failing: Int
    package var isExhausted: Bool
    package var seconds: Double
    package var text: String

    package init(
      test: String, verdict: String, orders: Int, failing: Int, isExhausted: Bool, seconds: Double, text: String
    ) {
      precondition(0...orders ~= failing && seconds >= 0, "the orders that fail are some of those that were tried")
      self.test = test
      self.verdict = verdict
      self.orders = orders
      self.failing = failing
      self.isExhausted = isExhausted
      self.seconds = seconds
      self.text = text
    }

    /// The verdict with its numbers.
    package var summary: String {
      switch verdict {
      case Self.passed: isExhausted ? "passed in all \(orders) that there are" : "passed in \(orders)"
      case Self.fails: failing > 0 ? "fails in \(failing) of \(orders)" : "fails"
      default: verdict
      }
    }

    package static let passed = "passed"
    package static let fails = "fails"
    package static let skipped = "skipped"
  }

  package let package: String
  package let rows: [Row]

  package init(package: String, rows: [Row]) {
    self.package = package
    self.rows = rows
  }

  /// The exit code: tests that fail count before those that could not be explored.
  package var status: ExitStatus {
    if rows.contains(where: { $0.verdict == Row.fails }) { return .violation }
    return rows.contains { $0.verdict == Row.passed }
      && rows.allSatisfy { [Row.passed, Row.skipped].contains($0.verdict) }
      ? .passed : .inconclusive
  }

  private static let columns: [(title: String, text: @Sendable (Row) -> String)] = [
    ("test", { $0.test }), ("orders", { $0.summary }), ("s", { HumanReadable.significant($0.seconds) }),
  ]

  /// A table, then the findings.
  package func text(colour: Bool, width: Int?) -> String {
    var table = TextTable(
      columns: [.left("test"), .left("orders")] + Self.columns.dropFirst(2).map { .right($0.title) })
    for row in rows { table.append(Self.columns.map { $0.text(row) }) }
    let findings = rows.filter { !$0.text.isEmpty }.map { "\n\($0.test): \($0.summary)\n\($0.text)\n" }
    return table.rendered(colour: colour, width: width) + findings.joined()
  }

  /// A JSON document.
  package var json: String {
    struct Document: Encodable {
      let package: String
      let exitCode: Int32
      let tests: [Row]
    }
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let document = Document(package: package, exitCode: status.rawValue, tests: rows)
    guard let data = try? encoder.encode(document) else { preconditionFailure("texts and finite numbers are JSON") }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// A Markdown document.
  package var markdown: String {
    func cell(_ text: String) -> String { text.replacingOccurrences(of: "|", with: "\\|") }
    let rule = "|---|---|" + String(repeating: "--:|", count: Self.columns.count - 2)
    let lines =
      ["# \(package): \(status.name)", "", "| " + Self.columns.map(\.title).joined(separator: " | ") + " |", rule]
      + rows.map { row in "| " + Self.columns.map { cell($0.text(row)) }.joined(separator: " | ") + " |" }
    let findings = rows.filter { !$0.text.isEmpty }.map { "\n## \($0.test): \($0.summary)\n\n```\n\($0.text)\n```\n" }
    return lines.joined(separator: "\n") + "\n" + findings.joined()
  }

  /// JUnit XML: a failure for a test that fails, an error for one that could not be explored.
  package var junit: String {
    let cases = rows.map { row in
      let kind = row.verdict == Row.fails ? "failure" : row.verdict == Row.skipped ? "skipped" : "error"
      let isGreen = row.verdict == Row.passed
      let content =
        kind == "skipped"
        ? XMLText.element(kind, [:], indent: 3)
        : XMLText.element(
          kind, ["type": row.verdict, "message": row.summary], indent: 3, content: XMLText.escaped(row.text),
          isText: true)
      let parts = row.test.split(separator: "/", maxSplits: 1).map(String.init)
      return XMLText.element(
        "testcase",
        [
          "classname": parts.count > 1 ? parts[0] : package, "name": parts.last ?? row.test, "time": "\(row.seconds)",
        ], indent: 2, content: isGreen ? nil : content)
    }
    let others = [Row.passed, Row.fails, Row.skipped]
    let suite = XMLText.element(
      "testsuite",
      [
        "name": package, "tests": "\(rows.count)", "failures": "\(rows.count { $0.verdict == Row.fails })",
        "errors": "\(rows.count { !others.contains($0.verdict) })",
        "skipped": "\(rows.count { $0.verdict == Row.skipped })", "time": "\(rows.reduce(0) { $0 + $1.seconds })",
      ], indent: 1, content: cases.joined())
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + XMLText.element("testsuites", [:], content: suite)
  }

  /// An HTML page.
  package var html: String {
    let head = HTML.element("tr", Self.columns.map { HTML.element("th", $0.title) })
    let body = rows.map { row in HTML.element("tr", Self.columns.map { HTML.element("td", $0.text(row)) }) }
    let findings = rows.filter { !$0.text.isEmpty }.flatMap { row in
      [HTML.element("h2", "\(row.test): \(row.summary)"), HTML.element("pre", row.text)]
    }
    let page = HTML.element(
      "html", ["lang": "en"],
      [
        HTML.element(
          "head",
          [
            HTML.checked("<meta charset=\"utf-8\">"), HTML.element("title", package),
            HTML.checked("<style>body{font-family:sans-serif}td,th{text-align:left;padding:.2em 1em}</style>"),
          ]),
        HTML.element(
          "body", [HTML.element("h1", "\(package): \(status.name)"), HTML.element("table", [head] + body)] + findings),
      ])
    return "<!doctype html>\n" + page.markup + "\n"
  }

  /// Writes all forms into a folder.
  package func write(to folder: String) throws(ReportingError) {
    for (name, text) in [("tests.json", json), ("tests.md", markdown), ("junit.xml", junit), ("index.html", html)] {
      let path = folder + "/" + name
      do {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
      } catch {
        throw ReportingError(
          path: path, cause: "cannot be written: \(error)", remedy: "Choose another folder with --out")
      }
    }
  }
}
