/// How a piece of text is emphasised where there is colour; without colour the text is the same.
package enum Emphasis: Sendable, Hashable {
  case plain, good, bad, caution, faint

  /// The text with its escape sequences, or as it is.
  package func applied(to text: String, colour: Bool) -> String {
    guard colour, let code else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  private var code: Int? {
    switch self {
    case .plain: nil
    case .good: 32
    case .bad: 31
    case .caution: 33
    case .faint: 2
    }
  }
}
