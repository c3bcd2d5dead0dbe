/// A walk of `ARCHITECTURE.md` names the right files: each name between backticks occurs in one of the files that its step
/// names, or below one of its folders.
///
/// Files of a run (`result.json`) are no such names.
enum StepRule {
  static let document = "ARCHITECTURE.md"
  static let heading = "## Walks"

  /// - Parameter texts: the text of the file at a path, or of the files below it; nil where there is neither.
  static func findings(in file: SourceFile, texts: (String) -> [String]?) -> [Finding] {
    steps(of: file).flatMap { line, step -> [Finding] in
      var names: [String] = []
      var found: [String] = []
      for span in spans(step) {
        if let texts = texts(span) { found += texts } else if let name = name(in: span) { names.append(name) }
      }
      return names.filter { name in !found.contains { stands(name, in: $0) } }
        .map { Finding(path: file.path, line: line, what: "\($0) is in none of the files that this step names") }
    }
  }

  /// The numbered lines below the heading, with their line numbers.
  static func steps(of file: SourceFile) -> [(line: Int, text: String)] {
    guard let start = file.lines.firstIndex(of: heading) else { return [] }
    let section = file.lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
    return section.indices.filter { section[$0].first?.isNumber ?? false }.map { ($0 + 1, section[$0]) }
  }

  /// The spans between backticks.
  static func spans(_ line: String) -> [String] {
    line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset.isMultiple(of: 2) ? nil : String($0.element) }
  }

  /// Text that has to be in a file: `func publish` for `RowCache.publish`, `publish` for `publish(_:)`; nil for `result.json`.
  private static func name(in span: String) -> String? {
    let parts = span.prefix { $0 != "(" }.split(separator: ".").map(String.init)
    guard let name = parts.last, parts.count > 1, name != "init" else { return parts.last }
    return parts[0].first?.isUppercase ?? false ? "func \(name)" : nil
  }

  /// Whether a name is in a text as a whole word.
  private static func stands(_ name: String, in text: String) -> Bool {
    text.ranges(of: name).contains { range in
      let isBegun = range.lowerBound > text.startIndex && isPart(text[text.index(before: range.lowerBound)])
      let goesOn = range.upperBound < text.endIndex && isPart(text[range.upperBound])
      return !isBegun && !goesOn
    }
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
