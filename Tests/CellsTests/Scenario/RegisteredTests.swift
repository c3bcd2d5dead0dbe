import Cells
import ScenarioSamples
import Testing

@testable import Scenarios

struct RegisteredTests {
  @Test func everyDefaultAndQuickValueIsValid() throws {
    for key in ScenarioVocabulary.registered.keys {
      for value in [key.defaultValue, key.quickValue].compactMap({ $0 }) {
        let canonical = try key.type.canonical(value, isQuoted: false, in: "/", vocabulary: testVocabulary)
        #expect(canonical == value || Double(canonical) == Double(value), "\(key.name)")
      }
    }
  }

  @Test func keysAreDeclaredOnceAndDocumented() {
    #expect(Set(ScenarioVocabulary.registered.keys.map(\.name)).count == ScenarioVocabulary.registered.keys.count)
    #expect(ScenarioVocabulary.registered.keys.allSatisfy { $0.documentation.hasSuffix(".") })
  }

  @Test func severalProcessesNeedAsManyClientsAndNoCheckOfOneProcessAlone() {
    func problems(_ lines: String) -> [String] {
      ScenarioSamples.problems(of: "workload: counters\nstrategies: [main-only]\n" + lines, vocabulary: .registered)
    }
    #expect(problems("processes: 2\nclients: 2\n").isEmpty)
    #expect(problems("processes: 1\nclients: 1\nchecks: [notifications]\n").isEmpty)
    #expect(
      problems("processes: 3\nclients: 2\n") == [
        "test.yml:3: processes: 3 processes cannot share 2 clients. Write clients: 3 or more."
      ])
    #expect(
      problems("processes: 2\nchecks: [notifications]\n") == [
        "test.yml:4: checks: notifications looks at the saves of one process. Remove it, or processes."
      ])
    #expect(
      ScenarioSamples.problems(of: minimal + "processes: 2\n") == [
        "test.yml:3: processes: is not used by workload import. Remove it."
      ])
  }

  @Test func aLimitNeedsTheCheckThatComparesWithIt() {
    func problems(_ lines: String) -> [String] {
      ScenarioSamples.problems(of: "workload: import\nstrategies: [main-only]\n" + lines, vocabulary: .registered)
    }
    let limits = [
      ("main_stall_budget_ms", "main-thread-stall"), ("watchdog_s", "main-thread-stall"),
      ("staleness_bound_ms", "staleness-bound"), ("wal_budget_mb", "log-growth"),
    ]
    for (key, check) in limits {
      #expect(problems("\(key): 5\n") == [], "without checks all are made")
      #expect(problems("\(key): 5\nchecks: [confinement, \(check)]\n") == [])
      #expect(
        problems("\(key): 5\nchecks: [confinement]\n") == [
          "test.yml:3: \(key): has no effect without the check \(check). Add \(check) to checks, or leave \(key) out."
        ])
    }
  }
}
