import Boundary
import Foundation
import Measuring
import Reporting
import Scheduling

/// The exploration of the tests of some executables, each test in a process of its own.
struct TestRun: Sendable {
  /// The request.
  struct Options: Sendable {
    var filters: [String] = []
    var schedules = 500
    /// Wall time of all tests together; nil = ``secondsMax`` each.
    var seconds: Double?
    var seed: UInt64 = 1
    var policy = PolicyCatalogue.portfolioName
    /// The one schedule to repeat.
    var replay: String?
    /// Whether the tests of a suite run in one process, side by side; and their name, where it is not the suite's.
    var isTogether = false
    var name: String?
  }

  /// A test, or those of a suite together, and their executable.
  struct Test: Sendable {
    var name: String
    let executable: String
    let library: Library
    /// The tests that run together; none of a test that is alone.
    var members: [String] = []
  }

  enum Library: CaseIterable, Sendable {
    case swiftTesting
    case xctest

    /// Words that SwiftPM's runner takes; XCTest reads the words itself, and knows none of the kind.
    var words: [String] { self == .swiftTesting ? ["--testing-library", "swift-testing"] : [] }
  }

  /// Time of one search, where none is asked for.
  private static let secondsMax = 10.0
  /// Beyond its search a process starts, and makes an order smaller and shows it.
  private static let secondsBeyond = 90.0

  let options: Options
  let folder: String
  let interruption: Interruption

  /// The tests that the filters name.
  func tests(of executables: [String]) async throws -> [Test] {
    let filters = try options.filters.map { try Regex($0) }
    var tests: [Test] = []
    for executable in executables {
      for library in Library.allCases {
        let names = try await names(executable, library)
        tests += names.filter { name in filters.isEmpty || filters.contains { name.firstMatch(of: $0) != nil } }
          .map { Test(name: $0, executable: executable, library: library) }
      }
    }
    return options.isTogether ? suites(of: tests) : tests
  }

  private func names(_ executable: String, _ library: Library) async throws -> [String] {
    let path = folder + "/list"
    try? FileManager.default.removeItem(atPath: path)
    let words = library.words + ["--list-tests"]
    let end = try await run(executable, words, output: path, seconds: Self.secondsBeyond)
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    guard end == .exited(0) else {
      // A build without tests of the library says so.
      if case .exited = end { return [] }
      throw HarnessFailure("\(executable) does not list its tests: \(end)\n\(text.suffix(1_000))")
    }
    // One line for each; of XCTest others come before.
    return text.split(separator: "\n").map(String.init).filter { line in
      library == .swiftTesting ? line.hasSuffix(")") : line.firstMatch(of: /^\S+\.\S+\/\S+$/) != nil
    }
  }

  private func run(
    _ executable: String, _ arguments: [String], output: String, environment: [String: String] = [:], seconds: Double
  ) async throws -> ChildProcess.End {
    try await ChildProcess(
      executable: executable, arguments: arguments, inputPath: "/dev/null", outputPath: output,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }, timeoutSeconds: seconds
    ).run(interruption)
  }

  /// Explores one test after the other; nil once the run was interrupted.
  func rows(of tests: [Test], _ show: (TestReport.Row) -> Void) async throws -> [TestReport.Row]? {
    let begin = MonotonicClock.now()
    var rows: [TestReport.Row] = []
    for (place, test) in tests.enumerated() {
      let spent = Double(MonotonicClock.now() - begin) / 1e9
      let share = options.seconds.map { max(0.1, ($0 - spent) / Double(tests.count - place)) } ?? Self.secondsMax
      guard let row = try await row(of: test, seconds: share) else { return nil }
      show(row)
      rows.append(row)
    }
    return rows
  }

  private func row(of test: Test, seconds: Double) async throws -> TestReport.Row? {
    let begin = MonotonicClock.now()
    guard var attempt = try await attempt(test, seconds: seconds) else { return nil }
    if attempt.isCrash {
      // The seeds are the same: so is the crash, if the simulation sees all that decides.
      guard let again = try await self.attempt(test, seconds: seconds) else { return nil }
      if !again.isCrash {
        attempt = Attempt(
          result: ExploredTest.Result(
            .notSimulated, "It crashed, and the same orders did not crash again:\n\(attempt.result?.text ?? "")"))
      }
    }
    if !test.members.isEmpty, attempt.result?.verdict == .fails, options.replay == nil {
      guard let text = try await fewest(of: test, attempt.result?.text ?? "", seconds: seconds) else { return nil }
      attempt.result?.text = text
    }
    let result = attempt.result
    return TestReport.Row(
      test: test.name, verdict: result?.verdict.rawValue ?? TestReport.Row.skipped, orders: result?.orders ?? 0,
      failing: result?.failing ?? 0, isExhausted: result?.isExhausted ?? false,
      seconds: Double(MonotonicClock.now() - begin) / 1e9, text: result?.text ?? "")
  }

  /// The result that a process left of a test; nil where the test asked not to be run.
  struct Attempt {
    var result: ExploredTest.Result?
    var isCrash = false
  }

  /// Nil when it was interrupted.
  func attempt(_ test: Test, seconds: Double) async throws -> Attempt? {
    precondition(seconds > 0 && !test.name.isEmpty, "a test has a name, and time to be explored")
    let name = String(test.name.map { $0.isLetter || $0.isNumber ? $0 : "-" }.prefix(200))
    let place = folder + "/" + name
    try? FileManager.default.removeItem(atPath: place)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let (end, limit) = try await explore(test, in: place, seconds: seconds)
    let results = (try? String(contentsOfFile: place + "/" + ExploredTest.resultsFile, encoding: .utf8)) ?? ""
    let all = results.split(separator: "\n").compactMap {
      try? JSONDecoder().decode(ExploredTest.Result.self, from: Data($0.utf8))
    }
    let text = (try? String(contentsOfFile: place + "/output", encoding: .utf8)) ?? ""
    let schedule = (try? String(contentsOfFile: place + "/" + ExploredTest.progressFile, encoding: .utf8)) ?? "0"
    switch end {
    case .interrupted: return nil
    case .exited where all.isEmpty:
      let isLoaded = text.contains("skipped") || text.contains("Test run started")
      return Attempt(
        result: isLoaded
          ? nil : ExploredTest.Result(.notSimulated, "The process ended without a result:\n\(text.suffix(1_000))"))
    case .exited: return Attempt(result: Self.joined(all))
    case .signaled(let signal):
      // The last words of the program before its stack.
      let lines = text.split(separator: "\n").prefix { $0 != "Current stack trace:" }
      var result = ExploredTest.Result(
        .fails, "crash: signal \(signal) in schedule \(schedule) of seed \(options.seed)\n\(lines.last ?? "")")
      result.orders = (Int(schedule) ?? 0) + 1
      result.failing = 1
      return Attempt(result: result, isCrash: true)
    case .timedOut, .starved:
      return Attempt(
        result: ExploredTest.Result(
          .notSimulated,
          "There was no end within \(HumanReadable.significant(limit)) s, in schedule \(schedule)."
        ))
    }
  }

  /// Runs the process that explores a test, with its files in a folder; its end, and how many seconds it was given.
  private func explore(
    _ test: Test, in place: String, seconds: Double
  ) async throws -> (end: ChildProcess.End, limit: Double) {
    var environment = [
      ExploredTest.testVariable: test.name, ExploredTest.folderVariable: place,
      "CONTEXTBENCH_SCHEDULES": "\(options.schedules)", "CONTEXTBENCH_SECONDS": "\(seconds)",
      "CONTEXTBENCH_SEED": "\(options.seed)", "CONTEXTBENCH_POLICY": options.policy,
      "SWIFT_BACKTRACE": "enable=no",
    ]
    environment["CONTEXTBENCH_REPLAY"] = options.replay
    var arguments = test.library.words
    var cases = max(1, test.members.count)
    let output = place + "/output"
    if test.library == .swiftTesting {
      for name in test.members.isEmpty ? [test.name] : test.members {
        arguments += ["--filter", "^" + NSRegularExpression.escapedPattern(for: name) + "($|/)"]
      }
      if !test.members.isEmpty || !test.name.hasSuffix("()") {
        let counting = environment.merging([ExploredTest.casesVariable: "0"]) { $1 }
        let seconds = Self.secondsBeyond
        _ = try await run(test.executable, arguments, output: output, environment: counting, seconds: seconds)
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        cases = max(1, text.split(separator: "\n").count { $0.contains(ExploredTest.caseLine) })
      }
      if test.members.isEmpty {
        environment["CONTEXTBENCH_SECONDS"] = "\(seconds / Double(cases))"
        arguments.append("--no-parallel")
      }
    }
    if !test.members.isEmpty {
      environment[ExploredTest.casesVariable] = "\(cases)"
      // The library begins all, and each waits for the last one.
      environment["SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"] = "\(cases)"
    }
    let limit = seconds + Self.secondsBeyond + Double(cases)
    return (try await run(test.executable, arguments, output: output, environment: environment, seconds: limit), limit)
  }

  /// Of the cases of a test: the worst, and how many orders all had.
  private static func joined(_ all: [ExploredTest.Result]) -> ExploredTest.Result? {
    func rank(_ verdict: ExploredTest.Verdict) -> Int {
      switch verdict {
      case .fails: 2
      case .notSimulated: 1
      case .passed: 0
      }
    }
    guard var joined = all.max(by: { rank($0.verdict) < rank($1.verdict) }) else { return nil }
    joined.orders = all.reduce(0) { $0 + $1.orders }
    joined.failing = all.reduce(0) { $0 + $1.failing }
    joined.isExhausted = all.allSatisfy(\.isExhausted)
    return joined
  }
}
