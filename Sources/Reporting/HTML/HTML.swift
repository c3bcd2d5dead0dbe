/// A piece of a page: markup in which every text is escaped.
struct HTML: Sendable, Hashable {
  /// Its text in the page.
  let markup: String

  private init(markup: String) { self.markup = markup }

  /// A text that shows as it is.
  static func text(_ text: String) -> HTML { HTML(markup: escaped(text)) }

  /// Markup that was checked already.
  static func checked(_ markup: String) -> HTML { HTML(markup: markup) }

  /// An element with its attributes and its content.
  static func element(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: [HTML]) -> HTML {
    let start = name + attributes.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
    return HTML(markup: "<\(start)>" + content.map(\.markup).joined() + "</\(name)>")
  }

  /// An element with its content.
  static func element(_ name: String, _ content: [HTML]) -> HTML { element(name, [:], content) }

  /// An element with its attributes and a text in it.
  static func element(_ name: String, _ attributes: KeyValuePairs<String, String>, _ text: String) -> HTML {
    element(name, attributes, [.text(text)])
  }

  /// An element with a text in it.
  static func element(_ name: String, _ text: String) -> HTML { element(name, [:], [.text(text)]) }

  /// The text without characters that markup is made of; characters that XML has no place for become U+FFFD.
  ///
  /// - SeeAlso: WHATWG, "HTML", 13.3 Serializing HTML fragments.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case "\0"..<" ", "\u{7F}"..<"\u{A0}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
