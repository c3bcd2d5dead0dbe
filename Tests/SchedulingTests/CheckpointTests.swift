import Testing

@testable import Scheduling

// The handlers are the process's: other suites reach places of their own meanwhile, and may watch.
@Suite(.serialized) struct CheckpointTests {
  private static let place = Checkpoint("test.place")

  @Test func withoutAHandlerTheSubjectIsNotEvaluated() throws {
    #expect(try Probe.line("checkpoint") == "evaluations: [0, 1, 1]")
  }

  @Test func everyHandlerSeesPlaceAndSubjectOnceInTheOrderOfWatching() {
    let seen = Locked<[String]>([])
    Checkpoint.watching { place, subject in
      guard place == Self.place else { return }
      seen.withLock { $0.append("outer \(place.name) \(subject)") }
    } _: {
      Checkpoint.watching { place, subject in
        guard place == Self.place else { return }
        seen.withLock { $0.append("inner \(place.name) \(subject)") }
      } _: {
        Self.place.reach("A")
      }
      Self.place.reach("B")
    }
    #expect(seen.withLock { $0 } == ["outer test.place A", "inner test.place A", "outer test.place B"])
  }

  @Test func anErrorEndsTheWatch() {
    struct Failure: Error {}
    let seen = Locked(0)
    #expect(throws: Failure.self) {
      try Checkpoint.watching { place, _ in
        guard place == Self.place else { return }
        seen.withLock { $0 += 1 }
      } _: {
        throw Failure()
      }
    }
    Self.place.reach("not watched")
    #expect(seen.withLock { $0 } == 0)
  }

  // worker                        handler
  // reaches the place
  //                               holds it there
  // (is stopped)
  //                               lets it go
  @Test func aHandlerHoldsAThreadAtItsPlace() {
    let reached = Latch(label: "reached")
    let released = Latch(label: "released")
    let isPast = Locked(false)
    Checkpoint.watching { place, _ in
      guard place == Self.place else { return }
      reached.open()
      released.pass()
    } _: {
      let worker = TestThread {
        Self.place.reach("worker")
        isPast.withLock { $0 = true }
      }
      reached.pass()
      #expect(!isPast.withLock { $0 })
      released.open()
      worker.join()
      #expect(isPast.withLock { $0 })
    }
  }
}
