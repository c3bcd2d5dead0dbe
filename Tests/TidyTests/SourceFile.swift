/// A text file of the package.
struct SourceFile: Sendable {
  /// Path from the package's folder.
  let path: String
  /// Its lines as they are.
  let lines: [String]
  /// Its lines without comments and without the contents of string literals, when it is Swift or C.
  let code: [String]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    code = CodeText.of(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The folder below `Sources` it is in.
  var target: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
  }

  var isSwift: Bool { path.hasSuffix(".swift") }

  /// The findings of `check` in each line of code.
  func findings(_ check: (String) -> String?) -> [Finding] {
    code.enumerated().compactMap { index, line in check(line).map { Finding(path: path, line: index + 1, what: $0) } }
  }
}

/// A place where a rule is broken.
struct Finding: Hashable, CustomStringConvertible {
  let path: String
  let line: Int
  let what: String

  var description: String { "\(path):\(line): \(what)" }
}

extension StringProtocol {
  /// The identifiers and keywords in a line of code.
  var words: [SubSequence] { split { !($0.isLetter || $0.isNumber || $0 == "_") } }
}
