@testable import Scheduling

/// Records the cycles that are found while `body` runs; only for tests of one serialized suite, since the handler is
/// the process's.
func recordingCycles(
  reacting react: @escaping @Sendable (WaitForGraph.Cycle) -> Void = { _ in }, _ body: () throws -> Void
) rethrows -> [WaitForGraph.Cycle] {
  let cycles = Locked<[WaitForGraph.Cycle]>([])
  WaitForGraph.setHandler { cycle in
    cycles.withLock { $0.append(cycle) }
    react(cycle)
  }
  defer { WaitForGraph.setHandler(nil) }
  try body()
  return cycles.withLock { $0 }
}
