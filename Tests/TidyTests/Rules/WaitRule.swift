/// Whatever blocks a thread knows of simulations: a wait that does not would stop the one task that has the baton, and so
/// all of them.
enum WaitRule {
  static let words: Set<String> = [
    "DispatchSemaphore", "DispatchGroup", "NSCondition", "NSLock", "NSRecursiveLock", "NSConditionLock",
    "pthread_mutex_lock", "pthread_cond_wait", "contextbench_sleep_while", "sqlite3_sleep", "sqlite3_busy_timeout",
    "sleep", "usleep",
  ]

  /// Files that may use one of the words, and why.
  static let exceptions: [String: [String: String]] = [
    "Sources/Scheduling/Permit.swift": ["DispatchSemaphore": "parks the task in a simulation"],
    "Sources/Scheduling/Countdown.swift": ["DispatchGroup": "parks the task in a simulation"],
    "Sources/Scheduling/Locked.swift": [
      "contextbench_sleep_while": "held for a few instructions, with no step in between"
    ],
    "Sources/Scheduling/WorkerThreads.swift": ["NSCondition": "of live threads; a simulation's blocks are tasks"],
    "Sources/Scheduling/RunLoopThread.swift": ["DispatchSemaphore": "of a live thread; a simulation's is a mailbox"],
    "Sources/Scheduling/Simulation/Simulation.swift": [
      "NSLock": "one simulation at a time; waited for outside of it", "DispatchSemaphore": "the end of the simulation",
    ],
    "Sources/Scheduling/Simulation/Baton.swift": ["contextbench_sleep_while": "the baton"],
    "Sources/SQLite/Connection.swift": ["sqlite3_sleep": "where nobody replaced the wait"],
    "Sources/SQLite/BusyWait.swift": [
      "sqlite3_busy_timeout": "where nobody replaced the wait", "sqlite3_sleep": "on a thread outside of simulations",
    ],
  ]

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isSwift, let target = file.target,
      ["Scheduling", "SQLite", "CoreData", "Cells", "Trials"].contains(target)
    else {
      return []
    }
    let allowed = exceptions[file.path] ?? [:]
    return file.findings { line in
      line.words.map(String.init).first { words.contains($0) && allowed[$0] == nil }
        .map { "\($0) blocks a thread, and no simulation knows: use Permit, Countdown or BusyWait" }
    }
  }
}
