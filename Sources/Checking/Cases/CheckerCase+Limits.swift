extension CheckerCase {
  private static func stall(_ milliseconds: Int64, ticks: Int = 10) throws -> Evidence {
    try .sample(
      "w0 info stall = \(milliseconds * 1_000_000)", counters: CheckCounters(\.heartbeats, ticks)
    ) { $0.parameters.stallBudgetNanoseconds = 1_000_000_000 }
  }

  private static func memory(_ last: Int64, count: Int = 20) throws -> Evidence {
    try .sample { $0.parameters.memorySamples = (0..<count).map { $0 < 3 * count / 4 ? 100_000 : last } }
  }

  private static func faults(_ count: Int) throws -> Evidence {
    try .sample { $0.parameters.faults = [InjectedFaultCount(name: "busy", count: count)] }
  }

  private static let overlapping =
    "w1 invoke insert Note 1\nw0 invoke fetch Note\nw0 ok fetch Note\nw1 ok insert Note 1"

  /// Checkers of limits, and of whether the run came into its situation at all.
  static let limits: [CheckerCase] = [
    CheckerCase(MainThreadStallChecker(), .violated, [.mainThreadStall], of: "a stall beyond the budget") {
      try stall(1_500)
    },
    CheckerCase(MainThreadStallChecker(), .held, [.mainThreadStall], of: "a stall that is a warning") {
      try stall(300)
    },
    CheckerCase(MainThreadStallChecker(), .held, of: "ticks in time") { try stall(20) },
    CheckerCase(MainThreadStallChecker(), .notExercised, of: "no ticks") { try .sample() },
    CheckerCase(MemoryGrowthChecker(), .violated, [.contextLeak], of: "memory that grows") { try memory(120_000) },
    CheckerCase(MemoryGrowthChecker(), .held, of: "memory that is flat") { try memory(104_000) },
    CheckerCase(MemoryGrowthChecker(), .notExercised, of: "a short run") { try memory(120_000, count: 19) },
    CheckerCase(OverlapChecker(), .held, of: "a read during an insert") { try .sample(overlapping) },
    CheckerCase(OverlapChecker(), .notExercised, of: "no read") { try .sample() },
    CheckerCase(InjectedFaultsChecker(), .held, of: "a fault that happened") { try faults(2) },
    CheckerCase(InjectedFaultsChecker(), .notExercised, of: "a fault that never happened") { try faults(0) },
  ]
}
