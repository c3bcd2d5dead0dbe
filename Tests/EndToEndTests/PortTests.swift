import Testing

struct PortTests {
  @Test func portPrintsAndMakesTheEdits() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let name = try tool.write("@objc(Note)\npublic class Note {}\n", to: "Note.swift")
    let shown = try tool.runCoreData(["port", "."])
    #expect(shown.status == 0)
    #expect(
      shown.output.contains("-@objc(Note)\n+/*@objc(Note)*/\n") && shown.output.contains("1 of 1 files to be changed"))
    let made = try tool.runCoreData(["port", name, "--write"])
    #expect(made.status == 0 && made.output.contains("1 of 1 files changed"))
    #expect(try tool.runCoreData(["port", "."]).output == "0 of 1 files to be changed, 0 places by hand\n")
  }

  @Test func portSaysWhatIsLeftAndWhatIsMissing() throws {
    let tool = try Tool()
    defer { tool.remove() }
    _ = try tool.write("let s = #selector(A.b)\n", to: "A.swift")
    let left = try tool.runCoreData(["port", "."])
    #expect(left.status == 2 && left.output.contains("./A.swift:1: #selector needs Objective-C"))
    #expect(left.output.hasSuffix("1 × #selector\n0 of 1 files to be changed, 1 places by hand\n"))
    let missing = try tool.runCoreData(["port", "nowhere"])
    #expect(missing.status == 64 && missing.errors.contains("nowhere: there is no such file or folder"))
  }
}
