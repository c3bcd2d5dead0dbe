import Testing

@testable import Checking

@Suite struct ContextNamesTests {
  @Test func contextsOfSeveralProcessesAreNumberedInTurn() {
    #expect(
      ContextNames.joined([["main", "a"], ["main"]]) == [
        "main of process 1", "main of process 2", "a of process 1", "context 4 of process 2",
      ])
    #expect(ContextNames.joined([["main", "a"]]) == ["main", "a"])
  }
}
