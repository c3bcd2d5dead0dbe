import Foundation
import ManagedSources
import Testing

/// Folders as they are in projects: packages, Xcode's folders, files in Objective-C.
struct PortedFolderTests {
  /// Ports a folder that has such files.
  private func port(_ files: [String: String], folder: String = "") throws -> (PortedFolder, prefix: String) {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("ported-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    for (name, text) in files {
      let path = URL(fileURLWithPath: root + "/" + name)
      try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: path, atomically: true, encoding: .utf8)
    }
    return (try SourceFolder.port(root + folder), root + folder + "/")
  }

  private static let note = "@objc(Note) class Note {}"

  /// Which of the files are left out.
  private func leftOut(_ manifest: String, _ files: [String], folder: String = "") throws -> [String] {
    var texts = Dictionary(uniqueKeysWithValues: files.map { ($0, Self.note) })
    texts["Package.swift"] = "// swift-tools-version: 6.0\nimport PackageDescription\n" + manifest
    let (ported, prefix) = try port(texts, folder: folder)
    #expect(ported.files.allSatisfy { $0.isChanged })
    #expect(ported.files.count + ported.leftOut.count == files.count || !folder.isEmpty)
    return ported.leftOut.map { String($0.dropFirst(prefix.count)) }
  }

  @Test func whatAPackageExcludesStaysAsItIs() throws {
    let manifest = """
      let old = ["Old/", "./Model/B.swift"]
      let package = Package(name: "P", targets: [
        .target(name: "P", dependencies: [.target(name: "Q")], exclude: old, resources: [.copy("Data")]),
        .testTarget(name: "PTests", dependencies: ["P"], exclude: ["B.swift"]),
        .target(name: "Q", path: "Q", exclude: ["Sub"], sources: ["A.swift", "Sub", "In"]),
      ])
      """
    let files = [
      "Sources/P/A.swift", "Sources/P/Old/A.swift", "Sources/P/Older.swift", "Sources/P/Model/A.swift",
      "Sources/P/Model/B.swift", "Sources/P/Data/A.swift", "Tests/PTests/A.swift", "Tests/PTests/B.swift", "Q/A.swift",
      "Q/B.swift", "Q/Sub/A.swift", "Q/In/A.swift", "App/A.swift",
    ]
    let expected = [
      "Q/B.swift", "Q/Sub/A.swift", "Sources/P/Data/A.swift", "Sources/P/Model/B.swift", "Sources/P/Old/A.swift",
      "Tests/PTests/B.swift",
    ]
    #expect(try leftOut(manifest, files) == expected)
    #expect(try leftOut(manifest, files, folder: "/Sources/P") == ["Data/A.swift", "Model/B.swift", "Old/A.swift"])
  }

  @Test func aFileThatAnotherTargetCompilesIsPorted() throws {
    let manifest = """
      let package = Package(name: "P", targets: [
        .target(name: "P", path: ".", exclude: ["Tests", "Extra"]), .target(name: "E", path: "Extra"),
      ])
      """
    #expect(try leftOut(manifest, ["A.swift", "Extra/A.swift", "Tests/A.swift"]) == ["Tests/A.swift"])
  }

  @Test func theManifestsConditionsCount() throws {
    let manifest = """
      #if !os(Linux)
      let left: [String] = ["B.swift"]
      #else
      let left = ["A.swift"]
      #endif
      let package = Package(name: "P", targets: [.target(name: "P", exclude: left)])
      """
    #expect(try leftOut(manifest, ["Sources/P/A.swift", "Sources/P/B.swift"]) == ["Sources/P/A.swift"])
  }

  @Test(arguments: [
    ("6.0", "", 1), ("6.2", ", swiftSettings: [.swiftLanguageMode(.v5)]", 0), ("5.9", "", 0),
    ("5.10", ", swiftSettings: [.swiftLanguageMode(.v6)]", 1),
  ])
  func theLanguageOfATargetCounts(version: String, settings: String, count: Int) throws {
    let (ported, _) = try port([
      "Package.swift":
        "// swift-tools-version:\(version)\nlet p = Package(name: \"P\", targets: [.target(name: \"P\"\(settings))])",
      "Sources/P/A.swift": "fputs(\"a\", stderr)",
    ])
    #expect(ported.problems.count == count)
  }

  @Test func theSummaryCounts() throws {
    let (ported, prefix) = try port([
      "App/A.swift": "import UIKit\nlet a = Selector(\"a\")\nlet b = Selector(\"b\")", "App/B.m": "@import CoreData;",
      "Old.swift": Self.note, "Package.swift": "let p = [.target(name: \"P\", path: \".\", exclude: [\"Old.swift\"])]",
    ])
    #expect(ported.problems.map { $0.description.dropFirst(prefix.count).prefix(11) }.last == "App/B.m:1: ")
    #expect(
      ported.summary == [
        "2 × Selector", "1 × Objective-C", "1 × import UIKit",
        "\(prefix)Old.swift stays as it is: Package.swift leaves it out",
      ])
  }
}
