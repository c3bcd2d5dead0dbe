import Testing

/// The harness's test of itself, with a part of the hazards.
@Suite(.serialized) struct SelftestTests {
  @Test func someHazardsAreCaughtAndTheirRightWaysAreClean() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run([
      "selftest", "wrong-queue", "merge-while-main-waits", "--quick", "--seeds", "2", "--allow-debug", "--out",
      "results",
    ])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.folder == "results")
    let rows = try tool.rows("detections.csv", in: "results")
    #expect(rows.map { $0["kind"] } == ["context-off-queue", "deadlock"])
    #expect(rows.allSatisfy { $0["caught"] == "2" && $0["false_alarms"] == "0" && $0["holds"] == "yes" })
    #expect(try tool.rows("cells.csv", in: "results/hazards/wrong-queue").count == 4)
  }

  @Test func aKindIsAskedForByItsNameAndAnUnknownNameIsAUsageError() throws {
    let tool = try Tool()
    defer { tool.remove() }
    let result = try tool.run(["selftest", "asymmetric-inverse", "--seeds", "1", "--allow-debug", "--out", "results"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let unknown = try tool.run(["selftest", "dead-lock", "--allow-debug"])
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("Did you mean deadlock?"))
  }
}
