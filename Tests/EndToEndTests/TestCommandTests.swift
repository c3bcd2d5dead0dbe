import Foundation
import Testing

/// `contextbench test`, with an executable of tests that know nothing of exploring.
@Suite(.enabled(if: ["none", nil].contains(ProcessInfo.processInfo.environment["CONTEXTBENCH_TEST_SANITIZER"])))
struct TestCommandTests {
  private struct Document: Decodable {
    struct Test: Decodable {
      var test: String
      var verdict: String
      var orders: Int
      var failing: Int
      var text: String
    }
    var exit_code: Int32
    var tests: [Test]
  }

  private static let fixture = Tool.built("ExploredFixture").path

  private func run(_ tool: Tool, _ arguments: [String]) throws -> (Tool.Result, [String: Document.Test]) {
    let result = try tool.run(["test", "--built", Self.fixture, "--out", "results"] + arguments)
    let document = try JSONDecoder().decode(Document.self, from: Data(tool.text("results/tests.json").utf8))
    #expect(document.exit_code == result.status)
    #expect(result.folder.hasSuffix("/results"))
    return (
      result,
      Dictionary(uniqueKeysWithValues: document.tests.map { (String($0.test.split(separator: "/").last ?? ""), $0) })
    )
  }

  @Test func eachTestIsExploredInAProcessOfItsOwn() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let (result, tests) = try run(tool, ["--schedules", "300"])
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    let verdicts = tests.mapValues(\.verdict)
    #expect(
      verdicts == [
        "careless()": "fails", "mended()": "passed", "either(care:)": "fails", "notAsked()": "skipped",
        "alone()": "passed", "trapsInSomeOrder()": "fails", "twoLocks()": "fails", "childProcess()": "not simulated",
        "onMain()": "passed", "twoAtOnce()": "fails", "overwrites()": "passed", "testCareless": "fails",
        "testMended": "passed", "testAnswer": "fails", "first()": "passed", "second()": "passed", "leaves()": "passed",
        "finds()": "passed", "leavesNothing()": "passed", "neither()": "passed", "countsFromOne(number:)": "passed",
        "countsAsWell()": "passed",
        "yields(number:)": "skipped", "ends()": "skipped",
      ])
    for name in ["careless()", "testCareless", "testAnswer"] {
      let test = try #require(tests[name])
      #expect(test.orders == 300 && test.failing > 0 && test.failing < 300, "\(name)")
      #expect(test.text.contains("1 preemption, "), "\(test.text)")
    }
    #expect(try tool.text("results/tests.md").contains("NewTests/alone() | passed in all "))
    #expect(tests["careless()"]?.text.hasPrefix("failure: Expectation failed") == true)
    #expect(tests["testCareless"]?.text.contains("XCTAssertEqual failed") == true)
    #expect(tests["trapsInSomeOrder()"]?.text.hasPrefix("crash: signal ") == true)
    #expect(tests["trapsInSomeOrder()"]?.text.contains("a deposit is kept") == true)
    #expect(tests["twoLocks()"]?.text.hasPrefix("deadlock: ") == true)
    #expect(tests["childProcess()"]?.text == "not simulated: connect, by Foundation: a child process or a socket")
    let lost = try #require(tests["twoAtOnce()"])
    #expect(lost.failing > 0 && lost.failing < lost.orders)
    #expect(lost.text.hasPrefix("lost-update: private queue context saved 1 as Item 1.number, which it knew as 0"))
    #expect(lost.text.contains("saved at StoreTests.swift:"))
    // A test may expect the events of every order.
    #expect(tests["overwrites()"]?.text == "warning: in every order: lost-update: Item.number")
    #expect(
      try tool.failures(inJUnit: "results/junit.xml").sorted() == Array(repeating: "fails", count: 7) + [
        "not simulated"
      ])
    #expect(try tool.text("results/tests.md").contains("| ExploredFixture.OldTests/testMended | passed in 300 |"))
    #expect(try tool.text("results/index.html").contains("fails in "))
  }

  @Test func twoTestsThatSpoilEachOtherAreNamed() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let (result, tests) = try run(
      tool, ["--together", "--schedules", "100", "--filter", "SharingTests|TurnTests|CountedTests|OldTests"])
    #expect(result.status == 1, "\(result.output)\(result.errors)")
    func text(_ suite: String) -> String { tests["ExploredFixture.\(suite) together"]?.text ?? "" }
    #expect(tests.count == 4)
    #expect(tests["ExploredFixture.CountedTests together"]?.verdict == "passed")
    #expect(text("SharingTests").hasPrefix("first() and second() fail together, in "), "\(text("SharingTests"))")
    #expect(text("SharingTests").contains("(error): in "))
    #expect(
      text("TurnTests").hasPrefix("finds() and leaves() fail together, in 100 of 100 orders."), "\(text("TurnTests"))")
    #expect(text("OldTests").hasPrefix("testCareless fails alone, in "), "\(text("OldTests"))")
    let (suite, two) = ("ExploredFixture-SharingTests-together", "ExploredFixture-SharingTests-first")
    let folders = try FileManager.default.contentsOfDirectory(atPath: tool.folder + "/results")
    let folder = try #require(folders.first { $0.hasPrefix(two) && $0.contains("second") })
    for (number, schedule) in ["\(suite)/\(suite)", "\(folder)/\(two)"].enumerated() {
      try FileManager.default.copyItem(
        atPath: "\(tool.folder)/results/\(schedule).schedule", toPath: "\(tool.folder)/\(number).schedule")
    }
    for number in 0..<2 {
      let again = try run(tool, ["--replay", "\(number).schedule"]).1
      #expect(again.count == 1)
      #expect(again.values.first?.text.contains("(error): in ") == true, "\(again)")
    }
  }

  @Test func allCasesThatRunTogetherMayHaveTheStepsOfOne() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let (result, _) = try run(tool, ["--together", "--schedules", "1", "--filter", "LongTests"])
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func theOrderOfAFindingIsRepeated() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let first = try run(tool, ["--filter", "NewTests/careless"])
    let name = "ExploredFixture-NewTests-careless"
    let schedule = "results/\(name)--/\(name).schedule"
    #expect(first.1["careless()"]?.text.contains(schedule) == true)
    try FileManager.default.copyItem(atPath: tool.folder + "/" + schedule, toPath: tool.folder + "/kept.schedule")
    let (result, tests) = try run(tool, ["--replay", "kept.schedule"])
    #expect(result.status == 1)
    #expect(tests.count == 1)
    #expect(tests["careless()"]?.text.contains("1 preemption, ") == true)
  }

  @Test func whatPassesEndsWithZero() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let (result, tests) = try run(tool, ["--filter", "ended", "--time-budget", "5s"])
    #expect(result.status == 0, "\(result.output)")
    #expect(tests.keys.sorted() == ["mended()", "testMended"])
  }

  @Test(arguments: [
    (["--filter", "noSuchTest"], "There is no test to explore with such a name."),
    (["--filter", "("], "--filter: ( is no regular expression."),
    (["--schedules", "0"], "--schedules is positive."),
    (["--time-budget", "soon"], "--time-budget: soon is no time."),
    (["--policy", "luck"], "--policy: there is no luck."),
    (["--replay", "nothing"], "nothing is no schedule of a test."),
    (["--built", "nothing"], "--built: nothing is no executable."),
    (["--contextbench", "nothing"], "--contextbench: nothing is no package: it has no Package.swift."),
  ]) func badInputIsSaidInASentence(arguments: [String], sentence: String) throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run(["test", "--built", Self.fixture] + arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(sentence), "\(result.errors)")
  }

  @Test func aFolderWithoutAPackageIsSaid() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run(["test", tool.folder])
    #expect(result.status == 64)
    #expect(result.errors.contains("is no package: it has no Package.swift."))
  }

  /// Beside an empty package in place of this one: only the manifest is looked at.
  @Test func aPackageOfOlderToolsIsBuilt() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let old = """
      // swift-tools-version:5.3
      import PackageDescription
      let package = Package(name: "Old", targets: [.testTarget(name: "OldTests")])
      """
    let empty = """
      // swift-tools-version:6.0
      import PackageDescription
      let package = Package(
        name: "contextbench", products: [.library(name: "ExploredTests", targets: ["ExploredTests"])],
        targets: [.target(name: "ExploredTests")])
      """
    let files = [
      "old/Package.swift": old, "contextbench/Package.swift": empty,
      "old/Tests/OldTests/Old.swift": "import Testing\n@Test func passes() {}",
      "contextbench/Sources/ExploredTests/Empty.swift": "",
    ]
    for (name, text) in files {
      let url = URL(fileURLWithPath: tool.folder).appendingPathComponent(name)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    let result = try tool.run(["test", "old", "--contextbench", "contextbench", "--filter", "none"])
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.errors.contains("There is no test to explore with such a name."))
  }
}
