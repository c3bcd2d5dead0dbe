import CoreData
import Testing

/// The real main queue, in a child process.
@Suite struct MainQueueTests {
  // S1.4
  @Test func changesOutsideBlocksAreProcessedOnceAtTheEndOfTheTurn() throws {
    #expect(
      try Probe.lines("outside-blocks") == [
        "turn 1 begins", "turn 1 ends", "posted inserted 2 updated 0 deleted 0 on main", "turn 2 begins",
        "posted inserted 1 updated 0 deleted 0 on main", "turn 2 ends", "turn 3 begins", "turn 3 ends",
      ])
  }

  // S1.4
  @Test func whatAnObserverOfASaveChangesIsProcessedAtTheEndOfTheTurn() throws {
    #expect(
      try Probe.lines("changed-by-observer") == [
        "turn 1 begins", "turn 1 ends", "posted inserted 1 updated 0 deleted 0 on main", "turn 2 begins",
        "turn 2 ends", "posted inserted 1 updated 0 deleted 0 on main", "turn 3 begins", "turn 3 ends",
      ])
  }

  // S1.4
  @Test func aBlockEndsWithProcessing() throws {
    #expect(
      try Probe.lines("perform") == [
        "turn 1 begins", "turn 1 ends", "block ends", "posted inserted 1 updated 0 deleted 0 on main", "turn 2 begins",
        "turn 2 ends",
      ])
  }

  // S1.4
  @Test func whatPerformAndWaitChangedWaitsForTheNextBlock() throws {
    #expect(
      try Probe.lines("perform-and-wait") == [
        "turn 1 begins", "turn 1 ends", "turn 2 begins", "turn 2 ends", "posted inserted 1 updated 0 deleted 0 on main",
        "turn 3 begins", "turn 3 ends",
      ])
  }

  // S1.3, S1.4
  @Test func performAndWaitFromAnotherThreadRunsOnMainAndLeavesItsChanges() throws {
    #expect(
      try Probe.lines("from-background") == ["block on main", "posted inserted 1 updated 0 deleted 0 on main"])
  }

  // S1.3
  @Test func nestedBlocksOfMainAndAPrivateContextRunInlineOnMain() throws {
    #expect(try Probe.lines("nested-on-main") == ["turn 1 begins", "inline on main", "turn 1 ends"])
  }

  // S1.3, S1.7: through the main thread it is no nesting but a cycle.
  @Test func aContextEnteredAgainThroughMainIsACycle() throws {
    let lines = try Probe.lines("through-main")
    #expect(lines.count == 1)
    #expect(lines.first?.wholeMatch(of: #/deadlock: main thread waits for A; thread \d+ waits for main queue/#) != nil)
  }

  // S2.4
  @Test func oneTurnIsOneUndoGroup() throws {
    let lines = try Probe.lines("undo-groups").filter { !$0.hasPrefix("posted") }
    #expect(
      lines == [
        "turn 1 begins", "groups 0 level 1", "turn 1 ends", "turn 2 begins", "groups 1 level 0", "turn 2 ends",
        "turn 3 begins", "groups 2 level 0", "objects 2", "objects 0", "turn 3 ends",
      ])
  }

  // S2.4
  @Test func aGroupOpenedInATurnClosesWithIt() throws {
    #expect(
      try Probe.lines("undo-manager-alone") == [
        "turn 1 begins", "level 1", "turn 1 ends", "turn 2 begins", "level 0 groups 1", "undone", "undone",
        "turn 2 ends",
      ])
  }
}
