import Checking
import Foundation
import FoundationXML
import Measuring
import Testing

@testable import Reporting

struct HTMLReportTests {
  /// A hostile or careless text.
  private static let awkward = "<script>alert(\"1\")</script> & 'x'\u{1B}"

  private func report(
    violations: [ViolationRow] = [], pictures: [Picture] = [], ending: RunEnding = .violated
  ) -> HTMLReport {
    var cells: [CellRow] = []
    for (number, strategy) in ["parent-child", "notification-merge", "parent-child"].enumerated() {
      var row = CellRow(key: Samples.key(cell: number), verdict: number == 2 ? .violated : .held)
      row.key.strategy = strategy
      row.untilVisibleSeconds = Double(number + 1)
      row.objects = 1000
      row.ending = number == 2 ? ending : .passed
      cells.append(row)
    }
    return HTMLReport(
      results: Results(path: "r", cells: cells, violations: violations), manifest: manifest, pictures: pictures,
      withoutPictures: "No pictures: draw them")
  }

  private var manifest: Manifest {
    Manifest(
      run: "20260102-030405-00ff", version: "1.2.3", revision: nil, command: "run",
      arguments: ["run", "a b.yml", Self.awkward], scenarios: ["import.yml"], seeds: [1], startedAt: Date(),
      allocator: "system", storeFileSystem: nil, libraries: ["sqlite": "3"], sqliteOptions: [:])
  }

  /// The page's texts; the page is well-formed XML but for its first line and its `meta` elements.
  static func texts(of page: String) throws -> [String] {
    final class Reader: NSObject, XMLParserDelegate {
      var texts: [String] = [""]
      var elements: [String] = []
      func parser(_ parser: XMLParser, foundCharacters text: String) { texts[texts.count - 1] += text }
      func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
      ) {
        elements.append(name)
        texts.append("")
      }
    }
    let body = page.replacing("<!doctype html>\n", with: "").replacing(/<meta [^>]*>/, with: "")
    let parser = XMLParser(data: Data(body.utf8))
    let reader = Reader()
    parser.delegate = reader
    let isWhole = parser.parse()
    #expect(isWhole && parser.parserError == nil, "\(String(describing: parser.parserError))")
    #expect(reader.elements.count { $0 == "script" } == 1)
    #expect(reader.elements.last == "script" && reader.texts.last?.hasPrefix(HTMLReport.script) == true)
    return reader.texts
  }

  private func violation(_ subject: String, isExpected: Bool = false) -> ViolationRow {
    ViolationRow(
      key: Samples.key(cell: 2), violation: Samples.violation(subject: subject, seen: Self.awkward),
      isExpected: isExpected, replay: "contextbench run 'a b.yml' --seed 1 && \(Self.awkward)")
  }

  @Test func thePageSaysWhatTheRunWasAndHowItEnded() throws {
    let texts = try Self.texts(of: report().text)
    #expect(texts.contains("20260102-030405-00ff"))
    #expect(texts.contains("2 held") && texts.contains("1 violated"))
    #expect(texts.contains { $0.hasPrefix("contextbench run 'a b.yml' '<script>") })
    #expect(texts.contains("violated 1/2"))
    #expect(texts.contains("No pictures: draw them"))
    #expect(texts.contains("None was seen."))
  }

  @Test func whatTheScenarioExpectsDoesNotLookFailed() throws {
    let page = report(violations: [violation("Note/7", isExpected: true)], ending: .passed).text
    let texts = try Self.texts(of: page)
    #expect(texts.contains("2 held") && texts.contains("1 violated, as expected"))
    #expect(texts.contains("violated 1/2, as expected") && texts.contains("error, as expected"))
    let marks = page.matches(of: /class="(?:badge|verdict|violation) (\w+)"/).map { String($0.1) }
    #expect(marks.contains("good") && marks.contains("caution") && !marks.contains("bad"))
    #expect(report(violations: [violation("Note/7")]).text.contains("class=\"badge bad\">1 violated<"))
  }

  @Test func textsAreShownAsTheyAreAndNeverRun() throws {
    let texts = try Self.texts(of: report(violations: [violation(Self.awkward)]).text)
    #expect(texts.contains("<script>alert(\"1\")</script> & 'x'\u{FFFD}"))
    #expect(texts.contains { $0.hasPrefix("contextbench run 'a b.yml' --seed 1 && <script>") })
  }

  @Test func theBrowserRunsThePagesOwnScriptAlone() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: file) }
    try HTMLReport.script.write(toFile: file, atomically: true, encoding: .utf8)
    let digits = try #require(ToolOutput.of("sha256sum", ["--", file])?.prefix(64))
    let bytes = stride(from: 0, to: 64, by: 2).map { place in
      UInt8(digits.dropFirst(place).prefix(2), radix: 16) ?? 0
    }
    #expect(Data(bytes).base64EncodedString() == HTMLReport.scriptHash, "script and scriptHash belong together")
    #expect(report().text.contains("script-src 'sha256-\(HTMLReport.scriptHash)'\""))
  }

  @Test func columnsAreExplainedAndHaveNumbersToSortBy() throws {
    let page = report().text
    let titles = page.matches(of: /<th scope="col"( title="[^"]+")?><button type="button">([^<]+)</)
    #expect(titles.count == 13)
    #expect(titles.filter { $0.1 == nil }.map { String($0.2) } == ["strategy"])
    #expect(page.contains("<dt>worst stall</dt>") && page.contains("<summary>What the columns mean</summary>"))
    #expect(page.contains("<td data-value=\"2.0\">2.00 s</td>"))
    #expect(page.contains("<td data-value=\"\">–</td>"))
  }

  @Test func thePageLoadsNothing() throws {
    let picture = try Picture(Data(PictureTests.drawing.utf8), path: "import-time.svg")
    let page = report(violations: [violation("Note/7")], pictures: [picture]).text
    #expect(page.contains("default-src 'none'"))
    let outside = page.replacing(/xmlns(:xlink)?="[^"]*"/, with: "")
    for word in ["http:", "https:", "src=\"", "url(h", "@import", "<link"] {
      #expect(!outside.contains(word), "\(word)")
    }
  }

  @Test func picturesStandInTheirScenario() throws {
    let picture = try Picture(Data(PictureTests.drawing.utf8), path: "import-time.svg")
    let other = try Picture(
      Data(PictureTests.drawing.replacingOccurrences(of: "\"import\"", with: "\"soak\"").utf8), path: "soak-time.svg")
    let page = report(pictures: [other, picture]).text
    #expect(page.contains(PictureTests.drawing))
    #expect(!page.contains("data-scenario=\"soak\""))
    #expect(!page.contains("No pictures"))
  }

  @Test func unexpectedViolationsComeFirstAndExpectedOnesAreFolded() throws {
    let rows = [violation("Note/1", isExpected: true)] + (2...9).map { violation("Note/\($0)") }
    let page = report(violations: rows).text
    let texts = try Self.texts(of: page)
    #expect(texts.contains("Note/2") && texts.contains("Note/6") && !texts.contains("Note/7"))
    #expect(texts.contains("3 more subjects: violations.csv has them"))
    let folded = try #require(page.range(of: "As the scenarios expect: 1"))
    #expect(try #require(page.range(of: "Note/2")).lowerBound < folded.lowerBound)
    #expect(try #require(page.range(of: "Note/1<")).lowerBound > folded.lowerBound)
  }

  @Test func aRunWithoutCellsIsAPageToo() throws {
    let empty = HTMLReport(
      results: Results(path: "r", cells: []), manifest: manifest, pictures: [], withoutPictures: "No pictures")
    #expect(try Self.texts(of: empty.text).contains("Violations"))
  }
}
