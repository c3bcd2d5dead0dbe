import Testing

@testable import Boundary

@Suite struct ChildLimitTests {
  /// The end after these waits, in seconds over what was wanted, each with the delay until then; the waits that were
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
    #expect(end == .hang && wanted == [1, 1, 0.25])
  }

  @Test func whatTheMachineTookIsGivenBackUpToALimit() {
    let second = MachineDelay(processor: 1)
    #expect(end(of: ChildLimit(seconds: 2), late: [0, 0], second).end == nil)
    #expect(end(of: ChildLimit(seconds: 2), late: [0, 0, 0], second).end == .hang)
    let much = MachineDelay(processor: 100)
    #expect(end(of: ChildLimit(seconds: 2), late: [0, 0, 0, 0, 0, 0], much).end == .starved(much))
  }

  // The parent and the child were stopped together: nobody knows what the child would have done.
  @Test func aParentThatDidNotRunKnowsNothing() {
    #expect(end(of: ChildLimit(seconds: 3), late: [0, 60, 0]).end == .starved(MachineDelay(unwatched: 60)))
    #expect(end(of: ChildLimit(seconds: 3), late: [0, 60]).end == nil, "the child has the rest of its time")
  }
}
