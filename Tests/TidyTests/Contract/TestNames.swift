/// The tests of the package by name, for texts that name tests.
struct TestNames {
  private static let typeKeywords: Set<Substring> = ["struct", "class", "enum", "extension"]

  /// The functions of the files in which a type is declared, by the type's name.
  private var functions: [String: Set<String>] = [:]

  init(_ tests: [SourceFile]) {
    for file in tests where file.isSwift {
      let words = file.code.map(\.words)
      func names(after keywords: Set<Substring>) -> [String] {
        words.flatMap { line in
          zip(line, line.dropFirst()).filter { keywords.contains($0.0) }.map { String($0.1) }
        }
      }
      let functionNames = Set(names(after: ["func"]))
      for type in names(after: Self.typeKeywords) { functions[type, default: []].formUnion(functionNames) }
    }
  }

  /// Names in a line, `SuiteTests` or `SuiteTests.test` between backticks, that no test has.
  func unknown(in line: String) -> [String] {
    line.split(separator: "`", omittingEmptySubsequences: false).enumerated().compactMap { index, text in
      guard !index.isMultiple(of: 2), text.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "." || $0 == "_" }) else {
        return nil
      }
      let parts = text.split(separator: ".").map(String.init)
      guard let suite = parts.first, suite.hasSuffix("Tests"), suite != "Tests", parts.count <= 2 else { return nil }
      guard let known = functions[suite] else { return String(text) }
      return parts.count == 1 || known.contains(parts[1]) ? nil : String(text)
    }
  }
}
