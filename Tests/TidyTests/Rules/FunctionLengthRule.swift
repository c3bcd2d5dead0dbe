/// A function is read at one sight.
enum FunctionLengthRule {
  static let linesMax = 60

  /// Functions that are longer, by file and name, and why.
  static let exceptions: [String: [String: String]] = [
    "Sources/RowStore/Store/SQLiteStore.swift": [
      "init": "sets every stored property once, in the order in which a file is opened"
    ]
  ]

  private static let keywords: Set<Substring> = ["func", "init", "deinit", "subscript"]

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isSwift, file.target != nil else { return [] }
    let allowed = exceptions[file.path] ?? [:]
    return tooLong(in: file).filter { allowed[$0.name] == nil }.map {
      Finding(path: file.path, line: $0.line, what: "\($0.name) has \($0.count) lines: find the natural cut")
    }
  }

  /// The functions with more lines than allowed.
  static func tooLong(in file: SourceFile) -> [(name: String, line: Int, count: Int)] {
    file.code.indices.compactMap { index in
      let words = file.code[index].words
      guard let position = words.firstIndex(where: keywords.contains),
        words[..<position].allSatisfy({ $0.first?.isLowercase == true || $0.first == "_" })
      else { return nil }
      let count = lineCount(of: index, in: file)
      guard count > linesMax else { return nil }
      let name = words[position] == "func" ? words.dropFirst(position + 1).first ?? "func" : words[position]
      return (String(name), index + 1, count)
    }
  }

  /// As the formatter leaves it: a body ends with a brace below the first letter of its declaration.
  private static func lineCount(of start: Int, in file: SourceFile) -> Int {
    let indent = file.lines[start].prefix { $0 == " " }.count
    for index in file.lines.indices.dropFirst(start + 1) {
      let line = file.lines[index]
      let own = line.prefix { $0 == " " }.count
      guard own < line.count, own <= indent else { continue }
      let first = line[line.index(line.startIndex, offsetBy: own)]
      if own == indent, first == ")" || first == "{" { continue }
      return own == indent && first == "}" ? index - start + 1 : 1
    }
    return 1
  }
}
