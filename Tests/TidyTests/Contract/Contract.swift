/// The rules of the stack's contract, as its articles have them.
struct Contract {
  /// A heading with a number, and the text below it.
  struct Rule: Equatable {
    /// `S5.2`.
    let number: String
    let path: String
    let line: Int
    /// Whether a paragraph names the rule's basis.
    let hasBasis: Bool

    /// The section's number and the rule's own: 5 and 2.
    var position: (section: Int, rule: Int) {
      let parts = number.dropFirst().split(separator: ".").compactMap { Int($0) }
      return parts.count == 2 ? (parts[0], parts[1]) : (0, 0)
    }
  }

  static let folder = "Sources/CoreData/CoreData.docc/Contract"
  static let basis = "Basis: "

  let rules: [Rule]

  /// The numbers of all rules.
  var numbers: Set<String> { Set(rules.map(\.number)) }

  /// Reads the articles in the order given.
  init(_ articles: [SourceFile]) {
    rules = articles.flatMap { article -> [Rule] in
      let headings = article.lines.indices.filter { article.lines[$0].hasPrefix("#") } + [article.lines.count]
      return zip(headings, headings.dropFirst()).compactMap { start, end -> Rule? in
        guard let number = Self.number(of: article.lines[start]) else { return nil }
        let hasBasis = article.lines[start..<end].contains { $0.hasPrefix(Self.basis) && $0.count > Self.basis.count }
        return Rule(number: number, path: article.path, line: start + 1, hasBasis: hasBasis)
      }
    }
  }

  /// The number that a rule's heading begins with; nil for other headings.
  private static func number(of heading: String) -> String? {
    let words = heading.split(separator: " ")
    guard words.count > 2, words[0] == "###" else { return nil }
    return RuleCitation.numbers(in: String(words[1])).first { $0 == words[1] }
  }
}
