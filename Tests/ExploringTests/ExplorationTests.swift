import Boundary
import Checking
import Foundation
import ScenarioSamples
import Scenarios
import Testing

@testable import Exploring

@Suite struct ExplorationTests {
  /// An import with the sizes of its file.
  private func scenario(_ assignments: [String] = [], seed: UInt64 = 1) throws -> ExploredScenario {
    let folder = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/small.yml"
    try minimal.write(toFile: file, atomically: true, encoding: .utf8)
    return try ExploredScenario(
      ExploredCell(scenario: file, assignments: assignments, isQuick: true, strategy: "main-only", seed: seed),
      ScenarioLoader(vocabulary: testVocabulary, library: nil))
  }

  private func report(
    _ number: Int, _ kinds: [ViolationKind], isVerified: Bool, isStepLimit: Bool = false
  ) -> SimulationReport {
    var finding = SimulationFinding(number: number, policy: "random-walk", seed: 1)
    finding.violations = kinds.map {
      FoundViolation(Violation(kind: $0, subject: "a row", expected: "a", seen: "b"), isExpected: false)
    }
    finding.isVerified = isVerified
    finding.isStepLimit = isStepLimit
    var report = SimulationReport()
    report.schedules = 1
    report.findings = [finding]
    return report
  }

  @Test func aSeedThatNoSettingHoldsIsRefused() throws {
    #expect(throws: ScenarioProblems.self) { try scenario(seed: 1 << 63) }
    #expect(try scenario(seed: 1 << 63 - 1).cell.seed == 1 << 63 - 1)
  }

  @Test func aViolationThatDidNotComeBackIsKeptAndLookedForAgain() throws {
    var exploration = Exploration(try scenario())
    exploration.add(report(1, [.lostRecord], isVerified: false))
    #expect(exploration.findings.map(\.number) == [1])
    #expect(exploration.unexpectedKinds == ["lost-record"])
    #expect(!exploration.isSettled)
    exploration.add(report(2, [.lostRecord], isVerified: false))
    #expect(exploration.findings.map(\.number) == [1])
    exploration.add(report(3, [.lostRecord], isVerified: true))
    #expect(exploration.findings.map(\.number) == [3])
    #expect(exploration.isSettled)
  }

  @Test func afterSeveralThatDidNotComeBackTheSearchEnds() throws {
    var exploration = Exploration(try scenario())
    for number in 1...3 { exploration.add(report(number, [.lostRecord], isVerified: false)) }
    #expect(exploration.isSettled)
    #expect(exploration.knownKinds == ["lost-record"])
    exploration.add(report(4, [.staleRead], isVerified: false))
    #expect(exploration.findings.map(\.number) == [1, 4])
  }

  @Test func whereEveryOrderWasTriedThereIsNothingMoreToLookFor() throws {
    var exploration = Exploration(try scenario())
    var quiet = SimulationReport()
    quiet.schedules = 28
    exploration.add(quiet)
    #expect(!exploration.isSettled && !exploration.isExhausted)
    quiet.isExhausted = true
    exploration.add(quiet)
    exploration.add(SimulationReport())
    #expect(exploration.isSettled && exploration.isExhausted)
    #expect(ExplorationDocument.Cell(exploration).sentence.contains(": exhausted after 56 schedules, "))
  }

  @Test func aCellThatGivesUpAgainAndAgainIsNotSearchedAnyMore() throws {
    var exploration = Exploration(try scenario())
    var failing = SimulationReport()
    failing.schedules = 9
    failing.failures = 9
    failing.failure = "schedule 0: no store"
    exploration.add(failing)
    #expect(!exploration.isHopeless && exploration.failure == "schedule 0: no store")
    failing.failures = 1
    failing.failure = "schedule 9: no file"
    exploration.add(failing)
    #expect(exploration.isHopeless && exploration.failures == 10)
    #expect(exploration.failure == "schedule 0: no store")
  }

  @Test func aCellOfItsOwnSizeIsAskedForNothingButToBeClean() throws {
    var exploration = Exploration(try scenario(), isWhole: true)
    var quiet = report(0, [], isVerified: true)
    quiet.findings = []
    quiet.notExercised = ["stale-read": 1]
    exploration.add(quiet)
    #expect(exploration.neverExercised.isEmpty && exploration.missing.isEmpty)
    exploration.add(report(0, [.hang], isVerified: true, isStepLimit: true))
    #expect(exploration.isCut && exploration.unexpectedKinds.isEmpty)
    exploration.add(report(0, [.lostRecord], isVerified: true))
    #expect(exploration.unexpectedKinds == ["lost-record"])
  }

  @Test func aCellSaysWhatItsSearchFoundAndHowThatEnds() throws {
    var exploration = Exploration(try scenario())
    var quiet = report(0, [], isVerified: true)
    quiet.findings = []
    quiet.seconds = 0.5
    quiet.fingerprints = [7]
    exploration.add(quiet)
    var cell = ExplorationDocument.Cell(exploration)
    #expect(cell.ending == .passed)
    #expect(
      cell.sentence.hasSuffix(
        ", main-only (importers=4;save_every=500): 1 schedule, 1 distinct, 2/s a job, 0 decisions, 0 pairs of steps, 0 lock orders"
      ),
      "\(cell.sentence)")
    cell.neverExercised = ["stale-read"]
    #expect(cell.ending == .inconclusive && cell.sentence.hasSuffix(", never exercised: stale-read"))
    cell.failures = 2
    cell.failure = "schedule 3: no store"
    #expect(cell.ending == .harnessFailure && cell.sentence.contains(", gave up in 2: schedule 3: no store, "))
    exploration.add(report(1, [.lostRecord], isVerified: true))
    cell = ExplorationDocument.Cell(exploration)
    #expect(cell.ending == .violation && cell.sentence.hasSuffix(", found lost-record"))
    #expect(cell.findings.isEmpty && cell.sentence.contains(": 2 schedules, "))
  }

  @Test func aSearchIsSmallerThanItsFileAndNoLargerThanAsked() throws {
    let scenario = try scenario().cell.scenario
    let small = ExploredScenario.smallAssignments(for: scenario, testVocabulary, besides: ["importers=3"])
    #expect(small.contains("notes=4"))
    #expect(!small.contains { $0.hasPrefix("importers=") })
    let tiny = try self.scenario(["notes=3"]).cell.scenario
    let none = ExploredScenario.smallAssignments(for: tiny, testVocabulary, besides: [])
    #expect(!none.contains { $0.hasPrefix("notes=") })
  }
}
