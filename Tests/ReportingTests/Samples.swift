import Measuring

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

  static func processor() -> ProcessorUsage {
    var usage = ProcessorUsage()
    usage.mainSeconds = 12
    usage.totalSeconds = 15
    usage.workerSeconds = 29
    usage.queueSeconds = 30
    usage.kernelSeconds = 31
    usage.mainRunDelaySeconds = 32
    usage.voluntarySwitches = 33
    usage.involuntarySwitches = 34
    usage.mainVoluntarySwitches = 35
    usage.mainInvoluntarySwitches = 36
    return usage
  }
}
