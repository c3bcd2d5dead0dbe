import Foundation

/// Writes messages where they do not mix with results.
enum StandardError {
  /// Writes a message and a line end.
  static func write(_ message: String) { FileHandle.standardError.write(Data((message + "\n").utf8)) }
}
