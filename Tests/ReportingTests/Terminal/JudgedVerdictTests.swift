import Checking
import Testing

@testable import Reporting

struct JudgedVerdictTests {
  @Test(arguments: [
    (Verdict.held, RunEnding.passed, "held", Emphasis.good),
    (.violated, .passed, "violated, as expected", .caution),
    (.notExercised, .passed, "not exercised, as expected", .caution),
    (.held, .violated, "held, but not as expected", .bad),
    (.violated, .violated, "violated", .bad),
    (.notExercised, .inconclusive, "not exercised", .caution),
    (.unknown, .harnessFailed, "unknown", .bad),
  ])
  func aVerdictIsHeldAgainstWhatIsExpected(verdict: Verdict, ending: RunEnding, text: String, emphasis: Emphasis) {
    let judged = JudgedVerdict(verdict, ending: ending)
    #expect(judged.text == text && judged.emphasis == emphasis)
  }

  @Test func ofSeveralTheWorstIsReportedWithItsShare() {
    #expect(JudgedVerdict([(.held, .passed), (.violated, .passed)])?.text == "violated 1/2, as expected")
    #expect(JudgedVerdict([(.held, .passed), (.violated, .violated)])?.emphasis == .bad)
    #expect(JudgedVerdict([]) == nil)
  }
}
