import Checking
import Scenarios

/// The cause of a kind of violation, and the remedy.
package struct Explanation: Sendable {
  /// Documentation, or a user's report.
  package struct Source: Sendable, Hashable {
    /// Its name.
    package let title: String
    /// Where it is.
    package let address: String
  }

  /// How an app usually comes by it.
  package let cause: String
  /// The right way.
  package let remedy: String
  /// The remedy as a few lines of Swift.
  package let code: String
  /// Further reading; at least one.
  package let sources: [Source]

  init(cause: String, remedy: String, code: String, sources: [Source]) {
    precondition(!cause.isEmpty && !remedy.isEmpty && !code.isEmpty, "an explanation has a cause, a remedy and code")
    precondition(!sources.isEmpty && sources.allSatisfy { $0.address.hasPrefix("https://") }, "there is a page to read")
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

/// Explains kinds of violations by their names.
package enum Explaining {
  /// The explanation as it is printed, or the problem of the name.
  package static func text(ofKindNamed name: String) -> Result<String, ScenarioProblem> {
    if let kind = ViolationKind(rawValue: name) { return .success(Explanation.text(of: kind)) }
    return .failure(
      ScenarioProblem(
        source: "explain", key: name, what: "is no kind of violation",
        advice: NearestName.advice(for: name, in: ViolationKind.allCases.map(\.rawValue))))
  }
}

extension Explanation {
  static let logGrowth = Explanation(
    cause: """
      A read transaction stays open while others write: a long fetch, a backup, an extension or a debugger on the same \
      file. The write-ahead log cannot begin anew before the last of them has ended, and keeps every page written since.
      """,
    remedy: """
      Read in portions that end, and begin the next view afterwards; pin a query generation only for as long as a screen \
      needs it.
      """,
    code: """
      for offset in stride(from: 0, to: count, by: 500) {
        request.fetchOffset = offset
        request.fetchLimit = 500
        try export(context.fetch(request))
        context.reset()
      }
      """,
    sources: [.writeAheadLog, .generations])
}
