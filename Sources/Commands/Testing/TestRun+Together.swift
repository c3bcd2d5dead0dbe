import Foundation
import Measuring
import Scheduling

// Tests of one suite in one process.

extension TestRun.Options {
  /// Has the test that a schedule is of repeated, or the tests.
  mutating func repeats(_ name: String) {
    let parts = ExploredTest.parts(of: name)
    isTogether = parts != nil
    self.name = name
    let end = parts?.count == 1 ? "/[^/]+$" : "$"
    filters = (parts ?? [name]).map { "^" + NSRegularExpression.escapedPattern(for: $0) + end }
  }
}

extension TestRun {
  /// Wall time of the search for two tests that fail together, and of each two.
  private static let secondsOfSearch = 60.0
  private static let secondsOfTwo = 3.0

  /// The tests of each suite that has two and more, together.
  func suites(of tests: [Test]) -> [Test] {
    precondition(tests.allSatisfy(\.members.isEmpty), "tests are put together once")
    func suite(_ test: Test) -> String { test.name.split(separator: "/").dropLast().joined(separator: "/") }
    var suites: [Test] = []
    for test in tests {
      let name = options.name ?? ExploredTest.together([suite(test)])
      let key = (name, test.executable, test.library)
      if let place = suites.firstIndex(where: { ($0.name, $0.executable, $0.library) == key }) {
        suites[place].members.append(test.name)
      } else {
        suites.append(
          Test(name: name, executable: test.executable, library: test.library, members: [test.name]))
      }
    }
    precondition(suites.reduce(0) { $0 + $1.members.count } == tests.count, "each test is one of one suite")
    return suites.filter { $0.members.count > 1 }
  }

  /// How one or two of the tests fail without the others, or that none were found. Nil when it was interrupted.
  func fewest(of test: Test, _ text: String, seconds: Double) async throws -> String? {
    precondition(test.members.count > 1, "of tests that fail together there are two")
    let end = MonotonicClock.now() + UInt64(max(Self.secondsOfSearch, seconds) * 1e9)
    func short(_ name: String) -> String { String(name.split(separator: "/").last ?? "") }
    let named = test.members.filter { text.contains("in " + short($0)) }
    let ordered = named + test.members.filter { !named.contains($0) }
    let pairs = ordered.indices.flatMap { first in ordered[(first + 1)...].map { [ordered[first], $0] } }
    for few in (named.isEmpty ? ordered : named).map({ [$0] }) + pairs where MonotonicClock.now() < end {
      var part = test
      part.name = few.count == 1 ? few[0] : ExploredTest.together(few)
      part.members = few.count == 1 ? [] : few
      guard let attempt = try await attempt(part, seconds: min(seconds, Self.secondsOfTwo)) else { return nil }
      guard let result = attempt.result, result.verdict == .fails else { continue }
      let who = few.map(short).joined(separator: " and ") + (few.count == 1 ? " fails alone" : " fail together")
      return "\(who), in \(result.failing) of \(result.orders) orders.\n\(result.text)"
    }
    return "No two of the tests were seen to fail without the others.\n\(text)"
  }
}
