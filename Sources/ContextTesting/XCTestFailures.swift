import Foundation
import Scheduling
import XCTest

/// Notes the failures that XCTest records while a body runs: XCTest itself has no other way to see them.
final class XCTestFailures: NSObject, XCTestObservation, Sendable {
  /// Observes from its first use on, as long as the process runs.
  static let shared = {
    let failures = XCTestFailures()
    XCTestObservationCenter.shared.addTestObserver(failures)
    return failures
  }()

  private let receiver = Locked<(@Sendable (String) -> Void)?>(nil)

  /// Failures go to `receiver` from now on.
  func receive(_ receiver: (@Sendable (String) -> Void)?) { self.receiver.withLock { $0 = receiver } }

  func testCase(
    _ testCase: XCTestCase, didFailWithDescription description: String, inFile filePath: String?, atLine lineNumber: Int
  ) {
    // The process may do more than run the body.
    guard Simulation.isCurrent, let receiver = receiver.current else { return }
    let file = filePath.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
    receiver("\(file):\(lineNumber): \(description)")
  }
}
