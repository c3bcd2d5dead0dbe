import Foundation

/// The output of the machine's commands.
package enum ToolOutput {
  /// The standard output of a command found on the path, or named by its own path; nil where it is not there, or fails.
  ///
  /// Its standard error is dropped, and it has no input. Blocks until it ends.
  package static func of(_ command: String, _ arguments: [String]) -> String? {
    precondition(!command.isEmpty, "a command has a name")
    let process = Process()
    let output = Pipe()
    let isPath = command.contains("/")
    process.executableURL = URL(fileURLWithPath: isPath ? command : "/usr/bin/env")
    process.arguments = isPath ? arguments : [command] + arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationReason == .exit && process.terminationStatus == 0 ? text : nil
  }
}
