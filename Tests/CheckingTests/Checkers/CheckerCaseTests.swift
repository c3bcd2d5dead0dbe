import Testing

@testable import Checking

/// The cases of the self-test; further facts of a violation beside its kind are in the tests of the checker.
struct CheckerCaseTests {
  @Test(arguments: CheckerCase.all) func theVerdictIsAsTheCaseSays(example: CheckerCase) throws {
    #expect(try example.holds(), "\(example.subject): \(example)")
  }
}
