import Foundation

/// The part of a text file that a command writes, between two marks in comments.
package struct MarkedSection: Sendable, Hashable {
  private let begin: String
  private let end: String

  /// The section of a name: `<!-- matrix: … -->` to `<!-- end of matrix -->`.
  package init(_ name: String) {
    precondition(!name.isEmpty && !name.contains("\n"), "a section has a name, on one line")
    begin = "<!-- \(name): written by contextbench \(name) --write, not by hand -->\n"
    end = "<!-- end of \(name) -->"
  }

  /// The text between the marks; nil unless both are there, in order.
  package func content(of text: String) -> String? { range(in: text).map { String(text[$0]) } }

  /// The text with new content between the marks; nil where they are not both there, in their order.
  package func replacing(in text: String, with content: String) -> String? {
    precondition(!content.contains(begin) && !content.contains(end), "a section has no marks in it")
    return range(in: text).map { text.replacingCharacters(in: $0, with: content) }
  }

  /// The marks around nothing, to be put where the section belongs.
  package var marks: String { begin + end }

  private func range(in text: String) -> Range<String.Index>? {
    guard let start = text.range(of: begin)?.upperBound, let stop = text[start...].range(of: end)?.lowerBound else {
      return nil
    }
    return start..<stop
  }
}
