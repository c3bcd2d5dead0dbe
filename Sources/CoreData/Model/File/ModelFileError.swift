/// Why a model cannot be read: everything that is wrong, each with its place.
package struct ModelFileError: Error, CustomStringConvertible {
  /// One problem of a file.
  package struct Problem: Sendable, CustomStringConvertible {
    /// The file.
    package let path: String
    /// From 1; nil for a problem of the file as a whole.
    package let line: Int?
    /// The problem, and its remedy where that is not plain.
    package let message: String

    package var description: String { "\(path):\(line.map { "\($0):" } ?? "") \(message)" }
  }

  package let problems: [Problem]
  /// Whether there is no such file.
  package let isMissing: Bool

  init(_ problems: [Problem], isMissing: Bool = false) {
    self.problems = problems
    self.isMissing = isMissing
  }

  init(_ path: String, line: Int? = nil, _ message: String, isMissing: Bool = false) {
    self.init([Problem(path: path, line: line, message: message)], isMissing: isMissing)
  }

  package var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension ModelFileError: CustomNSError, LocalizedError {
  package static var errorDomain: String { NSCocoaErrorDomain }

  package var errorCode: Int {
    (isMissing ? CocoaError.Code.fileReadNoSuchFile : CocoaError.Code.fileReadCorruptFile).rawValue
  }

  package var errorDescription: String? { description }
}
