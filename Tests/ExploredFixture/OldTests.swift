import Foundation
import XCTest

/// The same with XCTest.
final class OldTests: XCTestCase {
  static var all: [(String, (OldTests) -> () throws -> Void)] {
    [
      ("testCareless", asyncTest(testCareless)), ("testMended", asyncTest(testMended)), ("testAnswer", testAnswer),
    ]
  }

  func testCareless() async throws {
    let balance = await balanceAfterTwo(.careless)
    XCTAssertEqual(balance, 2)
  }

  func testMended() async throws {
    let balance = await balanceAfterTwo(.mended)
    XCTAssertEqual(balance, 2)
  }

  /// The answer comes before the work that it is about, in some order.
  func testAnswer() throws {
    let answer = expectation(description: "answer")
    let done = Locked()
    DispatchQueue(label: "work").async { done.set() }
    DispatchQueue(label: "answers").async { answer.fulfill() }
    wait(for: [answer], timeout: 5)
    XCTAssertTrue(done.isSet)
  }

  // The lock is taken for each use of the value.
  private final class Locked: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false
    func set() { lock.withLock { value = true } }
    var isSet: Bool { lock.withLock { value } }
  }
}
