/// The table of targets in `ARCHITECTURE.md` is the targets of the package from the bottom up: each imports targets of rows
/// above it, or libraries, and exactly those of `Package.swift`.
enum TargetTableRule {
  static let document = "ARCHITECTURE.md"

  struct Row {
    let line: Int
    let name: String
    let imports: Set<String>
  }

  static func findings(in file: SourceFile, _ manifest: PackageManifest) -> [Finding] {
    let rows = rows(of: file)
    let declared = Dictionary(manifest.targets.map { ($0.name, $0.dependencies) }) { first, _ in first }
    var above: Set<String> = []
    var findings: [Finding] = []
    for row in rows {
      func add(_ what: String) { findings.append(Finding(path: file.path, line: row.line, what: what)) }
      if let dependencies = declared[row.name] {
        for name in dependencies.symmetricDifference(row.imports).sorted() {
          add("\(row.name): \(name) is in only one of this table and Package.swift")
        }
      } else {
        add("\(row.name) is no target of Package.swift")
      }
      for name in row.imports.sorted() where declared[name] != nil && !above.contains(name) {
        add("\(row.name) may not import \(name), which is not above it")
      }
      above.insert(row.name)
    }
    return findings
      + declared.keys.filter { !above.contains($0) }.sorted().map {
        Finding(path: file.path, line: 1, what: "\($0) is not in the table of targets")
      }
  }

  /// The rows of the first table with a name between backticks in the first cell.
  static func rows(of file: SourceFile) -> [Row] {
    guard let start = file.lines.firstIndex(where: { $0.hasPrefix("| target |") }) else { return [] }
    return file.lines[start...].enumerated().prefix { $0.element.hasPrefix("|") }.compactMap { offset, text in
      let cells = text.split(separator: "|").map(names)
      guard cells.count == 3, let name = cells[0].first else { return nil }
      return Row(line: start + offset + 1, name: name, imports: Set(cells[2]))
    }
  }

  private static func names(_ cell: Substring) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .compactMap { $0.offset.isMultiple(of: 2) ? nil : String($0.element) }
  }
}
