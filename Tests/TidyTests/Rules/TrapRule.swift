/// Library code reports errors; it does not end the process.
enum TrapRule {
  static let traps = ["try!", "fatalError("]

  private static let why = "says in release builds too what a precondition was about"

  /// Files that may trap, and why.
  static let exceptions: [String: String] = [
    "Sources/Scheduling/Traps.swift": why, "Sources/RowStore/Support/Traps.swift": why,
    "Sources/CoreData/Support/Traps.swift": why, "Sources/Cells/Traps.swift": why,
    "Sources/Scenarios/Traps.swift": why, "Sources/Boundary/Traps.swift": why, "Sources/Measuring/Traps.swift": why,
    "Sources/Runs/Traps.swift": why, "Sources/Exploring/Traps.swift": why, "Sources/Commands/Traps.swift": why,
    "Sources/Checking/Traps.swift": why, "Sources/Reporting/Traps.swift": why,
    "Sources/ManagedSources/Traps.swift": why,
  ]

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isSwift, exceptions[file.path] == nil else { return [] }
    return file.findings { line in
      traps.first { line.contains($0) }.map { "\($0) ends the process: throw, or state a precondition" }
    }
  }
}
