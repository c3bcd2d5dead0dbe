import Testing

@testable import Boundary

@Suite struct ChildLimitTests {
  /// The end after these waits, in seconds over the wanted ones, each with the delay until then; the waits that were
  /// wanted.
  private func end(
    of limit: ChildLimit, late: [Double], _ delay: MachineDelay = MachineDelay()
  ) -> (end: ChildLimit.End?, wanted: [Double]) {
    var limit = limit
    var waits: [Double] = []
    for late in late {
      let wanted = limit.nextWaitSeconds
      waits.append(wanted)
      limit.record(wanted: wanted, waited: wanted + late, delay)
    }
    return (limit.end, waits)
  }

  @Test func aChildThatWasWatchedAllTheTimeHangs() {
    #expect(end(of: ChildLimit(seconds: 2.5), late: [0, 0]).end == nil)
    let (end, wanted) = end(of: ChildLimit(seconds: 2.5), late: [0, 0.25, 0])
    #expect(end == .hang && wanted == [1, 1, 0.75], "what the parent is late by is given back")
  }

  @Test func whatTheMachineTookIsGivenBackUpToALimit() {
    let second = MachineDelay(processor: 1)
    #expect(end(of: ChildLimit(seconds: 2), late: [0, 0], second).end == nil)
    #expect(end(of: ChildLimit(seconds: 2), late: [0, 0, 0], second).end == .hang)
    let much = MachineDelay(processor: 100)
    #expect(end(of: ChildLimit(seconds: 2), late: [0, 0, 0, 0, 0, 0], much).end == .starved(much))
  }

  @Test func aStopThatIsShorterThanAWaitIsGivenBack() {
    let limit = ChildLimit(seconds: 0.125)
    #expect(end(of: limit, late: [0.75]).end == nil)
    let (end, wanted) = end(of: limit, late: [0.75, 0])
    #expect(end == .hang && wanted == [0.125, 0.125])
  }

  @Test func aChildThatASignalHasStoppedHasItsTimeUpToALimit() {
    var limit = ChildLimit(seconds: 1)
    limit.record(wanted: 1, waited: 1, isStopped: true, MachineDelay())
    #expect(limit.end == nil)
    var stopped = limit
    limit.record(wanted: 1, waited: 1, MachineDelay())
    #expect(limit.end == .starved(MachineDelay(stopped: 1)), "nobody can say that it hangs")
    for _ in 0..<2 { stopped.record(wanted: 1, waited: 1, isStopped: true, MachineDelay()) }
    #expect(stopped.end == .starved(MachineDelay(stopped: 3)))
  }

  // The parent and the child were stopped together: the child's progress without the stop is unknown.
  @Test func aParentThatDidNotRunKnowsNothing() {
    #expect(end(of: ChildLimit(seconds: 3), late: [0, 60, 0, 0]).end == .starved(MachineDelay(unwatched: 60)))
    #expect(end(of: ChildLimit(seconds: 3), late: [0, 60]).end == nil, "the child has the rest of its time")
  }
}
