import Testing

/// In a process of its own, since reads are watched in the whole process.
@Suite struct ReadStartTests {
  @Test func everySnapshotOfAReadButTheFirstIsSeen() throws {
    #expect(
      try Probe.lines("snapshots") == [
        "first 0", "again 1", "another 2", "beside the third 3", "outside of a read 3", "in a transaction 3",
        "again in it 3", "the next read 3",
      ])
  }
}
