extension Scenario {
  /// Checks that are named and can fail no cell, since no key says what they allow: each with what to write.
  package var checksWithoutLimit: [String] {
    guard checksAreNamed, checks.contains("main-thread-stall"), settings[Keys.mainStallBudgetMilliseconds] == nil,
      settings[Keys.watchdogSeconds] == nil
    else { return [] }
    return [
      "main-thread-stall only warns, above 250 ms; write main_stall_budget_ms: 17 for a main thread that misses no frame"
    ]
  }
}
