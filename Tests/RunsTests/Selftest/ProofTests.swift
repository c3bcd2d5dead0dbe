import Checking
import Testing

@testable import Runs

struct ProofTests {
  @Test func everyCaseComesOutAsItMustAndNoVerdictIsWithoutOne() {
    #expect(MutantTrial.problems == [])
    #expect(Set(ProofCatalogue.all.map(\.label)).count == ProofCatalogue.all.count)
  }

  @Test func aBuildAsItIsHasNoMutants() {
    if CheckerMutant.areBuilt {
      #expect(MutantTrial.rows().filter(\.noticedBy.isEmpty).map(\.mutant) == [])
    } else {
      #expect(MutantTrial.rows().isEmpty)
    }
  }
}
