import Foundation
import FoundationXML

/// Reads an SVG file as far as a page must know it, and refuses elements that could run or load something.
final class PictureReader: NSObject, XMLParserDelegate {
  static let remedy = "Draw the pictures again with scripts/plot"

  /// The elements of a drawing; scripts, embedded pages and images are not in it.
  private static let elements: Set<String> = [
    "svg", "title", "desc", "defs", "g", "path", "use", "text", "tspan", "clipPath", "rect", "circle", "ellipse",
    "line", "polyline", "polygon",
  ]

  /// Attributes of the `svg` element.
  private(set) var attributes: [String: String] = [:]
  /// Text of the picture's own `title`.
  private(set) var title = ""
  /// Text of the picture's own `desc`.
  private(set) var summary = ""

  private var open: [String] = []
  private var problem: String?

  /// Reads a picture.
  ///
  /// - Throws: `ReportingError` for `path` when it is damaged, or is no plain drawing.
  static func read(_ data: Data, path: String) throws(ReportingError) -> PictureReader {
    let reader = PictureReader()
    let parser = XMLParser(data: data)
    parser.delegate = reader
    parser.shouldResolveExternalEntities = false
    let isWhole = parser.parse()
    // The parser may call a malformed text parsed.
    let error = parser.parserError.map { "is damaged: \(ReportingError.reason($0))" }
    let isMarkupOnly = data.starts(with: Array("<svg".utf8)) ? nil : "does not begin with its svg element"
    let cause = reader.problem ?? error ?? (isWhole ? isMarkupOnly : "is damaged")
    if let cause { throw ReportingError(path: path, cause: cause, remedy: remedy) }
    return reader
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    if open.isEmpty { self.attributes = attributes }
    if let found = Self.problem(name, attributes, isRoot: open.isEmpty) {
      problem = problem ?? found
      parser.abortParsing()
    }
    open.append(name)
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    open.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if open == ["svg", "title"] { title += text }
    if open == ["svg", "desc"] { summary += text }
  }

  private static func problem(_ name: String, _ attributes: [String: String], isRoot: Bool) -> String? {
    guard isRoot == (name == "svg") else { return isRoot ? "is no SVG" : "holds a drawing of its own" }
    guard elements.contains(name) else { return "holds \(name), which a page that loads nothing cannot have" }
    for (attribute, value) in attributes where !attribute.hasPrefix("xmlns") {
      let isReference = attribute == "href" || attribute.hasSuffix(":href")
      if attribute.lowercased().hasPrefix("on") || (isReference && !value.hasPrefix("#")) || !isOwn(value) {
        return "holds \(attribute)=\"\(value)\", which a page that loads nothing cannot have"
      }
    }
    return nil
  }

  /// Whether every `url(…)` of an attribute leads into the picture itself.
  private static func isOwn(_ value: String) -> Bool {
    let value = value.lowercased()
    return value.components(separatedBy: "url(").dropFirst().allSatisfy { $0.hasPrefix("#") }
      && !value.contains("@import")
  }
}
