import Foundation

/// How texts are made alike before they are compared: `[c]`, `[d]`.
package struct TextFolding: OptionSet, Hashable, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// `[c]`
  package static let ignoringCase = TextFolding(rawValue: 1)
  /// `[d]`
  package static let ignoringDiacritics = TextFolding(rawValue: 2)

  /// The text without the parts to ignore, in composed form; as it is without options.
  package func fold(_ text: String) -> String {
    if isEmpty { return text }
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return contains(.ignoringCase) ? text.lowercased() : text }
    var options: String.CompareOptions = []
    if contains(.ignoringCase) { options.insert(.caseInsensitive) }
    if contains(.ignoringDiacritics) { options.insert(.diacriticInsensitive) }
    return text.folding(options: options, locale: nil).precomposedStringWithCanonicalMapping
  }

  /// The text of a slot folded, other values as they are.
  package func fold(_ slot: Slot) -> Slot {
    guard !isEmpty, case .string(let text) = slot else { return slot }
    return .string(fold(text))
  }
}
