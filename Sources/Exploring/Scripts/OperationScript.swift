import Boundary
import Foundation

/// The steps of a client that led to a violation, as a cell of `anything` writes them down.
package struct OperationScript: Sendable {
  private static let command = "# to repeat: "
  private static let placeholder = "script=FILE"

  /// The kind of the violation.
  package let kind: String
  /// Words of the command that repeats it, after the program's name.
  private let words: [String]
  private let head: [Substring]
  /// The actions of each step: a word or two, and its edits, where it has any.
  package var steps: [Step]

  /// A line of a script: `write: insert 1 Note; set 1 text 2` has two edits.
  package struct Step: Equatable, Sendable {
    let name: Substring
    package var edits: [Substring]

    init(_ line: Substring) {
      precondition(!line.isEmpty, "a line has a step")
      let parts = line.split(separator: ": ", maxSplits: 1)
      name = parts.first ?? line
      edits = parts.count > 1 ? parts[1].split(separator: "; ") : []
    }

    var text: String { edits.isEmpty ? String(name) : "\(name): \(edits.joined(separator: "; "))" }
  }

  /// Reads a script; nil for a file that is none, or that cannot be read.
  package init?(path: String) {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    self.init(text: text)
  }

  /// Reads the text of a script; nil for other text.
  package init?(text: String) {
    guard text.hasPrefix("# ") else { return nil }
    let lines = text.split(separator: "\n")
    guard lines.count > 2, lines[1].hasPrefix(Self.command), lines[1].hasSuffix(Self.placeholder),
      lines[2].hasPrefix("client ")
    else { return nil }
    kind = String(lines[0].dropFirst(2).prefix { $0 != ":" })
    words = lines[1].dropFirst(Self.command.count).split(separator: " ").dropFirst().map(String.init)
    head = Array(lines.prefix(3))
    steps = lines.dropFirst(3).map(Step.init)
  }

  /// The file's text.
  package var text: String { (head.map(String.init) + steps.map(\.text)).joined(separator: "\n") + "\n" }

  /// Words of the command that repeats a file's steps.
  package func arguments(for path: String) -> [String] {
    words.map { $0 == Self.placeholder ? "script=\(path)" : $0 }
  }

  /// Writes the steps.
  ///
  /// - Throws: `HarnessFailure` with the path and the system's reason.
  package func write(to path: String) throws(HarnessFailure) {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw HarnessFailure("\(path): cannot be written: \(error.localizedDescription)")
    }
  }
}
