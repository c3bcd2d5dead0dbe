import Testing

/// The folders of `CoreData` do not become one knot.
struct FolderRuleTests {
  private static let pairsMax = 8

  @Test func foldersOfCoreDataSeldomNameEachOther() throws {
    let rule = FolderRule(target: "CoreData", try PackageFolder.sources(in: "Sources"))
    #expect(rule.pairs.count <= Self.pairsMax, "\(rule.pairs.map(\.description).joined(separator: "\n"))")
  }

  @Test func eachPairHasItsReason() throws {
    let rule = FolderRule(target: "CoreData", try PackageFolder.sources(in: "Sources"))
    let text = try #require(try PackageFolder.source(TargetTableRule.document)).lines.joined(separator: "\n")
    for pair in rule.pairs where !text.contains("| `\(pair.first)`, `\(pair.second)` |") {
      Issue.record("\(TargetTableRule.document) gives no reason for \(pair)")
    }
  }

  @Test(arguments: [
    ("struct A { let b: B }", "struct B { let a: A }", 1),
    ("struct A { let b: B }", "struct B {}", 0),
    ("struct A { let b: B }", "struct B {} // A", 0),
    ("struct A { let b: B }", "struct B { let name = \"A\" }", 0),
    ("public final class A { let b: any B }", "@MainActor\nprotocol B { associatedtype C: A }", 1),
    ("extension B { func a() {} }", "struct B { let a: A }", 0),
    ("struct A {\n  struct B {}\n  let c: C\n}", "struct C { let b: B }", 0),
    ("typealias A = Int\nlet b: B", "enum B { case one(A) }", 1),
  ])
  func pairs(first: String, second: String, count: Int) {
    let files = [
      SourceFile(path: "Sources/T/First/A.swift", text: first),
      SourceFile(path: "Sources/T/Second/B.swift", text: second),
      SourceFile(path: "Sources/U/Second/B.swift", text: "struct C { let a: A }"),
      SourceFile(path: "Sources/T/Whole.swift", text: "struct A {}\nlet b: B"),
    ]
    #expect(FolderRule(target: "T", files).pairs.count == count)
  }
}
