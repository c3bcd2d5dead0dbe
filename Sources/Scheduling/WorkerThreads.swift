import Foundation

/// Threads of their own for blocks that may wait: up to `width`, each made when a block finds none idle.
///
/// Dispatch is no substitute on Linux: it keeps as many threads as there are processors, and adds one for those that
/// wait only once a second, so that blocks which wait for each other stand still until then.
final class WorkerThreads: Sendable {
  /// What the threads share; it outlives the pool while a thread is still leaving.
  private final class Shared: @unchecked Sendable {
    // Sendable: everything is only touched between the condition's lock and unlock.
    let condition = NSCondition()
    /// Blocks in the order they came; those before `next` are taken, and nil so that nothing keeps what they hold.
    var blocks: [(@Sendable () -> Void)?] = []
    var next = 0
    var idle = 0
    var threads = 0
    var isClosed = false

    /// The next block, waited for; nil once the pool is gone.
    func take() -> (@Sendable () -> Void)? {
      condition.lock()
      defer { condition.unlock() }
      while next == blocks.count {
        if isClosed { return nil }
        idle += 1
        condition.wait()
        idle -= 1
      }
      let block = blocks[next]
      blocks[next] = nil
      next += 1
      if next == blocks.count {
        blocks.removeAll(keepingCapacity: true)
        next = 0
      }
      return block
    }
  }

  private let shared = Shared()
  private let label: String
  private let width: Int

  init(label: String, width: Int) {
    self.label = label
    self.width = width
  }

  deinit {
    shared.condition.lock()
    shared.isClosed = true
    shared.condition.broadcast()
    shared.condition.unlock()
  }

  /// Enqueues `block`; blocks are started in the order they came.
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
    let thread = Thread { [shared] in
      while let block = shared.take() { block() }
    }
    thread.name = label
    thread.start()
  }
}
