import ArgumentParser
import Foundation
import Reporting

/// Writes messages where they do not mix with results.
enum StandardError {
  /// Writes a message and a line end.
  static func write(_ message: String) { FileHandle.standardError.write(Data((message + "\n").utf8)) }
}

extension ExitStatus {
  /// As the error that ends a command.
  var exitCode: ExitCode { ExitCode(rawValue) }
}
