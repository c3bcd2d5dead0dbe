/// Cuts Swift source into tokens; comments, strings and regular expressions are understood as far as needed to find
/// their ends.
package struct Lexer {
  package private(set) var tokens: [Token] = []
  package private(set) var comments: [Comment] = []
  /// Insides of the outermost `\(…)` of strings.
  package private(set) var interpolations: [Range<Int>] = []
  private var interpolationDepth = 0

  private let source: SwiftSource
  private var position = 0
  private var startsLine = true

  package init(_ source: SwiftSource) {
    self.source = source
    if source.bytes.starts(with: [0x23, 0x21]) { skipLine() }
    while skipBlanks(), next() {}
    precondition(position == source.bytes.count, "a source is read to its end")
  }

  private func byte(_ ahead: Int = 0) -> UInt8 {
    let index = position + ahead
    return index < source.bytes.count ? source.bytes[index] : 0
  }

  private func isAt(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard position + length <= source.bytes.count else { return false }
    return text.withUTF8Buffer { source.bytes[position..<(position + length)].elementsEqual($0) }
  }

  private mutating func skipLine() {
    while position < source.bytes.count, byte() != UInt8(ascii: "\n") { position += 1 }
  }

  /// Goes to the next token; false at the end.
  private mutating func skipBlanks() -> Bool {
    while position < source.bytes.count {
      switch byte() {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        startsLine = true
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0B, 0x0C, 0:
        position += 1
      case 0xEF where position == 0 && byte(1) == 0xBB && byte(2) == 0xBF:
        position += 3
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
        let start = position
        skipLine()
        addComment(start)
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
        let start = position
        skipBlockComment()
        addComment(start)
      default: return true
      }
    }
    return false
  }

  private mutating func addComment(_ start: Int) {
    precondition(start + 1 < position && position <= source.bytes.count, "a comment is a part of its source")
    comments.append(Comment(text: source.text(start..<position), range: start..<position))
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if isAt("/*") {
        depth += 1
        position += 2
      } else if isAt("*/") {
        depth -= 1
        position += 2
      } else {
        if byte() == UInt8(ascii: "\n") { startsLine = true }
        position += 1
      }
    } while depth > 0 && position < source.bytes.count
  }

  private mutating func add(_ kind: Token.Kind, from start: Int, text: String? = nil) {
    precondition(start < position && position <= source.bytes.count, "a token is a part of its source, and not empty")
    tokens.append(
      Token(kind: kind, text: text ?? source.text(start..<position), range: start..<position, startsLine: startsLine))
    startsLine = false
  }

  private mutating func next() -> Bool {
    let start = position
    let first = byte()
    switch first {
    case UInt8(ascii: "`"):
      position += 1
      while position < source.bytes.count, byte() != UInt8(ascii: "`"), byte() != UInt8(ascii: "\n") { position += 1 }
      position = min(position + 1, source.bytes.count)
      add(.quotedWord, from: start, text: source.text((start + 1)..<max(start + 1, position - 1)))
    case UInt8(ascii: "\""):
      skipString(pounds: 0)
      add(.literal, from: start)
    case UInt8(ascii: "#"): nextPound()
    case UInt8(ascii: "/") where startsRegularExpression():
      position = regularExpressionEnd ?? position + 1
      add(.literal, from: start)
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      while Self.isInWord(byte()) { position += 1 }
      add(.literal, from: start)
    case _ where Self.isInWord(first) || first == UInt8(ascii: "$"):
      position += 1
      while Self.isInWord(byte()) { position += 1 }
      add(.word, from: start)
    default:
      position += 1
      add(.mark, from: start)
    }
    return true
  }

  private mutating func nextPound() {
    precondition(byte() == UInt8(ascii: "#"), "the next token begins with a number sign")
    let start = position
    var pounds = 0
    while byte(pounds) == UInt8(ascii: "#") { pounds += 1 }
    if byte(pounds) == UInt8(ascii: "\"") {
      position += pounds
      skipString(pounds: pounds)
      return add(.literal, from: start)
    }
    if byte(pounds) == UInt8(ascii: "/") {
      position += pounds + 1
      skipRegularExpression(pounds: pounds)
      return add(.literal, from: start)
    }
    position += 1
    while Self.isInWord(byte()) { position += 1 }
    guard ["#if", "#elseif", "#else", "#endif"].contains(source.text(start..<position)) else {
      return add(.pound, from: start)
    }
    // The condition ends with its line, or where a comment begins.
    while position < source.bytes.count, byte() != UInt8(ascii: "\n"), !isAt("//"), !isAt("/*") { position += 1 }
    add(.condition, from: start)
    startsLine = true
  }

  private static func isInWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
      true
    default: false
    }
  }

  // MARK: Strings

  /// Skips from the opening quotation mark to behind the closing one with its number signs.
  private mutating func skipString(pounds: Int) {
    let isMultiline = isAt("\"\"\"")
    position += isMultiline ? 3 : 1
    while position < source.bytes.count {
      if byte() == UInt8(ascii: "\\"), hasPounds(pounds, after: 1) {
        position += 1 + pounds
        if byte() == UInt8(ascii: "(") { skipInterpolation() } else { position += 1 }
      } else if !isMultiline, byte() == UInt8(ascii: "\n") {
        return
      } else if isMultiline ? isAt("\"\"\"") : byte() == UInt8(ascii: "\""),
        hasPounds(pounds, after: isMultiline ? 3 : 1)
      {
        position += (isMultiline ? 3 : 1) + pounds
        return
      } else {
        position += 1
      }
    }
    // A backslash may be the last byte of a file.
    position = min(position, source.bytes.count)
  }

  private func hasPounds(_ count: Int, after ahead: Int) -> Bool {
    (0..<count).allSatisfy { byte(ahead + $0) == UInt8(ascii: "#") }
  }

  /// Skips from the opening parenthesis to behind the closing one; strings inside may hold parentheses.
  private mutating func skipInterpolation() {
    precondition(byte() == UInt8(ascii: "("), "an interpolation begins with a parenthesis")
    let start = position + 1
    interpolationDepth += 1
    defer {
      interpolationDepth -= 1
      if interpolationDepth == 0 { interpolations.append(start..<max(start, position - 1)) }
    }
    var depth = 0
    repeat {
      switch byte() {
      case UInt8(ascii: "("):
        depth += 1
        position += 1
      case UInt8(ascii: ")"):
        depth -= 1
        position += 1
      case UInt8(ascii: "\""): skipString(pounds: 0)
      case UInt8(ascii: "#"):
        var pounds = 0
        while byte(pounds) == UInt8(ascii: "#") { pounds += 1 }
        position += pounds
        if byte() == UInt8(ascii: "\"") { skipString(pounds: pounds) }
      case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipBlockComment()
      default: position += 1
      }
    } while depth > 0 && position < source.bytes.count
  }

  // MARK: Regular expressions

  /// Whether the slash begins a regular expression: a value is expected here, and its partner is on the line. Else it divides.
  private func startsRegularExpression() -> Bool {
    let after = byte(1)
    guard after != UInt8(ascii: " "), after != UInt8(ascii: "="), regularExpressionEnd != nil else { return false }
    guard let last = tokens.last else { return false }
    switch last.kind {
    case .mark: return "=(,:[{;!&|?+-<>".contains(last.text)
    case .word: return ["return", "in", "case", "try", "await", "where"].contains(last.text)
    default: return false
    }
  }

  /// Offset behind the closing slash of a regular expression that begins here.
  private var regularExpressionEnd: Int? {
    var index = position + 1
    while index < source.bytes.count, source.bytes[index] != UInt8(ascii: "\n") {
      if source.bytes[index] == UInt8(ascii: "\\") {
        index += 1
      } else if source.bytes[index] == UInt8(ascii: "/") {
        return index + 1
      }
      index += 1
    }
    return nil
  }

  /// Skips to behind `/###` of an extended regular expression.
  private mutating func skipRegularExpression(pounds: Int) {
    while position < source.bytes.count {
      if byte() == UInt8(ascii: "\\") {
        position += 2
      } else if byte() == UInt8(ascii: "/"), hasPounds(pounds, after: 1) {
        position += 1 + pounds
        return
      } else {
        position += 1
      }
    }
    position = min(position, source.bytes.count)
  }
}
