import Foundation
import Testing

/// SchedulingProbe, a process of its own, for cases that a test beside others cannot show.
enum Probe {
  /// The line that it printed for one of its cases; its own alarm ends it if it hangs.
  static func line(_ name: String) throws -> String {
    let process = Process()
    process.executableURL = try #require(Bundle.main.executableURL).deletingLastPathComponent()
      .appending(path: "SchedulingProbe")
    process.arguments = [name]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
