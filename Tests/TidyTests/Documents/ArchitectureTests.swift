import Foundation
import Testing

/// `ARCHITECTURE.md` and `CONTRIBUTING.md` name what exists.
struct ArchitectureTests {
  @Test(arguments: PathRule.documents) func everyPathExists(document: String) throws {
    let file = try #require(try PackageFolder.source(document))
    let manager = FileManager.default
    let folders = try [PackageFolder.root, PackageFolder.root.appendingPathComponent("Sources")]
      .flatMap { try manager.contentsOfDirectory(atPath: $0.path) }
      // A build's output is not there before, and a sanitizer's build is elsewhere.
      .filter { !$0.hasPrefix(".build") }
    let findings = PathRule.findings(in: file, folders: Set(folders)) { path in
      [path, "Sources/" + path].contains {
        manager.fileExists(atPath: PackageFolder.root.appendingPathComponent($0).path)
      }
    }
    for finding in findings { Issue.record("\(finding)") }
  }

  @Test func theTableOfTargetsIsThePackageAndPointsUpwards() throws {
    let file = try #require(try PackageFolder.source(TargetTableRule.document))
    for finding in TargetTableRule.findings(in: file, try PackageManifest.own.get()) { Issue.record("\(finding)") }
  }

  /// The text of the file at a path, or of the files below it, from the root or from `Sources`.
  private static func texts(_ files: [SourceFile]) -> (String) -> [String]? {
    { path in
      let (places, folders) = ([path, "Sources/" + path], [path + "/", "Sources/" + path + "/"])
      let found = files.filter { file in
        places.contains(file.path) || folders.contains { file.path.hasPrefix($0) }
      }
      return found.isEmpty ? nil : found.map { $0.lines.joined(separator: "\n") }
    }
  }

  @Test func theWalksLeadToTheFilesOfWhatTheyName() throws {
    let file = try #require(try PackageFolder.source(StepRule.document))
    #expect(!StepRule.steps(of: file).isEmpty)
    let texts = Self.texts(try PackageFolder.everything())
    for finding in StepRule.findings(in: file, texts: texts) { Issue.record("\(finding)") }
  }

  @Test func lengthsAreAboutRight() throws {
    let file = try #require(try PackageFolder.source(LineCountRule.document))
    let texts = Self.texts(try PackageFolder.everything())
    for finding in LineCountRule.findings(in: file, texts: texts) { Issue.record("\(finding)") }
  }

  @Test(arguments: [
    ("1. `opens`: `A.swift`", 0), ("1. `shuts`: `A.swift`", 1), ("1. `open`: `A.swift`", 1),
    ("1. `opens(_:)`: `B`, `A.swift`", 0), ("1. `Box.opens`: `A.swift`", 0), ("1. `Box.lid`: `A.swift`", 1),
    ("1. `Box.init`: `A.swift`", 0), ("12. `shuts`: `B`", 0), ("1. `opens`", 1), ("1. `result.json`: `B`", 0),
    ("`shuts`: `A.swift`", 0), ("## Next\n1. `shuts`: `A.swift`", 0),
  ])
  func steps(text: String, count: Int) {
    let file = SourceFile(path: "X.md", text: "1. `gone`\n\(StepRule.heading)\n\(text)")
    let texts = Self.texts([
      SourceFile(path: "Sources/A.swift", text: "init()\nlet lid\nfunc opens()"),
      SourceFile(path: "Sources/B/C.swift", text: "func shuts()"),
    ])
    #expect(StepRule.findings(in: file, texts: texts).count == count)
  }

  @Test(arguments: [
    ("| `A.swift`, 10 lines |", 0), ("| `A.swift`, 12 lines |", 0), ("| `A.swift`, 13 lines |", 1),
    ("| `A.swift`, 7 lines |", 1), ("| `A.swift`, `B`, 1,010 lines |", 0), ("| `A.swift` | 3 lines |", 0),
  ])
  func lengths(text: String, count: Int) {
    let texts = Self.texts([
      SourceFile(path: "Sources/A.swift", text: String(repeating: "x\n", count: 10)),
      SourceFile(path: "Sources/B/C.swift", text: String(repeating: "x\n", count: 1_000)),
    ])
    let findings = LineCountRule.findings(in: SourceFile(path: "X.md", text: text), texts: texts)
    #expect(findings.count == count)
  }

  @Test(arguments: [
    ("see `Sources/A.swift`", 0), ("see `A.swift`", 0), ("see `Sources/B.swift`", 1), ("see `B.swift`", 1),
    ("[a](A.swift) [b](https://a.b/c.md) [c](#c)", 0), ("[b](B.md)", 1), ("`Sources/NAME.swift`", 0),
    ("`Sources/Gone/NAME.swift`", 1), ("`results.csv`, `a/b`, `run --x Sources/y`, `.swift`", 0),
    ("```\n`Sources/B.swift`\n```", 0),
  ])
  func paths(text: String, count: Int) {
    let file = SourceFile(path: "X.md", text: text)
    let known: Set = ["Sources", "Sources/A.swift", "A.swift"]
    #expect(PathRule.findings(in: file, folders: ["Sources"], exists: known.contains).count == count)
  }

  private static let manifest = """
    let package = Package(
      products: [.plugin(name: "P", targets: ["P"])],
      targets: [
        .systemLibrary(name: "C", pkgConfig: "c", providers: [.apt(["c-dev"])]),
        .target(name: "A", dependencies: ["C", .product(name: "Y", package: "Ys")], swiftSettings: settings),
        // .target(name: "Gone"),
        .executableTarget(name: "B", dependencies: ["A"] + (x ? ["C"] : []), swiftSettings: settings),
        .executableTarget(name: "T", dependencies: ["A"], path: "Tests/T", swiftSettings: settings),
        .testTarget(name: "ATests", dependencies: ["A"]),
      ]
    )
    """

  @Test func targetsAreReadFromTheManifest() {
    #expect(
      PackageManifest(Self.manifest).targets == [
        .init(name: "C", dependencies: []), .init(name: "A", dependencies: ["C", "Y"]),
        .init(name: "B", dependencies: ["A", "C"]),
      ])
  }

  @Test(arguments: [
    (["| `C` | c | – |", "| `A` | a | `C` `Y` |", "| `B` | b | `A` `C` |"], 0),
    (["| `A` | a | `C` `Y` |", "| `C` | c | – |", "| `B` | b | `A` `C` |"], 1),
    (["| `C` | c | – |", "| `A` | a | `C` |", "| `B` | b | `A` `C` |"], 1),
    (["| `C` | c | – |", "| `A` | a | `C` `Y` |"], 1),
    (["| `C` | c | – |", "| `A` | a | `C` `Y` |", "| `B` | b | `A` `C` |", "| `D` | d | – |"], 1),
  ])
  func targetTables(rows: [String], count: Int) {
    let text = (["| target | what it is | imports |", "|---|---|---|"] + rows).joined(separator: "\n")
    let findings = TargetTableRule.findings(
      in: SourceFile(path: "X.md", text: text), PackageManifest(Self.manifest))
    #expect(findings.count == count)
  }
}
