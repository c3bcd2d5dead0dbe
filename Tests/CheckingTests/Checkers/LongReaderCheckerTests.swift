import Testing

@testable import Checking

struct LongReaderCheckerTests {
  private let grown = Violation(
    kind: .logGrowth, subject: "write-ahead log", expected: "at most 8 MB", seen: "20 MB")
  private let changed = Violation(
    kind: .readSkew, subject: "the reader's view of the file", expected: "a view stays as it was", seen: "it changed")

  @Test func aLogWithinItsBudgetIsHeld() throws {
    let evidence = try Evidence.of("", counters: CheckCounters(\.logSamples, 3))
    #expect(ReportedKindChecker.logGrowth.check(evidence).verdict == .held)
  }

  @Test func aLogBeyondItsBudgetIsViolated() throws {
    let evidence = try Evidence.of("", reports: [grown], counters: CheckCounters(\.logSamples, 3))
    #expect(ReportedKindChecker.logGrowth.check(evidence).violations == [grown])
  }

  @Test func aLogThatWasNotLookedAtIsNotExercised() throws {
    #expect(ReportedKindChecker.logGrowth.check(try .of("")).verdict == .notExercised)
  }

  @Test func aViewThatStaysIsHeld() throws {
    let evidence = try Evidence.of("", counters: CheckCounters(\.viewsCompared, 2))
    #expect(ReportedKindChecker.heldView.check(evidence).verdict == .held)
    #expect(ReportedKindChecker.heldView.check(try .of("")).verdict == .notExercised)
  }

  @Test func aViewThatChangesIsViolated() throws {
    let evidence = try Evidence.of("", reports: [changed], counters: CheckCounters(\.viewsCompared, 2))
    #expect(ReportedKindChecker.heldView.check(evidence).violations == [changed])
  }

  @Test func aCellWithoutCountersIsUnknown() throws {
    let evidence = try Evidence.of("", counters: nil)
    #expect(ReportedKindChecker.logGrowth.check(evidence).verdict == .unknown)
    #expect(ReportedKindChecker.heldView.check(evidence).verdict == .unknown)
  }
}
