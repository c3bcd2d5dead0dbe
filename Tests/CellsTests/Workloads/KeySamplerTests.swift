import Scheduling
import Testing

@testable import Cells

struct KeySamplerTests {
  /// How often each key of ten is drawn in 100,000 draws.
  private func counts(_ distribution: KeySampler.Distribution) -> [Int] {
    let sampler = KeySampler(distribution, count: 10)
    var random = SeededRandom(seed: 7)
    var counts = [Int](repeating: 0, count: 11)
    for _ in 0..<100_000 { counts[sampler.draw(using: &random)] += 1 }
    #expect(counts[0] == 0)
    return Array(counts.dropFirst())
  }

  @Test func uniformDrawsEveryKeyAsOften() {
    for count in counts(.uniform) { #expect(9_500...10_500 ~= count) }
  }

  /// The expected shares: 1 / k^0.99 over the sum of these.
  @Test func zipfianDrawsLowKeysByTheirRank() {
    let shares = [0.339, 0.171, 0.114, 0.086, 0.069, 0.058, 0.049, 0.043, 0.039, 0.035]
    for (count, share) in zip(counts(.zipfian), shares) { #expect(abs(Double(count) / 100_000 - share) < 0.01) }
  }

  @Test func latestDrawsHighKeysByTheSameLaw() {
    #expect(counts(.latest) == counts(.zipfian).reversed())
  }

  @Test(arguments: KeySampler.Distribution.allCases)
  func theSameSeedGivesTheSameKeys(distribution: KeySampler.Distribution) {
    let sampler = KeySampler(distribution, count: 1_000)
    var (first, second) = (SeededRandom(seed: 3), SeededRandom(seed: 3))
    for _ in 0..<100 { #expect(sampler.draw(using: &first) == sampler.draw(using: &second)) }
  }

  @Test(arguments: KeySampler.Distribution.allCases)
  func severalKeysAreDifferentOnes(distribution: KeySampler.Distribution) {
    let sampler = KeySampler(distribution, count: 4)
    var random = SeededRandom(seed: 5)
    for _ in 0..<50 { #expect(Set(sampler.draw(4, using: &random)) == [1, 2, 3, 4]) }
    #expect(KeySampler(distribution, count: 1).draw(using: &random) == 1)
  }
}
