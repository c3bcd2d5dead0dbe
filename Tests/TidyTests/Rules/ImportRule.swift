/// The directions of the arrows between targets.
enum ImportRule {
  /// Modules that each target may import: its dependencies. The compiler alone finds an import of anything else only where that
  /// was not built before.
  static let allowed = Dictionary(
    ((try? PackageManifest.own.get().targets) ?? []).map { ($0.name, $0.dependencies) }
  ) { first, _ in first }

  /// Modules of the toolchain, which every target may import.
  static let system: Set<String> = [
    "Foundation", "FoundationXML", "CoreFoundation", "Glibc", "Musl", "Synchronization", "Dispatch",
  ]

  /// The targets that work for tests, and the modules of the toolchain that they import besides.
  static let forTests: [String: Set<String>] = [
    "ContextTesting": ["Testing", "XCTest"], "ExploredTests": ["Testing", "XCTest"],
  ]

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isSwift, let target = file.target else { return [] }
    guard let allowed = allowed[target] else {
      return [Finding(path: file.path, line: 1, what: "\(target) is no target of Package.swift")]
    }
    return file.findings { line in
      guard let module = module(importedBy: line), !allowed.contains(module), !system.contains(module),
        forTests[target]?.contains(module) != true
      else { return nil }
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
