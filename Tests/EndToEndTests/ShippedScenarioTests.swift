import Foundation
import Testing

/// The scenario files of the package end as they say themselves.
@Suite(.serialized) struct ShippedScenarioTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Scenarios")

  private func run(_ file: String, _ changes: [String] = []) throws {
    let tool = try Tool()
    defer { tool.remove() }
    let path = Self.folder.appendingPathComponent(file).path
    let result = try tool.run(
      ["run", path, "--quick", "--allow-debug", "--out", "results"] + changes.flatMap { ["--set", $0] })
    #expect(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// Smaller still than quick where a debug build would take long.
  @Test(arguments: [
    ("import", ["notes=300"]), ("delete-during-request", []), ("nested-perform-and-wait", []), ("ui-churn", []),
    ("id-handoff", []), ("pending-changes", ["rounds=3"]), ("anything", ["rounds=2", "repetitions=1"]),
    ("contract", ["rounds=1", "repetitions=1", "clients=1"]),
    ("app", ["duration_s=1"]),
  ])
  func theMainJobEndsAsExpected(name: String, changes: [String]) throws { try run(name + ".yml", changes) }

  @Test(arguments: ["relogin-sync", "long-reader", "shootout"])
  func everyStrategyPasses(name: String) throws { try run(name + ".yml", ["notes=200"]) }

  @Test(arguments: ["soak", "soak-processes"])
  func theSoakLosesNothing(name: String) throws { try run(name + ".yml", ["duration_s=1"]) }

  // S6.8, S6.10, S6.12
  @Test func storesComeAndGoUnderLoad() throws { try run("store-lifecycle.yml") }

  @Test func countersOfTwoProcessesLoseNothing() throws { try run("counters-processes.yml") }

  @Test(arguments: [("app-and-extension", ["kills=6"]), ("history-purge", []), ("batch-import", ["notes=300"])])
  func whoFollowsTheHistoryMissesNothing(name: String, changes: [String]) throws { try run(name + ".yml", changes) }

  @Test(arguments: [
    "inaccessible-fault", "deadlock", "object-off-queue", "context-off-queue", "unpersisted-save", "stale-read",
    "lock-order", "wrong-queue", "merge-while-main-waits", "perform-on-confined", "controller-divergence",
    "temporary-id-escaped", "cross-context-relationship", "read-only-context-written", "observer-leak", "context-leak",
    "prefault-after-delete", "late-deletion", "copied-while-open", "wrong-value", "resurrected-record",
    "missed-transaction", "repeated-transaction", "misordered-transaction", "own-transaction-merged",
    "token-regression", "early-purge", "generation-change",
  ])
  func aMistakeIsCaughtAndItsRightWayIsClean(hazard: String) throws {
    try run("hazards/\(hazard).yml")
    try run("hazards/\(hazard)-careful.yml")
  }

  /// So many rounds that a client pushes the same row again.
  @Test func whatOnlyAParentHasIsFoundHoweverOftenARowWasPushed() throws {
    try run("hazards/unpersisted-save.yml", ["update_rounds=30"])
    try run("hazards/unpersisted-save-careful.yml", ["update_rounds=30"])
  }

  /// The mistake at its shipped size, which holds main for a multiple of the budget; the right way smaller, since debug
  /// builds are slow.
  @Test func aStallOfMainIsCaughtAndItsRightWayIsClean() throws {
    try run("hazards/main-thread-stall.yml")
    try run("hazards/main-thread-stall-careful.yml", ["notes=2000"])
  }

  @Test func aSaveMergedAfterItsRowsWereDeletedDoesNoHarm() throws { try run("hazards/late-merge.yml") }

  @Test func everyMistakeHasItsRightWay() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path + "/hazards").sorted()
    // A file without a `must` is of a scenario that stays clean by itself.
    let texts = try files.map { try String(contentsOfFile: Self.folder.path + "/hazards/" + $0, encoding: .utf8) }
    #expect(texts.count { $0.contains("must:") } > 40)
    for (file, text) in zip(files, texts) where text.contains("must:") {
      #expect(text.contains("\ncareful:\n"), "\(file)")
    }
  }
}
