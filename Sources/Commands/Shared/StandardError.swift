import ArgumentParser
import Foundation
import Reporting

/// Writes messages where they do not mix with results.
enum StandardError {
  /// Writes a message and a line end; where that cannot be, there is no place to say so.
  static func write(_ message: String, terminator: String = "\n") {
    _ = WholeWrite.send(message + terminator, to: STDERR_FILENO)
  }
}

extension ExitStatus {
  /// As the error that ends a command.
  var exitCode: ExitCode { ExitCode(rawValue) }
}
