import ContextTesting
import Foundation
import Scheduling
import XCTest

/// The tests of one class of XCTest's.
public typealias TestCaseEntry = (testCaseClass: XCTestCase.Type, allTests: [(String, (XCTestCase) throws -> Void)])

/// SwiftPM's runner calls this in place of the library's function: an executable's comes before one of a library. In a process that
/// explores a test it runs that one.
@_silgen_name("$s6XCTest7XCTMainys5NeverOSayAA0A4CaseCm04testD5Class_SaySS_yAFKctG8allTeststGF")
public func runXCTest(_ entries: [TestCaseEntry]) -> Never {
  guard let exploration = Exploration.requested else {
    exit(XCTMain(entries, arguments: CommandLine.arguments, observers: nil))
  }
  // Used by one order after the other.
  nonisolated(unsafe) let entries = entries
  Task.detached {
    let parts = ExploredTest.parts(of: exploration.test) ?? [exploration.test]
    let names = entries.flatMap { type, tests in tests.map { "\(String(reflecting: type))/\($0.0)" } }
      .filter { name in parts.contains { name == $0 || name.hasPrefix($0 + "/") } }
    // A test may serve the main queue before its end, but never begins another one.
    let bodies = names.map { name in { @Sendable in try await MainActor.run { try run(name, of: entries) } } }
    exploration.explore { try await Together.run(bodies, oneByOne: true) }
    exit(EXIT_SUCCESS)
  }
  MainLoop.run()
}

private struct Missing: Error, CustomStringConvertible {
  let description: String
}

/// Runs a test, with its class's work before and after its tests.
@MainActor private func run(_ name: String, of entries: [TestCaseEntry]) throws {
  for (testClass, tests) in entries {
    guard let (test, body) = tests.first(where: { "\(String(reflecting: testClass))/\($0.0)" == name }) else {
      continue
    }
    testClass.setUp()
    defer { testClass.tearDown() }
    testClass.init(name: test, testClosure: body).run()
    return
  }
  throw Missing(description: "There is no test \(name).")
}
