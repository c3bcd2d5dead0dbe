import Checking

/// The cause of a kind of violation, and the remedy.
package struct Explanation: Sendable {
  /// Documentation, or a user's report.
  package struct Source: Sendable, Hashable {
    /// What it is.
    package let title: String
    /// Where it is.
    package let address: String
  }

  /// How an app usually comes by it.
  package let cause: String
  /// What to do instead.
  package let remedy: String
  /// The remedy as a few lines of Swift.
  package let code: String
  /// Further reading; at least one.
  package let sources: [Source]

  init(cause: String, remedy: String, code: String, sources: [Source]) {
    self.cause = cause
    self.remedy = remedy
    self.code = code
    self.sources = sources
  }

  /// The explanation of a kind, as it is printed.
  package static func text(of kind: ViolationKind) -> String {
    let explanation = kind.explanation
    let checks = CheckerCatalogue.all.filter { $0.kinds.contains(kind) }.map(\.name)
    let found = checks.isEmpty ? "by the harness, in every run" : "by check " + checks.joined(separator: ", ")
    return """
      \(kind.rawValue): \(kind.meaning)
      found \(found)

      Usual cause
      \(indented(explanation.cause))

      Remedy
      \(indented(explanation.remedy))

      \(indented(explanation.code, wrapped: false))

      Sources
      \(explanation.sources.map { "  \($0.title)\n    \($0.address)" }.joined(separator: "\n"))

      """
  }

  /// Columns of printed text.
  private static let width = 100

  private static func indented(_ text: String, wrapped: Bool = true) -> String {
    guard wrapped else {
      return text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }.joined(separator: "\n")
    }
    var lines = [" "]
    for word in text.split(whereSeparator: \.isWhitespace) {
      if lines[lines.count - 1].count + 1 + word.count > width { lines.append(" ") }
      lines[lines.count - 1] += " " + word
    }
    return lines.joined(separator: "\n")
  }
}
