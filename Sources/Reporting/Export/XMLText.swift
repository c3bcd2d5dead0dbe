/// Writes XML elements.
enum XMLText {
  /// An element on lines of its own.
  ///
  /// - Parameter content: nil for an empty element; else elements, each with its line end, or escaped text.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String>, indent: Int = 0, content: String? = nil,
    isText: Bool = false
  ) -> String {
    precondition(Set(attributes.map(\.key)).count == attributes.count, "an element has an attribute once: \(name)")
    let margin = String(repeating: "  ", count: indent)
    let start = margin + "<" + name + attributes.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
    guard let content else { return start + "/>\n" }
    return isText ? "\(start)>\(content)</\(name)>\n" : "\(start)>\n\(content)\(margin)</\(name)>\n"
  }

  /// Text escaped for an element or attribute; characters that XML 1.0 does not allow become U+FFFD.
  ///
  /// - SeeAlso: W3C, "Extensible Markup Language (XML) 1.0", 2.2 Characters.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      // An attribute's line ends and tabs would be read as blanks.
      case "\n": escaped += "&#10;"
      case "\r": escaped += "&#13;"
      case "\t": escaped += "&#9;"
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
