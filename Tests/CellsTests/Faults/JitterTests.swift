import Scenarios
import Scheduling
import Testing

@testable import Cells

struct JitterTests {
  /// The waits of so many passes.
  private func waits(passes: Int, rate: String = "0.5", seed: UInt64 = 1, isArmed: Bool = true) throws -> [Double] {
    let waits = Locked<[Double]>([])
    let jitter = try #require(
      Jitter(ScenarioSettings(["jitter_rate": rate, "jitter_max_ms": "2"]), seed: seed, process: 0) { seconds in
        waits.withLock { $0.append(seconds) }
      })
    jitter.setArmed(isArmed)
    for _ in 0..<passes { jitter.pass() }
    return waits.withLock { $0 }
  }

  @Test func withoutARateThereIsNone() {
    #expect(Jitter(ScenarioSettings([:]), seed: 1, process: 0) == nil)
  }

  @Test func waitsAreShortAndComeFromTheSeed() throws {
    let first = try waits(passes: 900)
    #expect((400...500).contains(first.count) && first.allSatisfy { (0...0.002).contains($0) })
    #expect(try waits(passes: 900) == first)
    #expect(try waits(passes: 900, seed: 2) != first)
    #expect(try waits(passes: 900, isArmed: false).isEmpty)
  }

  @Test func everySecondStageIsLeftAsItIs() throws {
    let all = Jitter.stage
    let first = try waits(passes: all - 1, rate: "1")
    #expect(first.count == all - 1)
    #expect(try waits(passes: 2 * all - 1, rate: "1").count == all - 1)
    #expect(try waits(passes: 2 * all + 9, rate: "1").count == all + 9)
  }

  @Test(arguments: [
    ("everywhere", "wait.over", true), ("everywhere", "wait.begin", false), ("checkpoints", "wait.over", false),
    ("checkpoints", "save.beforeCommit", true), ("waits", "save.beforeCommit", false), ("waits", "wait.over", true),
    ("transactions", "save.beforeCommit", false),
  ])
  func itIsWhereTheScenarioSays(places: String, place: String, waits: Bool) throws {
    let count = Locked(0)
    let jitter = try #require(
      Jitter(ScenarioSettings(["jitter_rate": "1", "jitter_at": places]), seed: 1, process: 0) { _ in
        count.withLock { $0 += 1 }
      })
    jitter.setArmed(true)
    jitter.reach(Checkpoint(place))
    #expect(count.withLock { $0 } == (waits ? 1 : 0))
    #expect(jitter.isInTransactions == (places == "everywhere" || places == "transactions"))
  }
}
