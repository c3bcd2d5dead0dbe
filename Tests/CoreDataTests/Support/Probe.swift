import Foundation
import Testing

/// CoreDataProbe, run with a case that a test runner cannot do in its own process.
enum Probe {
  static var executable: URL {
    get throws {
      try #require(Bundle.main.executableURL).deletingLastPathComponent().appending(path: "CoreDataProbe")
    }
  }

  /// How the child ended, and its text on both outputs.
  static func run(
    _ arguments: [String], environment: [String: String]? = nil
  ) throws -> (reason: Process.TerminationReason, status: Int32, output: String) {
    let process = Process()
    process.executableURL = try executable
    process.arguments = arguments
    if let environment { process.environment = environment }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationReason, process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  /// The lines that a case prints which is to end well.
  static func lines(_ name: String) throws -> [String] {
    let (reason, status, output) = try run([name])
    #expect(reason == .exit)
    #expect(status == 0)
    return output.split(separator: "\n").map(String.init)
  }
}
