import Testing

@testable import Checking

struct InjectedFaultsCheckerTests {
  private func result(_ faults: [InjectedFaultCount]) throws -> CheckResult {
    var evidence = try Evidence.of("")
    evidence.parameters.faults = faults
    return InjectedFaultsChecker().check(evidence)
  }

  @Test func everyFaultThatIsAskedForMustHaveHappened() throws {
    #expect(
      try result([InjectedFaultCount(name: "busy", count: 2), InjectedFaultCount(name: "death", count: 1)]).verdict
        == .held)
    let result = try result([InjectedFaultCount(name: "busy", count: 2), InjectedFaultCount(name: "death", count: 0)])
    #expect(result.verdict == .notExercised)
    #expect(result.note == "busy 2 times, death never")
  }

  @Test func aScenarioWithoutFaultsExercisesNothing() throws {
    #expect(try result([]).verdict == .notExercised)
  }
}
