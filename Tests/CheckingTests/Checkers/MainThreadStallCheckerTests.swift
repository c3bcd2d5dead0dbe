import Testing

@testable import Checking

struct MainThreadStallCheckerTests {
  let checker = MainThreadStallChecker()
  let beating = CheckCounters(\.heartbeats, 600)

  private func evidence(
    _ milliseconds: [Int64], budget: Int64? = nil, watchdog: Int64? = nil, counters: CheckCounters?
  ) throws -> Evidence {
    let history = milliseconds.map { "w0 info stall = \($0 * 1_000_000)" }.joined(separator: "\n")
    var evidence = try Evidence.of(history, counters: counters)
    evidence.parameters.stallBudgetNanoseconds = budget.map { $0 * 1_000_000 }
    evidence.parameters.watchdogNanoseconds = watchdog.map { $0 * 1_000_000 }
    return evidence
  }

  @Test func ticksThatComeInTimeAreHeld() throws {
    let result = checker.check(try evidence([20, 250], counters: beating))
    #expect(result.verdict == .held)
    #expect(result.violations.isEmpty)
    #expect(result.exercised == 600)
  }

  @Test func aStallOfMoreThanAQuarterSecondIsAWarningAndNoFailure() throws {
    let result = checker.check(try evidence([251, 300, 40], counters: beating))
    #expect(result.verdict == .held)
    #expect(
      result.violations == [
        Violation(
          kind: .mainThreadStall, severity: .warning, subject: "main thread", expected: "held at most 250 ms",
          seen: "held up to 300 ms", count: 2, firstStep: 0)
      ])
  }

  @Test func whatIsOverTheLimitNeverReadsAsTheLimit() throws {
    var evidence = try Evidence.of("w0 info stall = 17000001", counters: beating)
    evidence.parameters.stallBudgetNanoseconds = 17_000_000
    let violation = try #require(checker.check(evidence).violations.first)
    #expect(violation.expected == "held at most 17 ms" && violation.seen == "held up to 17.1 ms")
  }

  @Test func eachStallIsCountedOnceAsTheWorstItIs() throws {
    let result = checker.check(
      try evidence([300, 1_500, 9_000, 1_000], budget: 1_000, watchdog: 8_000, counters: beating))
    #expect(result.verdict == .violated)
    #expect(result.violations.map(\.severity) == [.error, .error, .warning])
    #expect(result.violations.map(\.subject) == ["main thread, watchdog", "main thread", "main thread"])
    #expect(result.violations.map(\.count) == [1, 1, 2])
    #expect(result.violations.map(\.firstStep) == [2, 1, 0])
  }

  @Test func aBudgetBelowTheWarningsLimitIsAnError() throws {
    #expect(checker.check(try evidence([60], budget: 50, counters: beating)).verdict == .violated)
  }

  @Test func aStallCountsWithoutCounters() throws {
    #expect(checker.check(try evidence([60], budget: 50, counters: nil)).verdict == .violated)
  }
}
