import Testing

/// The contract, over the package as it is.
struct ContractTests {
  private static let articles = Result { try PackageFolder.sources(in: Contract.folder) }
  /// Tests of the stack; those of tidiness have made-up rules.
  private static let tests = Result {
    try PackageFolder.sources(in: "Tests").filter { !$0.path.hasPrefix("Tests/TidyTests/") }
  }

  private func contract() throws -> Contract { Contract(try Self.articles.get()) }

  @Test func everySectionIsRead() throws {
    let rules = try contract().rules
    #expect(Set(rules.map(\.position.section)) == Set(1...10))
    for section in 1...10 {
      #expect(Set(rules.filter { $0.position.section == section }.map(\.path)).count == 1, "section S\(section)")
    }
  }

  @Test func rulesAreNumberedInOrderAndHaveABasis() throws {
    expectNone(ContractRule.findings(in: try contract()))
  }

  @Test func everyCitedRuleExists() throws {
    let contract = try contract()
    let files = try PackageFolder.everything().filter { !$0.path.hasPrefix("Tests/TidyTests/") }
    expectNone(files.flatMap { ContractRule.unknownRules(in: $0, contract) })
  }

  @Test func everyRuleIsCitedByATest() throws {
    expectNone(
      ContractRule.untestedRules(
        of: try contract(), tests: try Self.tests.get(), untested: Set(ContractRule.untested.keys)))
  }

  @Test func everyNamedTestExists() throws {
    let names = TestNames(try PackageFolder.sources(in: "Tests"))
    let deviations = try #require(try PackageFolder.source(ContractRule.deviations))
    expectNone((try Self.articles.get() + [deviations]).flatMap { ContractRule.unknownTests(in: $0, names) })
  }

  @Test func everyDeviationNamesItsRules() throws {
    let deviations = try #require(try PackageFolder.source(ContractRule.deviations))
    expectNone(ContractRule.deviationsWithoutRule(in: deviations))
  }

  private func expectNone(_ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation) {
    for finding in findings { Issue.record("\(finding)", sourceLocation: sourceLocation) }
  }
}
