import Foundation

/// The process's main run loop: where main-queue blocks run on the main thread.
package enum MainLoop {
  /// Serves the main queue on the main thread until the process exits.
  ///
  /// Only the run loop keeps main-queue blocks on the main thread: after `dispatchMain()` or in an async `main` they run
  /// elsewhere on Linux, so the first block looks.
  ///
  /// - Precondition: called on the main thread.
  package static func run() -> Never {
    precondition(Thread.isMainThread, "the main loop runs on the main thread")
    DispatchQueue.main.async {
      precondition(Thread.isMainThread, "a main-queue block runs on the main thread")
    }
    while true {
      _ = RunLoop.main.run(mode: .default, before: .distantFuture)
    }
  }
}
