import Testing

@testable import Measuring

struct MachineActivityTests {
  private static let stat = """
    cpu  100 20 30 4000 50 6 7 8 0 0
    cpu0 50 10 15 2000 25 3 3 4 0 0
    ctxt 12345

    """

  @Test func ticksAreAddedUpWithoutIdleAndWaiting() throws {
    let activity = try #require(MachineActivity(stat: Self.stat, ticksPerSecond: 100, ownSeconds: 0.5))
    #expect(abs(activity.busySeconds - 1.63) < 1e-9)
    #expect(abs(activity.stealSeconds - 0.08) < 1e-9)
    #expect(MachineActivity(stat: "cpu 1 2", ticksPerSecond: 100, ownSeconds: 0) == nil)
    #expect(MachineActivity(stat: "", ticksPerSecond: 100, ownSeconds: 0) == nil)
  }

  @Test func whatOthersUsedIsWhatIsNotOurs() throws {
    var before = try #require(MachineActivity(stat: Self.stat, ticksPerSecond: 100, ownSeconds: 0))
    before.ownSeconds = 1
    var after = before
    after.busySeconds += 3
    after.ownSeconds += 2
    after.stealSeconds += 0.25
    #expect(after.others(since: before).others == 1)
    #expect(after.others(since: before).steal == 0.25)
    // Ticks are coarser than our own clock.
    after.ownSeconds += 5
    #expect(after.others(since: before).others == 0)
  }

  @Test func pressureIsTheShareOfTheLastTenSeconds() {
    let text = "some avg10=86.44 avg60=94.29 avg300=96.25 total=22717558014\nfull avg10=0.00 avg60=0.00 total=0\n"
    #expect(MachineActivity.processorPressure(text: text) == 0.8644)
    #expect(MachineActivity.processorPressure(text: "full avg10=1.00\n") == nil)
  }

  @Test func stallsForMemoryAreRead() {
    let text =
      "some avg10=0.00 avg60=0.00 avg300=0.00 total=9000000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=2500000\n"
    #expect(MachineActivity.memoryStallSeconds(text: text) == 2.5)
    #expect(MachineActivity.memoryStallSeconds(text: "some total=1\n") == nil)
  }

  @Test func thisMachineIsRead() throws {
    let activity = try #require(MachineActivity.current())
    #expect(activity.busySeconds > 0)
    #expect(activity.ownSeconds > 0)
  }
}
