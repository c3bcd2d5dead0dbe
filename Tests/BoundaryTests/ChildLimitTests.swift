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
    #expect(end(of: ChildLimit(seconds: 0.3125), late: [0, 0]).end == nil)
    let (end, wanted) = end(of: ChildLimit(seconds: 0.3125), late: [0, 0.03125, 0])
    #expect(end == .hang && wanted == [0.125, 0.125, 0.09375], "what the parent is late by is given back")
  }

  @Test func whatTheMachineTookIsGivenBackUpToALimit() {
    let wait = MachineDelay(processor: 0.125)
    #expect(end(of: ChildLimit(seconds: 0.25), late: [0, 0], wait).end == nil)
    #expect(end(of: ChildLimit(seconds: 0.25), late: [0, 0, 0], wait).end == .hang)
    let much = MachineDelay(processor: 100)
    #expect(end(of: ChildLimit(seconds: 0.25), late: [0, 0, 0, 0, 0, 0], much).end == .starved(much))
  }

  /// As `cpulimit` stops a process and its children, for 0.45 of each 0.5 seconds: within a longer wait no stop would show.
  @Test func manyShortStopsAreGivenBack() {
    let (end, wanted) = end(of: ChildLimit(seconds: 8), late: Array(repeating: 0.325, count: 60))
    #expect(end == nil && wanted.allSatisfy { $0 <= 0.125 })
    let late = Self.late(until: ChildLimit(seconds: 0.5))
    #expect(late.end == .starved(MachineDelay(unwatched: late.seconds)))
  }

  /// The end of a child that always stops with its parent, and how late that was in all.
  private static func late(until limit: ChildLimit) -> (end: ChildLimit.End?, seconds: Double) {
    var (limit, seconds) = (limit, 0.0)
    while limit.end == nil {
      let wanted = limit.nextWaitSeconds
      limit.record(wanted: wanted, waited: wanted + 0.25, MachineDelay())
      seconds += 0.25
    }
    return (limit.end, seconds)
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
    let limit = ChildLimit(seconds: 0.375)
    #expect(end(of: limit, late: [0, 60, 0, 0]).end == .starved(MachineDelay(unwatched: 60)))
    #expect(end(of: limit, late: [0, 60]).end == nil, "the child has the rest of its time")
  }
}
