/// The lengths that `ARCHITECTURE.md` says are right to a fifth: in a cell such as "`A.swift`, `B.swift`, 130 lines" those of
/// all the files together, or of the files below a folder.
enum LineCountRule {
  static let document = "ARCHITECTURE.md"
  static let tolerance = 0.2

  /// - Parameter texts: the text of the file at a path, or of the files below it; nil where there is neither.
  static func findings(in file: SourceFile, texts: (String) -> [String]?) -> [Finding] {
    file.lines.enumerated().flatMap { index, line -> [Finding] in
      line.split(separator: "|").compactMap { cell in
        guard let said = cell.firstMatch(of: /`, ([\d,]+) lines/).flatMap({ Int($0.1.filter(\.isNumber)) }) else {
          return nil
        }
        let counted = StepRule.spans(String(cell)).flatMap { path -> [String] in texts(path) ?? [] }
          .reduce(0) { $0 + $1.count { $0 == "\n" } }
        guard abs(Double(said - counted)) > Double(counted) * tolerance else { return nil }
        return Finding(path: file.path, line: index + 1, what: "\(said) lines are said, and there are \(counted)")
      }
    }
  }
}
