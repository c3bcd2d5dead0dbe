import Foundation
import Scheduling

// waiter                        server
// in "held"
// waits for the server
//                               serves it
// the wait is over
//                               waits for "held"
// continues, leaves "held"
//                               in "held"

/// A thread after its wait that has not continued yet, when the one that ended the wait waits for what it holds: no
/// deadlock, whatever the wait was for.
struct WaitThatIsOver {
  private static let servers = "server"
  private let kind: Substring
  private let held = SerialQueue(label: "held")

  init(_ kind: Substring) { self.kind = kind }

  /// The name of the waiting thread.
  private let waiter = Locked<String?>(nil)
  private let isWaiting = DispatchSemaphore(value: 0)
  private let isServerWaiting = DispatchSemaphore(value: 0)
  private let hasServed = Locked(false)

  /// Prints how it ended, and ends the process.
  func play() {
    Thread { [self] in
      waiter.withLock { $0 = ThreadRecord.current.name }
      Checkpoint.watching(pass) {
        held.sync { wait { hasServed.withLock { $0 = true } } }
        // The server ends the process.
        while true { pause() }
      }
    }.start()
  }

  @Sendable private func pass(_ place: Checkpoint, _ subject: String) {
    let isWaiter = subject == waiter.withLock { $0 }
    switch (place.name, isWaiter, hasServed.withLock { $0 }) {
    case ("wait.begin", true, false): isWaiting.signal()
    case ("wait.begin", false, true): isServerWaiting.signal()
    case ("wait.over", true, true): isServerWaiting.wait()
    default: break
    }
  }

  /// Waits for a server that calls `served` and then enters the queue that this thread holds.
  private func wait(_ served: @escaping @Sendable () -> Void) {
    let enter: @Sendable () -> Void = { [held] in held.sync { () -> Void in finish("no deadlock") } }
    switch kind {
    case "main":
      SerialQueue.main.sync {
        served()
        SerialQueue.main.async(enter)
      }
    case "queue":
      let queue = SerialQueue(label: Self.servers)
      let isHeld = DispatchSemaphore(value: 0)
      Thread {
        queue.sync {
          isHeld.signal()
          isWaiting.wait()
          served()
        }
        enter()
      }.start()
      isHeld.wait()
      queue.sync {}
    case "thread":
      let server = RunLoopThread(label: Self.servers)
      try? server.run("served") {
        isWaiting.wait()
        served()
        server.async(enter)
      }
    case "errand":
      try? BlockingHop.run("served") { block in
        Thread {
          block()
          enter()
        }.start()
      } body: {
        isWaiting.wait()
        served()
      }
    case "gate":
      let gate = Latch(label: "gate")
      Thread {
        gate.willBeOpenedByCurrentThread()
        isWaiting.wait()
        served()
        gate.open()
        enter()
      }.start()
      gate.wait()
    case "group":
      let pool = WorkPool(label: "pool", width: 1)
      let group = WaitGroup(label: "group")
      group.run("served", on: pool) {
        isWaiting.wait()
        served()
      }
      pool.submit("next", enter)
      group.wait()
    default: finish("unknown kind \(kind)")
    }
  }
}
