import Testing

/// Findings of the contract's checks, and texts that they leave alone, on made-up articles and tests.
struct ContractRuleTests {
  private func contract(_ text: String) -> Contract {
    Contract([SourceFile(path: "\(Contract.folder)/A.md", text: text)])
  }

  private func rule(_ number: String) -> String { "### \(number) Title\n\n- It holds.\n\nBasis: a page.\n\n" }

  @Test(arguments: [
    ("// S5.2", ["S5.2"]), ("// S5.2, S3.10: why", ["S5.2", "S3.10"]), ("S1.5.", ["S1.5"]),
    ("\"S9.3 depth\"", ["S9.3"]),
    ("S3", []), ("S3.", []), ("XS5.2", []), ("S5.2a", []), ("S5.2_", []), ("S.2", []), ("", []), ("SS5.2", []),
    ("(S2.3, S2.1)", ["S2.3", "S2.1"]), ("S1S2.3", []),
  ])
  func citationsAreFound(line: String, numbers: [String]) {
    #expect(RuleCitation.numbers(in: line) == numbers)
  }

  @Test func rulesAreHeadingsWithANumber() {
    let rules = contract("# Title\n\n## Rules\n\n### S1.1 One\n\n- a\n\nBasis: p.\n\n### Two\n\n### S1.2 Three\nS1.1")
      .rules
    #expect(rules.map(\.number) == ["S1.1", "S1.2"])
    #expect(rules.map(\.line) == [5, 13])
    #expect(rules.map(\.hasBasis) == [true, false])
  }

  @Test(arguments: [
    (["S1.1", "S1.2", "S2.1"], 0), (["S1.2"], 1), (["S1.1", "S1.1"], 1), (["S1.1", "S1.3"], 1),
  ])
  func numbersAreInOrder(numbers: [String], count: Int) {
    #expect(ContractRule.findings(in: contract(numbers.map(rule).joined())).count == count)
  }

  @Test func aRuleNeedsABasis() {
    #expect(ContractRule.findings(in: contract("### S1.1 Title\n\n- It holds.\n\nBasis: \n")).count == 1)
  }

  @Test(arguments: [("// S1.1", 0), ("// S1.2", 1), ("// S1.1, S1.2, S7.9", 2), ("let S1 = 2", 0)])
  func unknownRulesAreFound(text: String, count: Int) {
    let file = SourceFile(path: "Tests/ATests/A.swift", text: text)
    #expect(ContractRule.unknownRules(in: file, contract(rule("S1.1"))).count == count)
  }

  @Test func anArticleMayNotNameAnUnknownRuleEither() {
    let article = SourceFile(path: "\(Contract.folder)/A.md", text: rule("S1.1") + "See S1.2.")
    #expect(ContractRule.unknownRules(in: article, Contract([article])).map(\.line) == [7])
  }

  @Test(arguments: [
    ("// S1.1, S1.2", [], 0), ("// S1.1", [], 1), ("// S1.1", ["S1.2"], 0), ("// S1.1, S1.2", ["S1.2"], 1),
    ("// S1.1, S1.2", ["S1.3"], 1), ("", [], 2),
  ])
  func everyRuleIsTestedOrListed(text: String, untested: [String], count: Int) {
    let tests = [SourceFile(path: "Tests/ATests/A.swift", text: text)]
    let contract = contract(rule("S1.1") + rule("S1.2"))
    #expect(ContractRule.untestedRules(of: contract, tests: tests, untested: Set(untested)).count == count)
  }

  @Test(arguments: [
    ("`BoxTests`, `BoxTests.opens`", 0), ("`LidTests`", 1), ("`BoxTests.closes`", 1), ("BoxTests.closes", 0),
    ("`Tests/BoxTests`", 0), ("`save()`", 0), ("`BoxTests.Inner.x`", 0),
  ])
  func namedTestsExist(line: String, count: Int) {
    let tests = SourceFile(
      path: "Tests/ATests/BoxTests.swift",
      text: "@Suite struct BoxTests {\n  @Test func opens() {}\n  // func closes\n}\n")
    let file = SourceFile(path: "DEVIATIONS.md", text: line)
    #expect(ContractRule.unknownTests(in: file, TestNames([tests])).count == count)
  }

  @Test(arguments: [
    ("# D\n\n## A\nx\n\nRules: S1.1\n\n## B\nS1.2", 0), ("# D\n\n## A\nx\n\n## B\nS1.2", 1), ("# S1.1\n", 0),
    ("## A", 1),
  ])
  func aDeviationNamesItsRule(text: String, count: Int) {
    #expect(ContractRule.deviationsWithoutRule(in: SourceFile(path: "DEVIATIONS.md", text: text)).count == count)
  }
}
