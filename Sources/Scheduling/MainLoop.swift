import CoreFoundation
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

extension MainLoop {
  /// Calls `begin` each time the main run loop is about to wait for something to do, and `end` when it wakes; both on
  /// the main thread, for as long as the process lives.
  ///
  /// - SeeAlso: Apple, "CFRunLoopActivity".
  package static func observeWaits(begin: @escaping () -> Void, end: @escaping () -> Void) {
    let activities = CFRunLoopActivity.beforeWaiting.rawValue | CFRunLoopActivity.afterWaiting.rawValue
    let observer = CFRunLoopObserverCreateWithHandler(nil, CFOptionFlags(activities), true, 0) { _, activity in
      if activity == .beforeWaiting { begin() } else { end() }
    }
    CFRunLoopAddObserver(CFRunLoopGetMain(), observer, kCFRunLoopCommonModes)
  }
}
