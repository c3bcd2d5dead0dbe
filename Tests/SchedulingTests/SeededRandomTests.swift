import Testing

@testable import Scheduling

struct SeededRandomTests {
  @Test func drawsAreThePublishedOnes() {
    var random = SeededRandom(seed: 1_234_567)
    let draws = (0..<5).map { _ in random.next() }
    #expect(
      draws == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
      ])
  }

  @Test func splittingTakesNoDrawAndGivesTheSameEachTime() {
    var random = SeededRandom(seed: 7)
    var untouched = SeededRandom(seed: 7)
    var first = random.split(3)
    var second = random.split(3)
    #expect(first.next() == second.next())
    #expect(random.next() == untouched.next())
  }

  @Test func streamsShareNoDraw() {
    let random = SeededRandom(seed: 7)
    var draws: Set<UInt64> = []
    for stream in 0..<100 as Range<UInt64> {
      var split = random.split(stream)
      for _ in 0..<100 { draws.insert(split.next()) }
    }
    var own = random
    for _ in 0..<100 { draws.insert(own.next()) }
    #expect(draws.count == 10_100)
  }
}
