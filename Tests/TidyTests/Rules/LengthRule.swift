/// A file has one topic.
enum LengthRule {
  static let linesMax = 400

  static func findings(in file: SourceFile) -> [Finding] {
    let count = file.lines.count - (file.lines.last == "" ? 1 : 0)
    guard file.target != nil, count > linesMax else { return [] }
    return [Finding(path: file.path, line: linesMax + 1, what: "\(count) lines: find the natural cut")]
  }
}
