import Checking
import Reporting
import Testing

@testable import Runs

struct StandInTests {
  @Test(arguments: StandInCatalogue.all.map(\.name)) func everyStandInIsCaughtAndItsSoundInputHolds(
    name: String
  ) throws {
    let standIn = try #require(StandInCatalogue.all.first { $0.name == name })
    let result = StandInTrial(standIn: standIn, seeds: 5, run: "r").result()
    #expect(result.problems == [])
    #expect(result.row.holds)
  }

  @Test func namesAreDistinct() {
    #expect(Set(StandInCatalogue.all.map(\.name)).count == StandInCatalogue.all.count)
  }

  @Test func aCheckerThatDoesNotFindItOrDoesNotHoldIsAProblem() throws {
    let sound = StandIn.oneSidedInverse.sound
    let blind = StandIn("blind", of: .asymmetricInverse, broken: sound, sound: sound)
    let missed = StandInTrial(standIn: blind, seeds: 2, run: "r").result()
    #expect(missed.row.caught == 0 && !missed.row.holds && missed.problems.count == 2)
    let broken = StandIn.oneSidedInverse.broken
    let alarmed = StandIn("alarmed", of: .asymmetricInverse, broken: broken, sound: broken)
    let result = StandInTrial(standIn: alarmed, seeds: 2, run: "r").result()
    #expect(result.row.caught == 2 && result.row.falseAlarms == 2 && !result.row.holds)
  }

  @Test func anUnusableSoundInputIsNoProof() throws {
    let broken = StandIn.oneSidedInverse.broken
    let unusable = StandIn("unusable", of: .asymmetricInverse, broken: broken) { _ in
      var evidence = try StandInHistory().evidence()
      evidence.reports = .failure(Unusable("damaged"))
      return evidence
    }
    let row = StandInTrial(standIn: unusable, seeds: 1, run: "r").result().row
    #expect(row.inconclusive == 1 && !row.holds)
  }
}
