import Reporting
import Runs

extension ExplorationDocument.Cell {
  /// How an exploration ends that found this.
  package var ending: ExitStatus {
    if failures > 0, unexpectedKinds.isEmpty { return .harnessFailure }
    if !unexpectedKinds.isEmpty || !missing.isEmpty { return .violation }
    return neverExercised.isEmpty ? .passed : .inconclusive
  }

  /// `counters, notification-merge: 1000 schedules, 712 distinct, …`
  package var sentence: String {
    let rate = seconds > 0 ? Double(schedules) / seconds : 0
    let count = schedules == 1 ? "1 schedule" : "\(schedules) schedules"
    var parts = [
      isExhausted ? "exhausted after \(count)" : count, "\(traces.count) distinct", "\(Int(rate.rounded()))/s a job",
      "\(decisions) decisions", "\(pairs.count) pairs of steps", "\(lockOrders.count) lock orders",
    ]
    if !unexpectedKinds.isEmpty { parts.append("found " + unexpectedKinds.joined(separator: ", ")) }
    let seen = expected.sorted { $0.key < $1.key }.map { "\($0.key) in \($0.value)" }
    if !seen.isEmpty { parts.append("expected: " + seen.joined(separator: ", ")) }
    if !missing.isEmpty { parts.append("not found: " + missing.joined(separator: "; ")) }
    if let failure { parts.append("gave up in \(failures): \(failure)") }
    if isCut { parts.append("not through within its steps") }
    if !neverExercised.isEmpty { parts.append("never exercised: " + neverExercised.joined(separator: ", ")) }
    let options = options.isEmpty ? "" : " (\(options))"
    let size = isWhole ? ", once in its quick size, first come, first served" : ""
    return "\(scenario), \(cell.strategy)\(options)\(size): " + parts.joined(separator: ", ")
  }
}
