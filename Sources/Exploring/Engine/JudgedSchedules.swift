import Cells
import Foundation
import Runs

/// What became of schedules, by what they left: many come to the same order, and what is left of one need be judged once.
///
/// Two schedules are the same where their tasks took the same steps in the same order, recorded the same, and left files that
/// are the same to the byte.
struct JudgedSchedules {
  /// A child explores for seconds; a bound for one that does not.
  private static let countMax = 10_000

  private var outcomes: [Int: CellOutcome] = [:]

  /// The outcome of a schedule that left the same as this one, or else what `judge` says.
  mutating func outcome(
    of result: SimulatedCell.Result, in folder: String, _ store: EmptyStore, _ judge: () throws -> CellOutcome
  ) rethrows -> CellOutcome {
    guard let name = Self.name(result, in: folder, store) else { return try judge() }
    if let known = outcomes[name] { return known }
    let outcome = try judge()
    if outcomes.count < Self.countMax { outcomes[name] = outcome }
    return outcome
  }

  /// Names what a schedule left; nil where it did not come to its end.
  private static func name(_ result: SimulatedCell.Result, in folder: String, _ store: EmptyStore) -> Int? {
    guard !result.leavesTasks, result.violations.isEmpty, let measurement = result.measurement else { return nil }
    var hasher = Hasher()
    hasher.combine(result.outcome.fingerprint)
    hasher.combine(measurement.isComplete)
    result.records.combine(into: &hasher)
    store.combine(into: &hasher)
    return combine(folder, into: &hasher) ? hasher.finalize() : nil
  }

  /// Names and contents of what is in a folder and below it; whether all of it could be read.
  ///
  /// Not by an enumerator: that asks the system for everything it knows of each file.
  private static func combine(_ folder: String, into hasher: inout Hasher) -> Bool {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return false }
    return names.sorted().allSatisfy { name in
      hasher.combine(name)
      let path = folder + "/" + name
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return false }
      if status.st_mode & S_IFMT == S_IFDIR { return combine(path, into: &hasher) }
      let size = Int(status.st_size)
      return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { bytes in
        guard pread(descriptor, bytes.baseAddress, size, 0) == size else { return false }
        hasher.combine(size)
        hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        return true
      }
    }
  }
}
