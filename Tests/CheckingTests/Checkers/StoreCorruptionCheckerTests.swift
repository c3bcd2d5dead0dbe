import Testing

@testable import Checking

struct StoreCorruptionCheckerTests {
  private func result(_ condition: Result<StoreCondition, Unusable>) throws -> CheckResult {
    var evidence = try Evidence.of("")
    evidence.condition = condition
    return StoreCorruptionChecker().check(evidence)
  }

  @Test(arguments: [StoreCondition.Damage.Kind.integrity, .bookkeeping])
  func eachDamageIsAViolation(damage: StoreCondition.Damage.Kind) throws {
    let damages = [StoreCondition.Damage(damage, "ZNOTE", expected: "whole", seen: "not whole", count: 2)]
    let result = try result(.success(StoreCondition(rows: 3, damages: damages)))
    #expect(result.verdict == .violated)
    #expect(
      result.violations == [
        Violation(kind: .storeCorruption, subject: "ZNOTE", expected: "whole", seen: "not whole", count: 2)
      ])
  }
}
