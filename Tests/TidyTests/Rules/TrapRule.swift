/// Library code reports errors; it does not end the process.
enum TrapRule {
  static let traps = ["try!", "fatalError("]

  /// Files that may trap, and why.
  static let exceptions: [String: String] = [
    "Sources/CoreData/Support/Traps.swift": "says in release builds too what a precondition was about"
  ]

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isSwift, exceptions[file.path] == nil else { return [] }
    return file.findings { line in
      traps.first { line.contains($0) }.map { "\($0) ends the process: throw, or state a precondition" }
    }
  }
}
