import Foundation
import Synchronization
import Testing

@testable import Scheduling

struct LockedTests {
  @Test func contendersLoseNoUpdate() {
    let counter = Locked(0)
    let threads = (0..<4).map { _ in
      TestThread { for _ in 0..<5_000 { counter.withLock { $0 += 1 } } }
    }
    threads.forEach { $0.join() }
    #expect(counter.withLock { $0 } == 20_000)
  }

  // The holder stays inside until the contenders have stopped looking and say that they sleep.
  @Test(.timeLimit(.minutes(10))) func whoSleepsIsWoken() {
    for _ in 0..<50 {
      let counter = Locked(0)
      let contenders = counter.withLock { _ in
        let contenders = (0..<2).map { _ in TestThread { counter.withLock { $0 += 1 } } }
        while counter.word.load(ordering: .relaxed) != 2 { sched_yield() }
        return contenders
      }
      contenders.forEach { $0.join() }
      #expect(counter.withLock { $0 } == 2)
      #expect(counter.word.load(ordering: .relaxed) == 0)
    }
  }

  @Test func anErrorUnlocks() {
    struct Failure: Error {}
    let value = Locked("before")
    #expect(throws: Failure.self) {
      try value.withLock { state throws(Failure) in
        state = "after"
        throw Failure()
      }
    }
    #expect(value.withLock { $0 } == "after")
  }

  // Each reading by withLock would wrap the function once more, until a call runs out of stack.
  @Test func aFunctionThatIsReadOftenStaysAsItIs() {
    let function = Locked<(@Sendable (Int) -> Int)?>({ $0 + 1 })
    for _ in 0..<200_000 { _ = function.current }
    #expect(function.current?(1) == 2)
  }
}
