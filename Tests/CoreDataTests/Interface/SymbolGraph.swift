import Foundation

/// The public symbols of the module CoreData as the compiler lists them.
struct SymbolGraph {
  struct Symbol: Decodable {
    struct Name: Decodable { let precise: String }
    struct Kind: Decodable { let identifier: String }
    struct Documentation: Decodable {}

    let identifier: Name
    let kind: Kind
    let pathComponents: [String]
    let accessLevel: String
    let docComment: Documentation?

    /// One line of the committed list.
    var line: String {
      "\(pathComponents.joined(separator: ".")) \(accessLevel) \(kind.identifier.replacing("swift.", with: ""))"
    }
  }

  private struct File: Decodable { let symbols: [Symbol] }

  struct Failure: Error, CustomStringConvertible { let description: String }

  let symbols: [Symbol]

  /// Extracts the symbols of the module that these tests were built with, its extensions of other modules included.
  init() throws {
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let root = URL(fileURLWithPath: #filePath).appending(path: "../../../..").standardized
    let output = FileManager.default.temporaryDirectory.appending(path: "contextbench-symbols-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: output) }
    let extractor = Process()
    extractor.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    extractor.arguments = [
      "swift-symbolgraph-extract", "-module-name", "CoreData", "-I", products.appending(path: "Modules").path,
      "-Xcc", "-fmodule-map-file=\(products.appending(path: "CRuntime.build/module.modulemap").path)",
      "-Xcc", "-fmodule-map-file=\(root.appending(path: "Sources/CSQLite/module.modulemap").path)",
      "-Xcc", "-fmodule-map-file=\(root.appending(path: "Sources/CZlib/module.modulemap").path)",
      "-target", Self.target, "-output-dir", output.path, "-minimum-access-level", "public", "-skip-inherited-docs",
      "-skip-synthesized-members",
    ]
    let errors = Pipe()
    extractor.standardError = errors
    try extractor.run()
    let message = errors.fileHandleForReading.readDataToEndOfFile()
    extractor.waitUntilExit()
    guard extractor.terminationStatus == 0 else { throw Failure(description: String(decoding: message, as: UTF8.self)) }
    let files = try FileManager.default.contentsOfDirectory(at: output, includingPropertiesForKeys: nil)
    symbols = try files.flatMap { file in try JSONDecoder().decode(File.self, from: Data(contentsOf: file)).symbols }
      .sorted { ($0.line, $0.identifier.precise) < ($1.line, $1.identifier.precise) }
  }

  private static var target: String {
    #if arch(arm64)
      "aarch64-unknown-linux-gnu"
    #else
      "x86_64-unknown-linux-gnu"
    #endif
  }
}
