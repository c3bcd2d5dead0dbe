/// The documents for contributors name what exists: paths between backticks, below the root or below `Sources`, and
/// relative links. `NAME` stands for something yet to be named; then the folder before it has to exist.
enum PathRule {
  static let documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"]
  static let placeholder = "NAME"
  private static let endings = [".swift", ".md", ".yml", ".c"]

  /// - Parameters:
  ///   - folders: names of folders that paths begin with.
  ///   - exists: whether there is a file or folder at a path.
  static func findings(
    in file: SourceFile, folders: Set<String>, exists: (String) -> Bool
  ) -> [Finding] {
    var isCode = false
    return file.lines.enumerated().flatMap { index, line -> [Finding] in
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode else { return [] }
      let paths = spans(line).filter { isPath($0, folders) } + links(line)
      return paths.filter { !exists(existing($0)) }
        .map { Finding(path: file.path, line: index + 1, what: "\($0) does not exist") }
    }
  }

  private static func isPath(_ text: String, _ folders: Set<String>) -> Bool {
    guard !text.contains(where: { " <(…".contains($0) }) else { return false }
    let parts = text.split(separator: "/")
    if parts.count > 1, folders.contains(String(parts[0])) { return true }
    return endings.contains { text.hasSuffix($0) && text.count > $0.count } && !text.hasPrefix(placeholder)
  }

  /// The part of a path that is there already.
  private static func existing(_ path: String) -> String {
    guard path.contains(placeholder) else { return path }
    return path.split(separator: "/").prefix { !$0.contains(placeholder) }.joined(separator: "/")
  }

  private static func spans(_ line: String) -> [String] {
    line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset.isMultiple(of: 2) ? nil : String($0.element) }
  }

  /// The relative targets of links.
  private static func links(_ line: String) -> [String] {
    line.split(separator: "](", omittingEmptySubsequences: false).dropFirst()
      .compactMap { $0.split(separator: ")").first.map(String.init) }
      .filter { !$0.contains(":") && !$0.hasPrefix("#") }
  }
}
