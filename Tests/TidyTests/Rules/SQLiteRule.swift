/// SQLite is called in one place, and in the floor, which shares nothing with it.
enum SQLiteRule {
  static let targets: Set<String> = ["SQLite", "CSQLite", "CFloor", "CPowerLoss", "CMemoryFiles"]

  static func findings(in file: SourceFile) -> [Finding] {
    guard let target = file.target, !targets.contains(target) else { return [] }
    return file.findings { line in
      line.words.first { $0.hasPrefix("sqlite3_") }.map { "\($0) belongs into Sources/SQLite" }
    }
  }
}
