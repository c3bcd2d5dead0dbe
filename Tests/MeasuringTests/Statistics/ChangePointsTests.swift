import Testing

@testable import Measuring

struct ChangePointsTests {
  /// A seeded series: levels one after another, with noise of this deviation.
  private func series(_ levels: [(Double, Int)], noise: Double, salt: UInt64) -> [Double] {
    var random = Generator(state: salt)
    return levels.flatMap { level, count in
      (0..<count).map { _ in
        level + noise * (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }
      }
    }
  }

  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  private func find(_ values: [Double], salt: UInt64 = 1) -> [ChangePoints.Change] {
    var random = Generator(state: salt)
    return ChangePoints.find(values, using: &random)
  }

  @Test func aStepIsFoundWhereItIs() {
    let changes = find(series([(0, 20), (0.1, 20)], noise: 0.03, salt: 1))
    #expect(changes.count == 1)
    #expect((18...22).contains(changes.first?.index ?? 0), "\(changes)")
    #expect((changes.first?.p ?? 1) <= 0.01)
  }

  @Test func aStepAndTheWayBackAreTwo() {
    // One split of the whole separates less than both do, so that it takes more values than a single step.
    let changes = find(series([(0, 30), (0.2, 30), (0, 30)], noise: 0.03, salt: 2))
    #expect(changes.count == 2)
    #expect(zip(changes, [30, 60]).allSatisfy { abs($0.index - $1) <= 1 }, "\(changes)")
  }

  @Test func noiseAloneShowsOneInAHundred() {
    let alarms = (1...60).count { !find(series([(0, 24)], noise: 0.05, salt: UInt64($0))).isEmpty }
    #expect(alarms <= 3, "\(alarms) of 60 series without a change have one")
  }

  @Test func mostStepsOfTwiceTheNoiseAreFound() {
    let found = (1...20).count { !find(series([(0, 15), (0.1, 15)], noise: 0.05, salt: UInt64($0 + 100))).isEmpty }
    #expect(found >= 17, "\(found) of 20")
  }

  @Test func whatIsTooShortHasNone() {
    #expect(find([]).isEmpty && find([1]).isEmpty && find([0, 0, 0, 9, 9, 9, 9]).isEmpty)
    #expect(find([Double](repeating: 1, count: 30)).isEmpty)
  }
}
