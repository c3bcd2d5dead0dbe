extension ScenarioKey {
  /// The keys of faults, which strike while a workload is measured; none by default.
  static let faults: [ScenarioKey] = [
    ScenarioKey(
      "fault_busy_rate", .number(0...1), default: "0",
      "Share of write transactions that find the file locked by another process, for longer than SQLite waits."),
    ScenarioKey(
      "fault_busy_ms", .integer(1...60_000), unit: "ms", default: "20",
      "How long the file then stays locked: every transaction that begins in that time fails."),
    ScenarioKey(
      "fault_failed_save_rate", .number(0...1), default: "0",
      "Share of write transactions that fail at one of their statements, or at their commit."),
    ScenarioKey(
      "fault_failed_save", .choice(["any", "full", "io"]), default: "any",
      "Why they fail: a full disk, an I/O error, or one of the two."),
    ScenarioKey(
      "fault_slow_commit_rate", .number(0...1), default: "0", "Share of commits that take fault_slow_ms longer."),
    ScenarioKey(
      "fault_slow_read_rate", .number(0...1), default: "0", "Share of reads of the file that take fault_slow_ms longer."
    ),
    ScenarioKey("fault_slow_ms", .integer(1...60_000), unit: "ms", default: "20", "How much longer."),
    ScenarioKey(
      "fault_late_delivery_rate", .number(0...1), default: "0",
      "Share of merges into another context that come fault_late_ms after their save, behind later ones perhaps."),
    ScenarioKey("fault_late_ms", .integer(1...60_000), unit: "ms", default: "20", "How late they come."),
    ScenarioKey(
      "fault_doubled_delivery_rate", .number(0...1), default: "0",
      "Share of merges into another context that come twice."),
    ScenarioKey(
      "fault_death_rate", .number(0...1), default: "0",
      "Share of saves in which the process dies: before it writes, before its commit, or right after it."),
    ScenarioKey(
      "fault_power_loss_rate", .number(0...1), default: "0",
      "Share of saves in which the power fails: the process dies, and what was not synced is gone. explore only."),
  ]
}
