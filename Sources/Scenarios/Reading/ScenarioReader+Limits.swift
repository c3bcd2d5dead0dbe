extension ScenarioReader {
  /// Keys that set a limit, each with the check that compares with it.
  private static let limits = [
    (key: "main_stall_budget_ms", check: "main-thread-stall"), (key: "watchdog_s", check: "main-thread-stall"),
    (key: "staleness_bound_ms", check: "staleness-bound"), (key: "wal_budget_mb", check: "log-growth"),
  ]

  /// Reports a limit that no check compares with: it looks as if it had to be kept.
  mutating func checkLimits() {
    guard let checks = lists["checks"] else { return }
    for (key, check) in Self.limits where fileValues[key] != nil && !checks.contains(check) {
      let isOverridden = overrides.contains { $0.key == key }
      problems.append(
        ScenarioProblem(
          source: isOverridden ? "--set" : source, line: isOverridden ? nil : lines[key], key: key,
          what: "has no effect without the check \(check)", advice: "Add \(check) to checks, or leave \(key) out"))
    }
  }
}

extension Scenario {
  /// Checks that are named and can fail no cell, since no key sets their limits: each with a key to write.
  package var checksWithoutLimit: [String] {
    guard checksAreNamed, checks.contains("main-thread-stall"), settings[Keys.mainStallBudgetMilliseconds] == nil,
      settings[Keys.watchdogSeconds] == nil
    else { return [] }
    return [
      "main-thread-stall only warns, above 250 ms; write main_stall_budget_ms: 17 for a main thread that misses no frame"
    ]
  }
}
