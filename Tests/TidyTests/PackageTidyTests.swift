import Foundation
import Testing

/// The rules, over the package as it is.
struct PackageTidyTests {
  @Test func everythingConcurrentGoesThroughScheduling() throws {
    #expect(try PackageFolder.sources(in: "Sources").flatMap(SeamRule.findings) == [])
  }

  @Test func sqliteIsCalledInOnePlace() throws {
    #expect(try PackageFolder.sources(in: "Sources").flatMap(SQLiteRule.findings) == [])
  }

  @Test func importsFollowTheDesign() throws {
    #expect(try PackageFolder.sources(in: "Sources").flatMap(ImportRule.findings) == [])
  }

  @Test func libraryCodeDoesNotTrap() throws {
    #expect(try PackageFolder.sources(in: "Sources").flatMap(TrapRule.findings) == [])
  }

  @Test func trustIsExplained() throws {
    #expect(try PackageFolder.sources(in: "Sources").flatMap(UncheckedRule.findings) == [])
    #expect(try PackageFolder.sources(in: "Tests").flatMap(UncheckedRule.findings) == [])
  }

  @Test func noFileIsTooLong() throws {
    #expect(try PackageFolder.sources(in: "Sources").flatMap(LengthRule.findings) == [])
  }

  @Test func nothingIsUnfinishedOrOfOneMachine() throws {
    #expect(try PackageFolder.everything().flatMap(TextRule.findings) == [])
  }

  @Test func exceptionsAreStillNeeded() throws {
    for (path, words) in SeamRule.exceptions {
      let file = try #require(try PackageFolder.source(path), "\(path) is gone: take it out of the exceptions")
      let used = Set(file.code.flatMap { $0.words.map(String.init) })
      for word in words.keys { #expect(used.contains(word), "\(path) does not use \(word) any more") }
    }
    for path in TrapRule.exceptions.keys {
      let file = try #require(try PackageFolder.source(path), "\(path) is gone: take it out of the exceptions")
      #expect(file.code.contains { line in TrapRule.traps.contains { line.contains($0) } }, "\(path) does not trap")
    }
  }

  @Test func everyScenarioIsInTheReadme() throws {
    let readme = try PackageFolder.source("README.md")?.lines.joined(separator: "\n")
    for file in try PackageFolder.sources(in: "Scenarios") where file.path.hasSuffix(".yml") {
      let name = URL(fileURLWithPath: file.path).deletingPathExtension().lastPathComponent
      #expect(readme?.contains(name) ?? true, "\(file.path) is not mentioned in README.md")
    }
  }
}
