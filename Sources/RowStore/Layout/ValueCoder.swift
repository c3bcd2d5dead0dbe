import Foundation

/// Makes data of the values of one transformable attribute, and values of data.
package protocol ValueCoder: Sendable {
  func encode(_ value: Any) throws -> Data
  func decode(_ data: Data) throws -> Any
  /// Says that values of the attribute cannot be read; the first time only, since a table may be full of them.
  func warnOnce(_ message: String)
}

/// A problem that prevents nothing.
package enum Warning {
  /// Writes a line to standard error.
  package static func write(_ sentence: String) {
    FileHandle.standardError.write(Data("CoreData: warning: \(sentence)\n".utf8))
  }
}
