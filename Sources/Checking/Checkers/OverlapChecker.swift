/// `overlap`: the run exercised its subject. Never violated; not exercised without.
///
/// In an import: reads and fetches ran while another worker was writing. With requests: deletes of a requested key
/// were over before its request began, fell between request and response, and began after the response, each at
/// least once.
package struct OverlapChecker: Checker {
  package let name = "overlap"

  package init() {}

  package func judge(_ evidence: Evidence) throws(Unusable) -> CheckResult {
    let history = try evidence.history.get()
    let hasRequests = history.operations.contains { $0.function == .request }
    let hasInserts = history.operations.contains { $0.function == .insert && $0.type == .ok }
    let hasReads = history.operations.contains { ($0.function == .read || $0.function == .fetch) && $0.type == .ok }
    var counts: [Int] = []
    var notes: [String] = []
    if hasRequests {
      let deletes = DeleteTimes(history)
      counts += [deletes.before, deletes.during, deletes.after]
      notes.append(
        "deletes before the request: \(deletes.before), during: \(deletes.during), after: \(deletes.after)")
    } else if hasInserts, hasReads {
      let reads = Self.readsDuringInserts(history)
      counts.append(reads)
      notes.append("reads and fetches while another worker was inserting: \(reads)")
    } else {
      notes.append("neither requests, nor inserts and reads")
    }
    return CheckResult(name: name, exercised: counts.min() ?? 0, note: notes.joined(separator: "; "))
  }

  /// How many completed reads and fetches shared a moment with an insert of another process.
  private static func readsDuringInserts(_ history: History) -> Int {
    // By process, how many inserts are under way.
    var open: [UInt32: Int] = [:]
    // Steps of reads under way, and of those among them during which another worker was inserting.
    var overlapped = Set<Int>()
    var openReads = Set<Int>()
    var count = 0
    for (step, operation) in history.operations.enumerated() {
      switch (operation.function, operation.type) {
      case (.insert, .invoke):
        open[operation.process, default: 0] += 1
        for read in openReads where history.operations[read].process != operation.process { overlapped.insert(read) }
      case (.insert, _):
        if history.partner(of: step) != nil { open[operation.process, default: 1] -= 1 }
      case (.read, .invoke), (.fetch, .invoke):
        guard let completion = history.partner(of: step), history.operations[completion].type == .ok else { continue }
        openReads.insert(step)
        if open.contains(where: { $0.key != operation.process && $0.value > 0 }) { overlapped.insert(step) }
      case (.read, .ok), (.fetch, .ok):
        guard let invocation = history.partner(of: step) else { continue }
        openReads.remove(invocation)
        if overlapped.remove(invocation) != nil { count += 1 }
      default:
        continue
      }
    }
    return count
  }
}
