import Testing

@testable import Checking

struct MemoryGrowthCheckerTests {
  private func result(_ samples: [Int64]) throws -> CheckResult {
    var evidence = try Evidence.of("")
    evidence.parameters.memorySamples = samples
    return MemoryGrowthChecker().check(evidence)
  }

  private let quarter = [Int64](repeating: 100 << 20, count: 10)

  @Test func memoryThatStaysHolds() throws {
    let warming = (1...10).map { Int64($0) << 20 }
    let slightly = quarter.map { $0 * 104 / 100 }
    #expect(try result(warming + quarter + quarter + slightly).verdict == .held)
  }

  @Test func memoryThatGrowsIsALeak() throws {
    let grown = quarter.map { $0 * 106 / 100 }
    let result = try result(quarter + quarter + quarter + grown)
    #expect(result.violations.map(\.kind) == [.contextLeak])
    #expect(result.violations.map(\.subject) == ["process memory"])
  }

  @Test func aShortRunSaysNothing() throws {
    #expect(try result([]).verdict == .notExercised)
    #expect(try result(Array(quarter + quarter).dropLast()).verdict == .notExercised)
  }
}
