import Foundation

/// A `PATH` that has nothing but a shell and the given tools, each a line of shell.
final class StandInMachine {
  /// How `scripts/prepare` ended.
  struct Outcome: Equatable {
    let status: Int32
    let text: String
    /// The calls of tools with the line ``log``.
    let calls: [String]
  }

  /// A tool that writes down how it was called.
  static let log = "echo \"${0##*/} $*\" >> \"$STAND_IN_LOG\""

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("stand-in-\(UUID().uuidString)")

  init(_ tools: [String: String]) throws {
    let manager = FileManager.default
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["bash", "env", "id", "true"] {
      try manager.createSymbolicLink(
        at: folder.appendingPathComponent(name), withDestinationURL: URL(fileURLWithPath: "/usr/bin/\(name)"))
    }
    for (name, line) in tools {
      let tool = folder.appendingPathComponent(name)
      try? manager.removeItem(at: tool)
      try Data("#!/bin/bash\n\(line)\n".utf8).write(to: tool)
      try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tool.path)
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Runs `scripts/prepare` on this machine.
  func prepare() throws -> Outcome {
    let log = folder.appendingPathComponent("log")
    let process = Process()
    process.executableURL = PackageFolder.root.appendingPathComponent("scripts/prepare")
    process.environment = ["PATH": folder.path, "STAND_IN_LOG": log.path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let calls = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    return Outcome(
      status: process.terminationStatus, text: String(decoding: text, as: UTF8.self),
      calls: calls.split(separator: "\n").map(String.init))
  }
}
