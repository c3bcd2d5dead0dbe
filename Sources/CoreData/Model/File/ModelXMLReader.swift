import FoundationXML

/// Reads the XML of a model into elements with their lines.
///
/// Document types are refused, so that there are no entities to expand; depth, size and number of elements are bounded.
final class ModelXMLReader: NSObject, XMLParserDelegate {
  /// Bytes; real models have some thousands.
  static let sizeMax = 64 << 20
  static let depthMax = 64
  static let elementMax = 1_000_000

  /// `<?xml?>`, with nothing between the name and the end: Foundation's parser on Linux reads a null pointer there.
  private static let emptyInstruction = "<\\?[^\\s?]*\\?>"

  private static var declaredEncoding: Regex<(Substring, Substring)> { /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']*)/ }
  /// Encodings that contain ASCII: a search here finds the same as the parser.
  private static let readableEncodings = ["utf-8", "us-ascii", "ascii", "iso-8859-", "windows-125"]

  private let path: String
  private var open: [ModelElement] = []
  private var root: ModelElement?
  private var count = 0
  private var failure: ModelFileError?

  private init(path: String) { self.path = path }

  /// The outermost element of the text; `path` is for errors.
  static func read(_ data: Data, path: String) throws(ModelFileError) -> ModelElement {
    guard data.count <= sizeMax else {
      throw ModelFileError(path, "has \(data.count) bytes; a model may have \(sizeMax)")
    }
    if data.starts(with: Array("momv".utf8)) {
      throw ModelFileError(
        path, "is an optimised model (.omo), which is not read; give the .mom or the .xcdatamodel that it was made of")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw ModelFileError(path, line: Self.line(ofInvalid: data), "is not UTF-8 text")
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw ModelFileError(path, line: 1, "is empty; a model was expected")
    }
    if let range = text.range(of: "<!DOCTYPE") {
      throw ModelFileError(path, line: line(of: range, text), "has a document type, which no model has; remove it")
    }
    if let range = text.range(of: emptyInstruction, options: .regularExpression) {
      throw ModelFileError(path, line: line(of: range, text), "has an empty processing instruction; remove it")
    }
    if let encoding = text.firstMatch(of: declaredEncoding)?.1,
      !readableEncodings.contains(where: encoding.lowercased().hasPrefix)
    {
      throw ModelFileError(path, line: 1, "names the encoding \(encoding), and is UTF-8; write that")
    }
    let reader = ModelXMLReader(path: path)
    let parser = XMLParser(data: data)
    parser.shouldResolveExternalEntities = false
    parser.delegate = reader
    // Its answer is true for some broken texts.
    _ = parser.parse()
    if let failure = reader.failure { throw failure }
    if let error = parser.parserError as NSError? { throw reader.error(error, line: parser.lineNumber) }
    guard let root = reader.root else { throw ModelFileError(path, line: 1, "is empty; a model was expected") }
    return root
  }

  private static func line(of range: Range<String.Index>, _ text: String) -> Int {
    text[..<range.lowerBound].utf8.count { $0 == UInt8(ascii: "\n") } + 1
  }

  private static func line(ofInvalid data: Data) -> Int {
    var line = 1
    for part in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if String(validating: part, as: UTF8.self) == nil { return line }
      line += 1
    }
    return line
  }

  private func error(_ error: NSError, line: Int) -> ModelFileError {
    ModelFileError(path, line: max(line, 1), Self.sentence(error.code))
  }

  private func stop(_ parser: XMLParser, _ message: String) {
    failure = ModelFileError(path, line: max(parser.lineNumber, 1), message)
    parser.abortParsing()
  }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
    attributes: [String: String]
  ) {
    guard failure == nil else { return }
    count += 1
    if count > Self.elementMax { return stop(parser, "has more than \(Self.elementMax) elements") }
    if open.count >= Self.depthMax { return stop(parser, "has elements nested more than \(Self.depthMax) deep") }
    let element = ModelElement(elementName, attributes: attributes, line: max(parser.lineNumber, 1))
    if let parent = open.last { parent.children.append(element) } else if root == nil { root = element }
    open.append(element)
  }

  func parser(_ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?) {
    _ = open.popLast()
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    // The first error says where; later ones come of it.
    if failure == nil { failure = error(parseError as NSError, line: parser.lineNumber) }
  }

  /// A sentence for an error of the parser; its own description is empty here.
  private static func sentence(_ code: Int) -> String {
    // libxml2's numbers, which are not those of Foundation's names.
    switch code {
    case 4: "is no XML: an element was expected"
    case 5, 68, 72, 73, 74, 77, 85, 86: "the XML ends, or breaks off, within an element"
    case 76: "an end tag does not have the name of its start tag"
    case 42: "an element has an attribute twice"
    case 39, 40, 41, 43, 44, 65: "an attribute's value is not in quotes, or its quote is not closed"
    case 38: "an attribute's value has a <; write &lt;"
    case 6, 7, 8, 22, 23, 26: "an & begins no character's name; write &amp;"
    case 9: "has a character that XML does not allow"
    case 31, 32, 81: "names an encoding that is not its own; write UTF-8"
    default: "is no well-formed XML (error \(code))"
    }
  }
}
