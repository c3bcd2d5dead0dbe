import Testing

@testable import Checking

/// The cases of the self-test; what a checker says of a violation beyond its kind is in the tests of the checker.
struct CheckerCaseTests {
  @Test(arguments: CheckerCase.all) func theVerdictIsAsTheCaseSays(example: CheckerCase) throws {
    #expect(try example.holds(), "\(example.subject): \(example)")
  }
}
