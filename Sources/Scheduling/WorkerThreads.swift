import Foundation

/// Threads of their own for blocks that may wait: up to `width`, each made when a block finds none idle.
///
/// Dispatch is no substitute on Linux: its global queues keep as many threads as there are processors, and add one for
/// those that wait only once a second; its serial queues have 255 threads together, so that a block of a queue without
/// contention waits behind blocks that wait for each other.
final class WorkerThreads: Sendable {
  /// The state that the threads share; it outlives the pool while a thread is still leaving.
  private final class Shared: @unchecked Sendable {
    // Sendable: everything is only touched between the condition's lock and unlock.
    let condition = NSCondition()
    /// Blocks in the order they came; those before `next` are taken, and nil so that nothing keeps their objects.
    var blocks: [(@Sendable () -> Void)?] = []
    var next = 0
    var idle = 0
    var threads = 0
    var isClosed = false
    /// Number of idle threads that stay; of more, those that find nothing to do for a while end.
    let idleMax: Int

    init(idleMax: Int) { self.idleMax = idleMax }

    /// Fewer places of blocks taken than this are not worth moving the rest.
    private static let takenMax = 64
    /// How long a thread too many waits for a block.
    private static let patienceSeconds = 5.0

    /// The next block, waited for; nil for a thread that is to end.
    func nextBlock() -> (@Sendable () -> Void)? {
      condition.lock()
      defer { condition.unlock() }
      while next == blocks.count {
        if isClosed { return nil }
        idle += 1
        defer { idle -= 1 }
        guard idle > idleMax else {
          condition.wait()
          continue
        }
        if !condition.wait(until: Date(timeIntervalSinceNow: Self.patienceSeconds)), next == blocks.count {
          threads -= 1
          return nil
        }
      }
      let block = blocks[next]
      blocks[next] = nil
      next += 1
      if next == blocks.count {
        blocks.removeAll(keepingCapacity: true)
        next = 0
      } else if next > Self.takenMax, next * 2 > blocks.count {
        blocks.removeSubrange(..<next)
        next = 0
      }
      return block
    }
  }

  private let shared: Shared
  private let label: String
  private let width: Int

  /// - Parameter idleMax: how many threads stay when there is nothing to do; as many as there are with nil.
  init(label: String, width: Int, idleMax: Int? = nil) {
    precondition(width > 0 && (idleMax ?? 0) >= 0, "a pool has a thread")
    self.label = label
    self.width = width
    shared = Shared(idleMax: idleMax ?? width)
  }

  deinit {
    shared.condition.lock()
    shared.isClosed = true
    shared.condition.broadcast()
    shared.condition.unlock()
  }

  /// Blocks of a simulation that wait for one before them to end, and how many have not ended.
  private let simulated = Locked((waiting: [] as [@Sendable () -> Void], running: 0))

  private func add(_ block: @escaping @Sendable () -> Void, to simulation: Simulation, _ name: String) {
    let isNext = simulated.withLock { simulated in
      if simulated.running == width {
        simulated.waiting.append(block)
        return false
      }
      simulated.running += 1
      return true
    }
    guard isNext else { return }
    simulation.add(name) { [self] in
      block()
      while let next = simulated.withLock({ simulated -> (@Sendable () -> Void)? in
        if simulated.waiting.isEmpty { simulated.running -= 1 }
        return simulated.waiting.isEmpty ? nil : simulated.waiting.removeFirst()
      }) {
        Simulation.pass("job", 0, name)
        next()
      }
    }
  }

  /// Enqueues `block`; blocks are started in the order they came.
  ///
  /// - Parameter name: the name of the block in the trace of a simulation; the pool's label where it is empty.
  func add(_ name: String, _ block: @escaping @Sendable () -> Void) {
    if let simulation = Simulation.current { return add(block, to: simulation, name.isEmpty ? label : name) }
    add(LiveOrder.isOn ? noting(name.isEmpty ? label : name, block) : block)
  }

  /// Tasks as a simulation would have them, where the order of a live process is noted: a block that waits for one before it to end
  /// becomes that one's task.
  private let noted = Locked((waiting: 0, running: 0, left: [] as [LiveOrder.Task]))

  private func noting(_ name: String, _ block: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
    let new = noted.withLock { noted -> LiveOrder.Task? in
      guard noted.running < width else {
        noted.waiting += 1
        return nil
      }
      noted.running += 1
      return LiveOrder.task(name)
    }
    return { [self] in
      let task = new ?? noted.withLock { $0.left.removeFirst() }
      LiveOrder.run(task, from: new == nil ? "job" : "start", block)
      noted.withLock { noted in
        if noted.waiting > 0 {
          noted.waiting -= 1
          noted.left.append(task)
        } else {
          noted.running -= 1
        }
      }
    }
  }

  /// The same for a block that takes part in no simulation, or leads it itself.
  func add(_ block: @escaping @Sendable () -> Void) {
    shared.condition.lock()
    shared.blocks.append(block)
    let waiting = shared.blocks.count - shared.next
    let needsThread = waiting > shared.idle && shared.threads < width
    if needsThread { shared.threads += 1 }
    shared.condition.signal()
    shared.condition.unlock()
    if needsThread { startThread() }
  }

  private func startThread() {
    NamedThread.start(label) { [shared] in
      while let block = shared.nextBlock() { block() }
    }
  }
}
