import Testing

@testable import Scheduling

/// An object that only a block holds ends with the block, before any thread that waited for it continues.
struct ReleaseTests {
  private let queue = SerialQueue(label: "queue")

  /// Tells where it ended.
  private final class Token: Sendable {
    private let atEnd: @Sendable () -> Void

    init(_ atEnd: @escaping @Sendable () -> Void) { self.atEnd = atEnd }

    deinit { atEnd() }
  }

  // this thread                   queue
  // enqueues a block
  // releases the token
  //                               runs the block
  //                               the token ends
  //                               leaves
  @Test func whatABlockHoldsEndsInTheTurnOfItsQueue() {
    let isReleased = Latch(label: "released")
    let endedInTurn = Locked<Bool?>(nil)
    func enqueue() {
      let token = Token { [unowned queue] in endedInTurn.withLock { $0 = queue.isHeld } }
      queue.async { withExtendedLifetime(token) { isReleased.pass() } }
    }
    enqueue()
    isReleased.open()
    queue.sync {}
    #expect(endedInTurn.withLock { $0 } == true)
  }

  @Test func aBlockFindsWhatTheOneBeforeItHeldGone() {
    let isReleased = Latch(label: "released")
    let events = Locked<[String]>([])
    func enqueue(_ name: String) {
      let token = Token { events.withLock { $0.append("\(name)'s token ends") } }
      queue.async {
        withExtendedLifetime(token) { isReleased.pass() }
        events.withLock { $0.append("\(name) has run") }
      }
    }
    for name in ["first", "second", "third"] { enqueue(name) }
    isReleased.open()
    queue.sync {}
    #expect(
      events.withLock { $0 } == [
        "first has run", "first's token ends", "second has run", "second's token ends", "third has run",
        "third's token ends",
      ])
  }

  @Test func whatAMemberOfAGroupHoldsEndsBeforeTheWaitForIt() {
    let group = WaitGroup(label: "group")
    let pool = WorkPool(label: "pool", width: 2)
    let isReleased = Latch(label: "released")
    let threads = Locked<[String]>([])
    func submit() {
      for number in 0..<2 {
        let token = Token { threads.withLock { $0.append(ThreadRecord.current.name) } }
        let body: @Sendable () -> Void = { withExtendedLifetime(token) { isReleased.pass() } }
        if number == 0 { group.run("member", on: queue, body) } else { group.run("member", on: pool, body) }
      }
    }
    submit()
    isReleased.open()
    group.wait()
    let names = threads.withLock { $0 }
    #expect(names.count == 2)
    #expect(names.allSatisfy { $0.hasSuffix("(member)") }, "\(names)")
  }

  @Test func aDrainedQueueIsNotHeldElsewhere() {
    for _ in 0..<200 {
      weak var witness: SerialQueue?
      func make() -> SerialQueue {
        let queue = SerialQueue(label: "queue")
        for _ in 0..<3 { queue.async { _ = queue.isHeld } }
        return queue
      }
      var made: SerialQueue? = make()
      witness = made
      made?.drain()
      made = nil
      #expect(witness == nil)
    }
  }
}
