extension SerialQueue {
  // MARK: Threads

  /// Waits for the turn of a private queue and takes it; the queue the thread was directly inside of before.
  @inline(__always)
  func enter(_ thread: ThreadRecord.Reference) -> UnsafeRawPointer? {
    if LockOrder.isOn { LockOrder.willEnter(self, thread.record) }
    Simulation.pass("enter", number, name)
    let isMine = turn.compareExchange(
      expected: OwnerWord.free, desired: thread.address, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
    if !isMine { waitForTurn(thread.record) }
    return thread.with { $0.enter(self) }
  }

  /// The queue a thread was directly inside of before it entered another.
  struct Outer { let address: UnsafeRawPointer? }

  /// Takes the turn of a private queue if it is free.
  func enterIfFree(_ thread: ThreadRecord.Reference) -> Outer? {
    let isMine = turn.compareExchange(
      expected: OwnerWord.free, desired: thread.address, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
    guard isMine else { return nil }
    // An entry without a wait makes no order.
    if LockOrder.isOn { LockOrder.hasEntered(self, thread.record) }
    return Outer(address: thread.with { $0.enter(self) })
  }

  /// Gives the turn back, or to the first in line.
  @inline(__always)
  func leave(_ thread: ThreadRecord.Reference, to outer: UnsafeRawPointer?) {
    thread.with { $0.leave(self, to: outer) }
    let isFree = turn.compareExchange(
      expected: thread.address, desired: OwnerWord.free, successOrdering: .releasing, failureOrdering: .relaxed
    ).exchanged
    if !isFree { passOn() }
  }

  @inline(never)
  private func waitForTurn(_ thread: ThreadRecord) {
    let waiter = WaitQueue.Waiter(thread)
    let mustWait = WaitForGraph.beginWait(
      thread, for: self,
      ifNeeded: {
        comeInto(line: .waiter(waiter), ifFree: ThreadRecord.Reference(thread).address)
      }, isOver: { waiter.isNext })
    guard mustWait else { return }
    WaitCheckpoints.begin.reach(thread.stepName)
    waiter.granted.wait(for: "the turn of \(name)")
    WaitCheckpoints.over.reach(thread.stepName)
    // Acquires the writes that the last owner released.
    let word = turn.load(ordering: .acquiring)
    precondition(OwnerWord.thread(word) === thread, "the turn is given to the first in line")
  }

  /// Under the graph's lock: takes the turn as `owner` if the queue is free, else comes into the line; whether it did
  /// the latter.
  private func comeInto(line entry: WaitQueue.Entry, ifFree owner: UInt) -> Bool {
    while true {
      let word = turn.load(ordering: .relaxed)
      let new = word == OwnerWord.free ? owner : word | OwnerWord.hasLine
      // The owner may leave at any moment, as long as none waits.
      guard
        turn.compareExchange(
          expected: word, desired: new, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed
        ).exchanged
      else { continue }
      guard word != OwnerWord.free else { return false }
      line.join(entry)
      return true
    }
  }

  /// The next owner of the turn.
  private enum Next {
    case waiter(WaitQueue.Waiter)
    /// The queue's ``block``.
    case block
  }

  /// Gives the turn to the first in line; the calling thread has it, and others wait.
  @inline(never)
  private func passOn() {
    switch WaitForGraph.update({ dequeueFirst(as: OwnerWord.free) }) {
    case .waiter(let waiter): waiter.granted.give()
    case .block: start()
    case nil: preconditionFailure("whoever gets the turn with a line behind it passes it on")
    }
  }

  /// Under the graph's lock: takes the first in line out and makes it the owner; a block's is `thread`.
  private func dequeueFirst(as thread: UInt) -> Next? {
    guard let entry = line.next() else { return nil }
    let rest = line.isEmpty ? 0 : OwnerWord.hasLine
    switch entry {
    case .block(let next):
      block = next
      // Without a thread it is not free either.
      turn.store(thread == OwnerWord.free ? OwnerWord.hasLine : thread | rest, ordering: .releasing)
      return .block
    case .waiter(let waiter):
      waiter.isNext = true
      if waiter.thread.waitsFor === self { waiter.thread.waitsFor = nil }
      turn.store(ThreadRecord.Reference(waiter.thread).address | rest, ordering: .releasing)
      return .waiter(waiter)
    }
  }

  // MARK: Blocks

  /// Lets a block have its turn on one of the threads for that.
  func enqueue(_ new: @escaping @Sendable () -> Void) {
    Simulation.pass("enqueue", number, name)
    let mustWait = WaitForGraph.update {
      let mustWait = comeInto(line: .block(new), ifFree: OwnerWord.hasLine)
      if !mustWait { block = new }
      return mustWait
    }
    if !mustWait { start() }
  }

  /// Where the blocks of private queues run, not when: as many threads as there are blocks that run or wait.
  private static let threads = WorkerThreads(label: "private queues", width: .max, idleMax: 16)

  private func start() {
    visits.enter()
    // Released by hand, so that the visit is over only when the thread no longer keeps the queue.
    let queue = Unmanaged.passRetained(self)
    Self.threads.add(Simulation.isOn ? name : "") {
      let visits = queue._withUnsafeGuaranteedRef { queue in
        queue.run()
        return queue.visits
      }
      queue.release()
      visits.leave()
    }
  }

  /// Runs the block that has the turn, and the blocks that are first in line then, on the calling thread.
  private func run() {
    let thread = ThreadRecord.Reference.current
    WaitForGraph.update {
      turn.store(thread.address | (line.isEmpty ? 0 : OwnerWord.hasLine), ordering: .releasing)
    }
    while true {
      Simulation.pass("block", number, name)
      let outer = thread.with { $0.enter(self) }
      runBlock()
      thread.with { $0.leave(self, to: outer) }
      let isFree = turn.compareExchange(
        expected: thread.address, desired: OwnerWord.free, successOrdering: .releasing, failureOrdering: .relaxed
      ).exchanged
      if isFree { return }
      switch WaitForGraph.update({ dequeueFirst(as: thread.address) }) {
      case .waiter(let waiter):
        waiter.granted.give()
        return
      case .block: continue
      case nil: preconditionFailure("whoever gets the turn with a line behind it passes it on")
      }
    }
  }

  /// Runs the block that has the turn and releases it: objects that only it held end in its queue's turn, so that the next
  /// owner finds them gone, as on a queue of Dispatch's.
  @inline(never)
  private func runBlock() {
    guard let block = block.take() else { preconditionFailure("whoever gives a block the turn leaves it in `block`") }
    if LockOrder.isOn { LockOrder.run(block, in: self) } else { block() }
  }
}
