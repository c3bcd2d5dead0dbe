/// A piece of Swift source between white space and comments.
package struct Token: Equatable, Sendable {
  package enum Kind: Sendable {
    /// A name or a keyword, without its backticks.
    case word
    /// A name in backticks, which is never a keyword.
    case quotedWord
    /// A number, a string or a regular expression, as a whole.
    case literal
    /// One character of punctuation.
    case mark
    /// `#if`, `#elseif`, `#else` or `#endif` with the rest of its line.
    case condition
    /// `#selector`, `#keyPath`, `#available` and the like, with the number sign.
    case pound
  }

  package let kind: Kind
  package let text: String
  package let range: Range<Int>
  /// Whether it is the first of its line.
  package let startsLine: Bool

  package func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }
  package func isWord(_ word: String) -> Bool { kind == .word && text == word }
  package var isName: Bool { kind == .word || kind == .quotedWord }
}

/// A comment, for markers that are written in comments on purpose.
package struct Comment: Equatable, Sendable {
  package let text: String
  package let range: Range<Int>
}
