import Scheduling
import Testing

@testable import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

struct RunEffectTests {
  /// By hand: means 0, 0.1, 0.2 and 0.5; s² = 0.01; the error is 0.1 · √(1 + 1/3).
  @Test func centresOfRunsDecide() throws {
    let effect = try #require(RunEffect(base: [[0, 0], [0.1, 0.1], [0.2, 0.2]], head: [[0.5, 0.5]]))
    #expect(abs(effect.logarithm - 0.4) < 1e-12)
    #expect(abs(effect.deviation - 0.1) < 1e-12 && effect.degrees == 2)
    #expect(abs(effect.standardError - 0.1 * (4.0 / 3).squareRoot()) < 1e-12)
    #expect(abs(effect.pAbove(0) - StudentT.upperTail(0.4 / effect.standardError, degrees: 2)) < 1e-12)
    #expect(abs(effect.pAbove(0) + effect.pBelow(0) - 1) < 1e-12)
  }

  @Test func fewRunsSayNothing() {
    #expect(RunEffect(base: [[0]], head: [[1]]) == nil)
    #expect(RunEffect(base: [[0], [0]], head: [[1]]) == nil)
    #expect(RunEffect(base: [[0], []], head: [[1], [1]]) == nil)
    #expect(RunEffect(base: [[0], [0]], head: [[1], [1]])?.degrees == 2)
  }

  @Test func aShortHeadIsLessSure() throws {
    let base = [[0.0, 0.2], [0.1, 0.3], [0.05, 0.25]]
    let long = try #require(RunEffect(base: base, head: [[0.5, 0.7]]))
    let short = try #require(RunEffect(base: base, head: [[0.6]]))
    #expect(short.standardError > long.standardError && short.logarithm == long.logarithm)
  }

  @Test func runsThatAreAllTheSameShowAnyDifference() throws {
    let effect = try #require(RunEffect(base: [[1], [1], [1]], head: [[1.5]]))
    #expect(effect.pAbove(0.1) == 0 && effect.pAbove(0.6) == 1 && effect.noise == 0)
  }
}
