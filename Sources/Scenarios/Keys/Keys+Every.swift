extension Keys {
  // The keys of every scenario.
  /// The key `description`.
  public static let description = Setting<String>(
    "description", .text, default: "", "What the scenario does, in a sentence.")
  /// The key `workload`.
  public static let workload = Setting<String>("workload", .name(.workloads), "The workload that is run; required.")
  /// The key `merge_policy`.
  public static let mergePolicy = Setting<MergePolicy>(
    "merge_policy", default: .error, isOption: true, "Merge policy of every context that saves.")
  /// The key `synchronous`.
  public static let synchronous = Setting<Synchronous>(
    "synchronous", default: .normal,
    "SQLite's pragma of that name for the stores and the floor: full syncs each commit, off none.")
  /// The key `history`.
  public static let history = Setting<Bool>(
    "history", default: false,
    "Whether stores keep a persistent history; what its replay from an empty store gives has to be in the file.")
  /// The key `merge`.
  public static let merge = Setting<Merge>(
    "merge", default: .automatic, isOption: true, isOfStrategies: true,
    "How a save reaches main: merged automatically, merged in a block enqueued on main, or in one the saving thread waits for; or not at all, which is a mistake to catch."
  )
  /// The key `root_save`.
  public static let rootSave = Setting<RootSave>(
    "root_save", default: .each, isOption: true, isOfStrategies: true,
    "When the context on the coordinator saves: after each child's save, or never, which is a mistake to catch.")
  /// The key `reset_after_save`.
  public static let resetAfterSave = Setting<Bool>(
    "reset_after_save", default: true, isOption: true, isOfStrategies: true,
    "Reset a writing context after each save, so that memory does not grow with the import.")
  /// The key `notes`.
  public static let notes = Setting<Int>(
    "notes", 1...10_000_000, unit: "objects", default: 5000, quick: 300, "Notes in the data.")
  /// The key `words_per_note`.
  public static let wordsPerNote = Setting<Int>(
    "words_per_note", 0...1000, unit: "objects", default: 20, "Words of each note.")
  /// The key `tick_hz`.
  public static let tickHertz = Setting<Int>(
    "tick_hz", 0...1000, unit: "1/s", default: 60, "Ticks of the heartbeat on the main queue; 0 = no heartbeat.")
  /// The key `repetitions`.
  public static let repetitions = Setting<Int>(
    "repetitions", 1...100_000, unit: "cells", default: 3, quick: 1,
    "Cells of each strategy and option set; each has the next seed.")
  /// The key `min_time_s`.
  public static let minTimeSeconds = Setting<Double?>(
    "min_time_s", 0.001...86_400, unit: "s",
    "Adds repetitions until the cells of each strategy have worked this long in total. Absent = no such goal."
  )
  /// The key `min_samples`.
  public static let minSamples = Setting<Int?>(
    "min_samples", 1...1_000_000_000, unit: "operations",
    "Adds repetitions until each operation of each strategy was done this often, all cells together: percentiles need samples. Absent = no such goal."
  )
  /// The key `repetitions_max`.
  public static let repetitionsMax = Setting<Int>(
    "repetitions_max", 1...100_000, unit: "cells", default: 100,
    "Upper bound of the repetitions that min_time_s and min_samples add.")
  /// The key `aa`.
  public static let runsPairs = Setting<Bool>(
    "aa", default: false,
    "Each repetition runs every strategy twice, as arms a and b of cells.csv, in random order: what differs between them is noise."
  )
  /// The key `difference_percent`.
  public static let differencePercent = Setting<Double>(
    "difference_percent", 0.01...10_000, unit: "%", default: "10",
    "The smallest difference between two strategies that the run is to show; it warns where its noise hides one.")
  /// The key `warmup`.
  public static let warmup = Setting<Int>(
    "warmup", 0...100, unit: "cells", default: 0,
    "Cells of each strategy before the first repetition; checked, but not written to cells.csv and timings.csv.")
  /// The key `seed`.
  public static let seed = Setting<Int>(
    "seed", 0...Int.max, default: 1, "Seed of the first repetition; data and draws come from it.")
  /// The key `seed_step`.
  public static let seedStep = Setting<Int>(
    "seed_step", 0...1_000_000, default: 1,
    "From one repetition's seed to the next; 0 = every repetition has the same seed.")
  /// The key `timeout_s`.
  public static let timeoutSeconds = Setting<Double>(
    "timeout_s", 0.1...86_400, unit: "s", default: "120", quick: "60", "A cell that has not ended by then is a hang.")
  /// The key `main_stall_budget_ms`.
  public static let mainStallBudgetMilliseconds = Setting<Int?>(
    "main_stall_budget_ms", 1...3_600_000, unit: "ms",
    "Longest allowed stall of the main thread; exceeding it is a main-thread-stall error. Absent = no budget.")
  /// The key `staleness_bound_ms`.
  public static let stalenessBoundMilliseconds = Setting<Int?>(
    "staleness_bound_ms", 1...3_600_000, unit: "ms",
    "What main reads may be so old, measured from the acknowledgement; older is a stale-read. Absent = no bound.")
  /// The key `wal_budget_mb`.
  public static let walBudgetMegabytes = Setting<Int?>(
    "wal_budget_mb", 1...1_000_000, unit: "MB",
    "The write-ahead log may grow so far, in millions of bytes; farther is a log-growth error. Absent = no budget.")
  /// The key `keep`.
  public static let keptMegabytes = Setting<Int>(
    "keep", 0...1_000_000, unit: "MB", default: 5,
    "What a cell that did not pass may leave in the results folder, in millions of bytes; of more the largest files are left out."
  )
  /// The key `watchdog_s`.
  public static let watchdogSeconds = Setting<Double?>(
    "watchdog_s", 0.1...86_400, unit: "s",
    "The main thread held longer is a main-thread-stall error, as a system's watchdog would end the app. Absent = none."
  )
}
