/// Where the compiler is told to trust, the line before says why it may.
enum UncheckedRule {
  static let markers = ["@unchecked Sendable", "nonisolated(unsafe)"]
  private static let declarations: Set<Substring> = [
    "class", "struct", "enum", "actor", "extension", "var", "let", "init", "func",
  ]

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isSwift else { return [] }
    return file.code.indices.compactMap { index in
      guard let marker = markers.first(where: { file.code[index].contains($0) }),
        !isExplained(index, in: file)
      else { return nil }
      return Finding(path: file.path, line: index + 1, what: "\(marker) needs its reason on the line before")
    }
  }

  private static func isExplained(_ index: Int, in file: SourceFile) -> Bool {
    var line = index
    while line > 0, declarations.isDisjoint(with: file.code[line].words) { line -= 1 }
    while line > 0 {
      let before = file.lines[line - 1].drop { $0 == " " }
      if before.hasPrefix("//") { return true }
      guard before.hasPrefix("@") || before.hasPrefix("#if") else { return false }
      line -= 1
    }
    return false
  }
}
