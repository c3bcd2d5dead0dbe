import Boundary
import Checking

extension CellEnd {
  /// Judges the end of a cell that may have had several processes; the result names the process that it comes from.
  ///
  /// - Parameters:
  ///   - end: how the first process ended.
  ///   - kept: where the results folder keeps the cell's.
  init(
    _ end: ChildProcess.End, of request: CellRequest, _ measurement: CellMeasurement?, timeoutSeconds: Double,
    output: String, kept: String, executable: String
  ) {
    func artifacts(_ share: ProcessShare) -> CellArtifacts {
      // Those of every process are made readable here.
      let all = (0..<share.count).map { index in
        CellArtifacts(
          in: CellRequest.directory(of: index, in: request.directory),
          kept: CellRequest.directory(of: index, in: kept), executable: executable)
      }
      // The runtime writes all backtraces of a cell into its folder.
      var found = all[0]
      found.stacks = all[share.index].stacks ?? all.lazy.compactMap(\.stacks).first
      return found
    }
    func judge(_ end: ChildProcess.End, hasResult: Bool, _ share: ProcessShare) -> CellEnd {
      CellEnd(
        end, hasResult: hasResult, timeoutSeconds: timeoutSeconds, output: output, artifacts: artifacts(share))
    }
    let first = request.share
    precondition(first.isFirst, "a run starts the first process of a cell")
    guard first.count > 1 else {
      self = judge(end, hasResult: measurement != nil, first)
      return
    }
    if end == .exited(0), let broken = measurement?.brokenProcess {
      self = judge(broken.end, hasResult: false, first).naming(broken.name)
    } else if end == .timedOut {
      let late = MeetingLog.latest(of: first.count, in: request.directory)
      self = judge(end, hasResult: false, late.first ?? first).naming(late.map(\.name).joined(separator: ", "))
    } else {
      self = judge(end, hasResult: measurement != nil, first).naming(first.name)
    }
  }

  /// The same end with the process's name in the violation's subject.
  private func naming(_ name: String) -> CellEnd {
    func named(_ violation: Violation) -> Violation {
      precondition(violation.subject.hasPrefix("process"), "what broke a process is about the process")
      precondition(!name.isEmpty, "a process of several has a name")
      var violation = violation
      violation.subject = name + violation.subject.dropFirst("process".count)
      return violation
    }
    switch self {
    case .broken(let violation): return .broken(named(violation))
    case .killedFromOutside(let violation): return .killedFromOutside(named(violation))
    case .finished, .failed, .interrupted, .starved: return self
    }
  }
}
