import Foundation
import Testing

@testable import Scheduling

/// How long anything in these tests may take before it counts as never.
let deadlineSeconds = 20.0

/// A thread of one test, to be joined.
final class TestThread: Sendable {
  private let record = Locked<ThreadRecord?>(nil)
  private let isDone = Latch(label: "end of a test's thread")

  init(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread { [record, isDone] in
      record.withLock { $0 = .current }
      body()
      isDone.open()
    }
    thread.start()
  }

  func join(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(isDone.wait(atMost: deadlineSeconds), "the thread ends", sourceLocation: sourceLocation)
  }

  /// Returns once the thread has announced a wait, for `target` when one is given.
  func untilWaiting(for target: (any WaitTarget)? = nil, sourceLocation: SourceLocation = #_sourceLocation) {
    let end = Date(timeIntervalSinceNow: deadlineSeconds)
    while !isWaiting(for: target) {
      guard Date() < end else {
        Issue.record("the thread never waits", sourceLocation: sourceLocation)
        return
      }
      sched_yield()
    }
  }

  private func isWaiting(for target: (any WaitTarget)?) -> Bool {
    guard let record = record.withLock({ $0 }) else { return false }
    return WaitForGraph.update { record.waitsFor.map { target == nil || $0 === target } ?? false }
  }
}

extension Latch {
  /// Waits for the gate; records an issue when it is not opened.
  func pass(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(wait(atMost: deadlineSeconds), "the gate opens", sourceLocation: sourceLocation)
  }
}
