import Foundation
import Testing

@testable import Checking
@testable import Reporting

/// Why cells did not pass is in every form, and not only in the terminal.
struct CellReasonTests {
  private let sentences = [
    "import, main-only: expected deadlock at least 4 times, seen 0 times, and it did not happen",
    "import, main-only: overlap was not exercised",
  ]

  @Test func reasonsBesidesViolationsAreTakenFromARow() {
    let results = ExportSamples.results()
    let reasons = CellReason.all(results.cells, results.results.violations)
    #expect(reasons.map(\.sentence) == sentences)
    #expect(reasons.map(\.title) == ["deadlock: expected, and not seen", "overlap: not exercised"])
  }

  @Test(arguments: [
    (
      "expected stale-read or lost-update with \u{201C}a, b\u{201D}, and it did not happen",
      "stale-read or lost-update: expected, and not seen"
    ),
    ("lost-record is unknown: no file", "lost-record: unknown"), ("killed from outside; run it again", "violated"),
  ]) func titlesNameTheKind(text: String, title: String) {
    #expect(CellReason(scenario: "s", strategy: "t", text: text, ending: .violated).title == title)
  }

  @Test func theSameReasonOfSeveralCellsIsOne() throws {
    var rows = ExportSamples.results().cells.filter { $0.key.cell == 3 }
    rows.append(try #require(rows.first))
    rows[1].key.cell = 9
    #expect(CellReason.all(rows, []).map(\.sentence) == ["import, main-only, 2 cells: overlap was not exercised"])
  }

  @Test func everyFormHasThem() throws {
    let results = ExportSamples.results()
    let page = HTMLReport(
      results: results.results, manifest: results.manifest, pictures: [], withoutPictures: ""
    ).text
    for text in [
      page, try SARIFExport.text(of: results), try GitHubAnnotations.text(of: results),
      try MarkdownExport.text(of: results), try JUnitExport.text(of: results), try JSONExport.text(of: results),
    ] {
      #expect(
        text.contains("expected deadlock at least 4 times, seen 0 times, and it did not happen"), "\(text.prefix(80))")
      #expect(text.contains("overlap was not exercised"))
    }
  }

  @Test func sarifHasAResultAndARuleForThem() throws {
    let text = try SARIFExport.text(of: ExportSamples.results())
    let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let run = try #require((root["runs"] as? [[String: Any]])?.first)
    let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
    let rules = try #require(driver?["rules"] as? [[String: Any]]).map { $0["id"] as? String }
    let found = try #require(run["results"] as? [[String: Any]]).filter { $0["ruleId"] as? String == "not-passed" }
    #expect(found.compactMap { ($0["message"] as? [String: Any])?["text"] as? String } == sentences)
    #expect(found.allSatisfy { ($0["ruleIndex"] as? Int).map { rules[$0] } == "not-passed" })
  }
}

struct RepositoryPathTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "repository/.git/HEAD")
    try folder.write("", to: "repository/a/b.yml")
    try folder.write("", to: "c.yml")
  }

  @Test func pathsAreFromTheRootOfTheRepository() {
    #expect(RepositoryPath.relative(folder.path + "/repository/a/b.yml", workspace: nil) == "a/b.yml")
    #expect(RepositoryPath.relative(folder.path + "/repository/a/../a/./b.yml", workspace: "") == "a/b.yml")
  }

  @Test func theWorkspaceWins() {
    #expect(
      RepositoryPath.relative(folder.path + "/repository/a/b.yml", workspace: folder.path + "/repository/a") == "b.yml")
    #expect(RepositoryPath.relative(folder.path + "/c.yml", workspace: folder.path + "/repository") == nil)
  }

  @Test func whatIsNoFileOfARepositoryHasNoPlace() {
    #expect(RepositoryPath.relative("import", workspace: folder.path) == nil)
    #expect(RepositoryPath.relative(folder.path + "/c.yml", workspace: nil) == nil)
  }
}
