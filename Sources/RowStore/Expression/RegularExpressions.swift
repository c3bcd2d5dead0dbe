import Foundation
import Scheduling

/// Compiled patterns of `MATCHES`, kept for the next row.
///
/// Thread-safe.
package enum RegularExpressions {
  /// Patterns kept; the oldest goes for a new one.
  package static let countMax = 64

  private struct Key: Hashable {
    /// The bytes, as texts are equal by characters.
    package let pattern: [UInt8]
    package let folding: TextFolding
  }

  // Sendable: a compiled expression never changes.
  private struct Kept: @unchecked Sendable {
    package var expressions: [Key: NSRegularExpression] = [:]
    package var order: [Key] = []
  }

  private static let kept = Locked(Kept())

  /// The compiled pattern.
  ///
  /// - Throws: an error that names the pattern when it is none.
  package static func expression(_ pattern: String, _ folding: TextFolding) throws(PredicateFailure)
    -> NSRegularExpression
  {
    let key = Key(pattern: Array(pattern.utf8), folding: folding)
    if let known = kept.withLock({ $0.expressions[key] }) { return known }
    guard let made = compile(pattern, folding) else {
      throw PredicateFailure(position: nil, message: "MATCHES: \"\(pattern)\" is no regular expression")
    }
    kept.withLock { kept in
      precondition(kept.order.count == kept.expressions.count, "a kept expression is listed once")
      if kept.order.count == countMax { kept.expressions[kept.order.removeFirst()] = nil }
      if kept.expressions.updateValue(made, forKey: key) == nil { kept.order.append(key) }
      precondition(kept.order.count <= countMax, "no more expressions are kept than there is room for")
    }
    return made
  }

  /// Whether the whole text matches the pattern.
  package static func matches(_ text: String, _ pattern: String, _ folding: TextFolding) throws(PredicateFailure)
    -> Bool
  {
    let expression = try expression(pattern, folding)
    let text = folding.intersection(.ignoringDiacritics).fold(text)
    return expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
  }

  /// The pattern between both ends of the text; nil when it is none by itself.
  private static func compile(_ pattern: String, _ folding: TextFolding) -> NSRegularExpression? {
    // Case is the expression's own affair: folding `\D` would make another pattern of it.
    let text = folding.intersection(.ignoringDiacritics).fold(pattern)
    let options: NSRegularExpression.Options = folding.contains(.ignoringCase) ? .caseInsensitive : []
    // Foundation takes an empty pattern for none.
    guard text.isEmpty || (try? NSRegularExpression(pattern: text, options: options)) != nil else { return nil }
    // A comment at the pattern's end extends to the end of its line.
    return (try? NSRegularExpression(pattern: "\\A(?:\(text))\\z", options: options))
      ?? (try? NSRegularExpression(pattern: "\\A(?:\(text)\n)\\z", options: options))
  }
}
