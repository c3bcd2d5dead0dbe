import Foundation
import Testing

struct ReportCommandTests {
  private func makeRun(_ tool: Tool) throws {
    let scenario = """
      workload: import
      strategies: [notification-merge]
      notes: 20
      words_per_note: 3
      update_rounds: 1
      repetitions: 1
      checks: [lost-record]

      """
    let run = try tool.run(["run", try tool.write(scenario, to: "a.yml"), "--allow-debug", "--out", "results"])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test func aRunBecomesOnePage() throws {
    let tool = try Tool()
    defer { tool.remove() }
    try makeRun(tool)
    let result = try tool.run(["report", "results", "--no-plot"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.folder == "results/report.html")
    let page = try String(contentsOfFile: tool.folder + "/results/report.html", encoding: .utf8)
    #expect(page.contains("1 held") && page.contains("scripts/plot results draws them"))

    // Pictures that are there are taken, and a damaged one is not.
    let pictures = tool.folder + "/results/pictures"
    try FileManager.default.createDirectory(atPath: pictures, withIntermediateDirectories: true)
    let drawing = #"<svg xmlns="http://www.w3.org/2000/svg" data-scenario="a" data-picture="time"><g id="mine"/></svg>"#
    try drawing.write(toFile: pictures + "/a-time.svg", atomically: true, encoding: .utf8)
    #expect(try tool.run(["report", "results", "--no-plot", "--out", "page.html"]).folder == "page.html")
    #expect(try String(contentsOfFile: tool.folder + "/page.html", encoding: .utf8).contains("id=\"mine\""))
    try "<svg><script/></svg>".write(toFile: pictures + "/a-time.svg", atomically: true, encoding: .utf8)
    let refused = try tool.run(["report", "results", "--no-plot"])
    #expect(refused.status == 64)
    #expect(refused.errors.contains("a-time.svg: holds script"))
  }

  @Test func whatIsNoRunIsRefused() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let missing = try tool.run(["report", "nowhere"])
    #expect(missing.status == 64)
    #expect(missing.errors.contains("nowhere: is not there"))
    try makeRun(tool)
    let file = try tool.run(["report", "results/cells.csv"])
    #expect(file.status == 64)
    #expect(file.errors.contains("is a file"))
    let path = tool.folder + "/results/violations.csv"
    try FileManager.default.removeItem(atPath: path)
    #expect(try tool.run(["report", "results", "--no-plot"]).status == 64)
  }

  @Test func aPageThatCannotBeWrittenIsAFailureOfTheHarness() throws {
    let tool = try Tool()
    defer { tool.remove() }
    try makeRun(tool)
    let result = try tool.run(["report", "results", "--no-plot", "--out", "nowhere/page.html"])
    #expect(result.status == 6)
    #expect(result.errors.contains("nowhere/page.html: cannot be written: No such file or directory. Choose"))
  }
}
