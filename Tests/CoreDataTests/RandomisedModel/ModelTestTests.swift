import Testing

@testable import CoreData

/// The randomised test is tested: mistakes are found, and reported in a few steps.
@Suite(.oneThread) struct ModelTestTests {
  // S2.4, S2.6, S3.3, S5.2, S8.1
  @Test(arguments: ReferenceModel.Mutation.allCases)
  func aWrongRuleIsFoundAndReportedInAFewSteps(mutation: ReferenceModel.Mutation) throws {
    let episode = Episode(
      model: AtlasSchema.model(isOrdered: mutation.world.isOrdered), world: mutation.world, mutation: mutation,
      isThorough: true)
    for seed in 1...UInt64(60) {
      let (script, failure) = episode.run(seed: seed, count: 120)
      guard let failure else { continue }
      let short = episode.shrink(Array(script.prefix(failure.step + 1)), failure)
      #expect(short.count <= 15, "\(short.map(\.description).joined(separator: "\n"))")
      let found = try #require(episode.run(short))
      #expect(found.kind == failure.kind)
      let right = Episode(model: episode.model, world: episode.world, isThorough: true)
      #expect(right.run(short) == nil, "the script holds without the mutant")
      return
    }
    Issue.record("\(mutation) was not found")
  }

  @Test func aSeedGivesTheSameStepsEachTime() {
    let episode = Episode(model: AtlasSchema.model())
    let first = episode.run(seed: 7, count: 100)
    let second = episode.run(seed: 7, count: 100)
    #expect(first.script == second.script)
    #expect(first.script.count == 100)
  }

  @Test(arguments: 1...20) func theShrinkerLeavesWhatIsNeeded(distance: Int) {
    let needed = [3, 3 + distance, 90]
    var runs = 0
    let short = Shrinker.shortest(Array(0..<100)) { candidate in
      runs += 1
      return needed.allSatisfy(candidate.contains)
    }
    #expect(short == needed)
    #expect(runs < 400)
  }

  @Test func theShrinkerStopsAtItsLimit() {
    var tried = 0
    let short = Shrinker.shortest(Array(0..<1_000), triedMax: 5_000) { candidate in
      tried += candidate.count
      return candidate.contains(0) && candidate.contains(500) && candidate.contains(999)
    }
    #expect(tried <= 5_000)
    #expect([0, 500, 999].allSatisfy(short.contains))
  }

  @Test func theShrinkerStopsAtOneStep() {
    #expect(Shrinker.shortest([1, 2, 3]) { _ in true }.count == 1)
  }
}
