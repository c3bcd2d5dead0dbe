import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// For suites that take long and run on one thread: ThreadSanitizer has nothing to see in them, and is not asked.
  static var oneThread: Self {
    .disabled(
      if: ProcessInfo.processInfo.environment["CONTEXTBENCH_TEST_SANITIZER"] == "thread",
      "runs on one thread")
  }
}
