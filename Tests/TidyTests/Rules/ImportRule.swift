/// The directions of the arrows between targets.
enum ImportRule {
  /// What each target may import, of the package's targets and of the libraries it depends on.
  static let allowed: [String: Set<String>] = [
    "SQLite": ["CSQLite"],
    "Scheduling": [],
    "CoreData": ["CRuntime", "CZlib", "SQLite", "Scheduling"],
    "ManagedSources": [],
    "coredata-accessors": ["ManagedSources"],
    "Measuring": ["CZlib", "Histogram"],
    "Checking": ["SQLite"],
    "Reporting": ["Measuring", "Checking"],
    "Scenarios": ["Checking", "Reporting", "Yams"],
    "Boundary": ["CProcess", "Scheduling", "Measuring", "Checking", "Reporting", "Scenarios"],
    "Cells": [
      "CFloor", "CProcess", "SQLite", "Scheduling", "CoreData", "Measuring", "Checking", "Reporting", "Scenarios",
      "Boundary",
    ],
    // Who judges a cell never sees the stack, nor what runs on it.
    "Runs": ["CProcess", "SQLite", "Measuring", "Checking", "Reporting", "Scenarios", "Boundary"],
    "Commands": [
      "Scheduling", "CoreData", "ManagedSources", "Measuring", "Checking", "Reporting", "Scenarios", "Boundary",
      "Cells", "Runs", "ArgumentParser",
    ],
    "HarnessKit": ["Scheduling", "Checking", "Scenarios", "Boundary", "Cells", "Commands"],
    "contextbench": ["Commands", "Measuring", "CJemalloc"],
  ]

  /// What comes with the toolchain and everyone may import.
  static let system: Set<String> = [
    "Foundation", "FoundationXML", "CoreFoundation", "Glibc", "Musl", "Synchronization", "Dispatch",
  ]

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isSwift, let target = file.target else { return [] }
    guard let allowed = allowed[target] else {
      return [Finding(path: file.path, line: 1, what: "\(target) is not in the table of import directions")]
    }
    return file.findings { line in
      guard let module = module(importedBy: line), !allowed.contains(module), !system.contains(module) else {
        return nil
      }
      return "\(target) may not import \(module)"
    }
  }

  private static let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private", "testable", "_exported", "preconcurrency",
    "_implementationOnly",
  ]

  /// The module of an import declaration: `@testable import A`, `package import struct A.B`.
  static func module(importedBy line: String) -> String? {
    let words = line.words
    guard let position = words.firstIndex(of: "import"), words[..<position].allSatisfy(modifiers.contains) else {
      return nil
    }
    return words[(position + 1)...].first { !kinds.contains($0) }.map(String.init)
  }
}
