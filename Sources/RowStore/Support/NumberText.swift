import Foundation

/// Floating-point numbers as texts, as `NSNumber` has them on Apple's systems: 16 digits, and none behind a whole number.
///
/// - SeeAlso: Apple, "NSNumber.description(withLocale:)", which defines these formats.
package enum NumberText {
  package static func text(_ number: Double) -> String { text(number, "%.16g") }

  /// The text of a number of single precision.
  package static func text(single number: Double) -> String { text(number, "%.7g") }

  /// A number as SQLite has it as a text, with 15 digits.
  static func ofColumn(_ number: Double) -> String { text(number, "%.15g") }

  private static func text(_ number: Double, _ format: String) -> String {
    // SQLite does not keep the sign of zero.
    if number == 0 { return "0" }
    return withPoint(String(format: format, number))
  }

  /// Foundation follows the process's locale, which may have another decimal sign.
  static func withPoint(_ text: String) -> String {
    guard let sign = text.firstIndex(where: { !$0.isASCII || $0 == "," }) else { return text }
    return text[..<sign] + "." + text[text.index(after: sign)...]
  }

  /// The text of a floating-point number of Foundation's; nil for a number of another type.
  package static func text(_ number: NSNumber) -> String? {
    if number is NSDecimalNumber { return nil }
    return switch number.objCType.pointee {
    case 0x64: text(number.doubleValue)  // "d"
    case 0x66: text(single: number.doubleValue)  // "f"
    default: nil
    }
  }
}
