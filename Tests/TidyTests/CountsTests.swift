import Foundation
import Testing

/// The counts of `scripts/counts` stay below their limits: growth is noticed, and raised here with a reason.
struct CountsTests {
  private static let limits = [
    "source-lines": 161_700, "small-files": 144, "file-lines-median": 78, "file-lines-max": 400,
    "code-lines-per-assertion": 80,
    "folder-pairs-Cells": 8, "folder-pairs-Checking": 3, "folder-pairs-CoreData": 8, "folder-pairs-RowStore": 2,
    "folder-pairs-Scenarios": 1,
    "context-files": 17, "context-members": 107, "context-stored": 25, "readme-lines": 170, "readme-words": 1_200,
    "functions-named-take": 36, "word-whose": 51, "comments-that-begin-with-what": 0,
  ]
  /// Those that may be any number.
  private static let free: Set = ["swift-files"]

  private static func counts() throws -> [String: Int] {
    let process = Process()
    process.executableURL = PackageFolder.root.appendingPathComponent("scripts/counts")
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    let pairs = String(decoding: data, as: UTF8.self).split(separator: "\n").map { $0.split(separator: " ") }
    return Dictionary(uniqueKeysWithValues: pairs.compactMap { pair in Int(pair[1]).map { (String(pair[0]), $0) } })
  }

  @Test func noCountExceedsItsLimit() throws {
    let counts = try Self.counts()
    #expect(counts.count > Self.limits.count / 2)
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) where !Self.free.contains(name) {
      let limit = Self.limits[name] ?? 0
      #expect(count <= limit, "\(name) is \(count), more than \(limit)")
    }
  }
}
