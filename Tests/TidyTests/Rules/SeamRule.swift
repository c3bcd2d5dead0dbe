/// Everything concurrent goes through `Scheduling`: whatever waits or runs elsewhere is seen by no wait-for graph and by
/// no schedule.
enum SeamRule {
  static let words: Set<String> = [
    "Dispatch", "DispatchQueue", "DispatchGroup", "DispatchSemaphore", "DispatchSource", "DispatchSourceTimer",
    "DispatchWorkItem", "DispatchTime", "DispatchIO", "dispatchMain", "Thread", "OperationQueue", "BlockOperation",
    "NSLock", "NSRecursiveLock", "NSCondition", "NSConditionLock", "Mutex", "RunLoop", "CFRunLoopRun",
    "CFRunLoopRunInMode", "CFRunLoopPerformBlock", "Timer", "sleep", "usleep",
    "nanosleep", "clock_nanosleep", "pthread_create", "pthread_mutex_lock", "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock", "pthread_cond_wait", "pthread_cond_timedwait", "pthread_spin_lock", "sem_wait",
    "sem_timedwait", "contextbench_sleep_while", "os_unfair_lock", "sched_yield",
  ]

  /// Files outside `Scheduling` that may use one of the words, and why.
  static let exceptions: [String: [String: String]] = [:]

  static func findings(in file: SourceFile) -> [Finding] {
    guard file.isSwift, file.target != nil, file.target != "Scheduling" else { return [] }
    let allowed = exceptions[file.path] ?? [:]
    return file.findings { line in
      line.words.map(String.init).first { words.contains($0) && allowed[$0] == nil }
        .map { "\($0) belongs into Sources/Scheduling: use its wrapper" }
    }
  }
}
