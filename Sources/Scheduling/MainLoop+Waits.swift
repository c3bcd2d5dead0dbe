import CoreFoundation
import Foundation

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
