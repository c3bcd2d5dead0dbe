import Testing

@testable import Checking

struct CheckerCatalogueTests {
  @Test func everyCheckerIsFoundByItsName() {
    #expect(
      CheckerCatalogue.names == [
        "confinement", "faults", "deadlock", "lock-order", "lost-record", "duplicate-record", "row-balance",
        "held-view", "log-growth", "orphan-record", "dangling-reference", "asymmetric-inverse", "stored-values",
        "unpersisted-save",
        "stale-read", "lost-update", "acknowledged-writes", "dirty-read", "monotonic-reads", "read-your-writes",
        "staleness-bound",
        "list-append", "bank", "set", "find-or-create", "main-thread-stall", "temporary-id-escaped",
        "cross-context-relationship", "read-only-context-written", "context-leak", "observer-leak",
        "controller-divergence", "failed-save", "merge-policy", "notifications", "history-merges", "overlap",
        "store-corruption", "injected-faults", "durability", "memory-growth", "store-lifecycle", "reports",
      ])
    for name in CheckerCatalogue.names { #expect(CheckerCatalogue.checker(named: name)?.name == name) }
    #expect(CheckerCatalogue.checker(named: "none") == nil)
  }

  @Test func everyCheckerSaysWhichKindsItReports() {
    #expect(Set(CheckerCatalogue.names).count == CheckerCatalogue.names.count)
    let counting = ["overlap", "injected-faults", "reports"]
    for checker in CheckerCatalogue.all where !counting.contains(checker.name) {
      #expect(!checker.kinds.isEmpty, "\(checker.name) says which kinds it reports")
    }
  }

  @Test func onlyTheNamedChecksAreMade() throws {
    let results = CheckerCatalogue.check(try .of(""), by: ["overlap", "faults"])
    #expect(results.map(\.name) == ["faults", "overlap"])
  }

  @Test func theWorstVerdictIsTheCells() {
    let all: [Verdict] = [.held, .notExercised, .unknown, .violated]
    for (rank, verdict) in all.enumerated() {
      #expect(Verdict.combined(all[...rank].reversed()) == verdict)
      #expect(Verdict.combined([verdict, verdict]) == verdict)
    }
    #expect(Verdict.combined([]) == .notExercised)
  }
}
