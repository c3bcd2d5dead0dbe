import Testing

@testable import Scheduling

struct LatchTests {
  @Test func aClosedGateLetsNoThreadThroughInTime() {
    let gate = Latch(label: "closed")
    #expect(!gate.wait(atMost: 0))
    #expect(!gate.wait(atMost: 0.001))
  }

  @Test func anOpenGateStaysOpen() {
    let gate = Latch(label: "open")
    gate.open()
    gate.open()
    gate.wait()
    #expect(gate.wait(atMost: 0))
  }

  // waiters                       this thread
  // wait
  //                               opens
  // continue
  @Test func openingReleasesEveryWaiter() {
    let gate = Latch(label: "start")
    let passed = Locked(0)
    let waiters = (0..<4).map { _ in
      TestThread {
        gate.wait()
        passed.withLock { $0 += 1 }
      }
    }
    waiters.forEach { $0.untilWaiting() }
    #expect(passed.withLock { $0 } == 0)
    gate.open()
    waiters.forEach { $0.join() }
    #expect(passed.withLock { $0 } == 4)
  }

  @Test func whatWasWrittenBeforeOpeningIsReadAfterWaiting() {
    // Guarded by the gate alone, so that ThreadSanitizer sees it if the gate does not order the two.
    final class Box: @unchecked Sendable { var value = 0 }
    for turn in 1...200 {
      let box = Box()
      let gate = Latch(label: "written")
      let writer = TestThread {
        box.value = turn
        gate.open()
      }
      gate.pass()
      #expect(box.value == turn)
      writer.join()
    }
  }

  @Test func aGateThatIsNeverOpenedCanBeReleased() {
    for _ in 0..<100 { _ = Latch(label: "abandoned") }
  }
}
