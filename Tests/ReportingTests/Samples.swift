@testable import Checking
@testable import Reporting

enum Samples {
  static func key(cell: Int = 3, scenario: String = "import", options: String = "batch=500;workers=4") -> CellKey {
    CellKey(
      run: "20260102-030405-00ff", cell: cell, scenario: scenario, strategy: "parent-child", options: options,
      mergePolicy: "error", seed: UInt64(Int64.max), repetition: 1)
  }

  static func violation(subject: String = "Note/7", seen: String = "nothing") -> Violation {
    Violation(kind: .lostRecord, subject: subject, expected: "in the store", seen: seen, count: 2, firstStep: 41)
  }
}
