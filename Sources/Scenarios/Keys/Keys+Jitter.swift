extension Keys {
  // Waits that stretch the windows between two steps.
  /// The key `jitter_rate`.
  public static let jitterRate = Setting<Double>(
    "jitter_rate", 0...1, default: "0",
    "At which share of its places a cell waits a little, so that rare schedules come up; 0 = never, as timed cells need it."
  )
  /// The key `jitter_max_ms`.
  public static let jitterMaxMilliseconds = Setting<Double>(
    "jitter_max_ms", 0...1_000, unit: "ms", default: "2", "How long it waits there at most.")
  /// The key `jitter_at`.
  public static let jitterAt = Setting<JitterPlaces>(
    "jitter_at", default: .everywhere,
    "Where: at checkpoints of saves and reads, between statements of transactions, or when a thread gets a queue.")
}
