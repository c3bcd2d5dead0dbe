import Foundation
import Testing

@testable import Checking

@Suite struct CheckCountersTests {
  @Test func everyCounterAddsUp() throws {
    let names = Mirror(reflecting: CheckCounters()).children.compactMap(\.label)
    let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0 + 1) })
    var counters = try JSONDecoder().decode(CheckCounters.self, from: JSONEncoder().encode(numbers))
    counters.add(counters)
    let sums = try JSONDecoder().decode([String: Int].self, from: JSONEncoder().encode(counters))
    #expect(sums == numbers.mapValues { 2 * $0 })
  }
}
