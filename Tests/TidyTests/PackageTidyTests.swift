import Foundation
import Testing

/// The rules, over the package as it is.
struct PackageTidyTests {
  @Test func theRulesSeeThePackage() throws {
    let paths = Set(try PackageFolder.everything().map(\.path))
    #expect(
      paths.isSuperset(of: ["Package.swift", "scripts/run", ".ci/run", "Sources/Reporting/Columns/CellRow.swift"]))
  }

  @Test func everythingConcurrentGoesThroughScheduling() throws {
    expectNone(try PackageFolder.sources(in: "Sources").flatMap(SeamRule.findings))
  }

  @Test func everyWaitKnowsOfSimulations() throws {
    expectNone(try PackageFolder.sources(in: "Sources").flatMap(WaitRule.findings))
  }

  @Test func noLimitCountsTheMachinesSleep() throws {
    expectNone(try PackageFolder.sources(in: "Sources").flatMap(ClockRule.findings))
  }

  @Test func sqliteIsCalledInOnePlace() throws {
    expectNone(try PackageFolder.sources(in: "Sources").flatMap(SQLiteRule.findings))
  }

  @Test func observersAreCounted() throws {
    expectNone(try PackageFolder.sources(in: "Sources").flatMap(ObserverRule.findings))
  }

  @Test func importsFollowTheDesign() throws {
    expectNone(try PackageFolder.sources(in: "Sources").flatMap(ImportRule.findings))
  }

  @Test func libraryCodeDoesNotTrap() throws {
    expectNone(try PackageFolder.sources(in: "Sources").flatMap(TrapRule.findings))
  }

  @Test func codeStatesWhatItAssumes() throws {
    expectNone(AssertionRule.findings(in: try PackageFolder.sources(in: "Sources")))
  }

  @Test func trustIsExplained() throws {
    expectNone(try PackageFolder.sources(in: "Sources").flatMap(UncheckedRule.findings))
    expectNone(try PackageFolder.sources(in: "Tests").flatMap(UncheckedRule.findings))
  }

  @Test func noFileIsTooLong() throws {
    expectNone(try PackageFolder.sources(in: "Sources").flatMap(LengthRule.findings))
  }

  @Test func noFunctionIsTooLong() throws {
    expectNone(try PackageFolder.sources(in: "Sources").flatMap(FunctionLengthRule.findings))
  }

  @Test func nothingIsUnfinishedOrOfOneMachine() throws {
    expectNone(try PackageFolder.everything().flatMap(TextRule.findings))
  }

  @Test func textsUseTheFieldsWords() throws {
    let texts = try PackageFolder.everything().filter { !$0.path.hasPrefix("Tests/") }
    expectNone(texts.flatMap(WordRule.findings))
  }

  @Test func exceptionsAreStillNeeded() throws {
    for (path, words) in SeamRule.exceptions.merging(WaitRule.exceptions, uniquingKeysWith: { first, _ in first }) {
      let file = try #require(try PackageFolder.source(path), "\(path) is gone: take it out of the exceptions")
      let used = Set(file.code.flatMap { $0.words.map(String.init) })
      for word in words.keys { #expect(used.contains(word), "\(path) does not use \(word) any more") }
    }
    for path in TrapRule.exceptions.keys {
      let file = try #require(try PackageFolder.source(path), "\(path) is gone: take it out of the exceptions")
      #expect(file.code.contains { line in TrapRule.traps.contains { line.contains($0) } }, "\(path) does not trap")
    }
    for (path, functions) in FunctionLengthRule.exceptions {
      let file = try #require(try PackageFolder.source(path), "\(path) is gone: take it out of the exceptions")
      let long = FunctionLengthRule.tooLong(in: file).map(\.name)
      for name in functions.keys { #expect(long.contains(name), "\(name) of \(path) is short by now") }
    }
  }

  private func expectNone(_ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation) {
    for finding in findings { Issue.record("\(finding)", sourceLocation: sourceLocation) }
  }
}
