extension Keys {
  // The keys of several workloads, or of one together with the code that plans and starts its cells.
  /// The key `importers`.
  public static let importers = Setting<Int>(
    "importers", 1...64, unit: "workers", default: 4, isOption: true, "Clients that import at the same time.")
  /// The key `save_every`.
  public static let saveEvery = Setting<Int>(
    "save_every", 1...1_000_000, unit: "objects", default: 500, isOption: true,
    "Objects between two saves of one importer.")
  /// The key `clients`.
  public static let clients = Setting<Int>(
    "clients", 1...64, unit: "workers", default: 4, "Clients that work at the same time.")
  /// The key `processes`.
  public static let processes = Setting<Int>(
    "processes", 1...16, unit: "processes", default: 1,
    "Processes that the clients are spread over, each with a coordinator of its own on the one file; there are as many clients at least. Each main merges the saves of the other processes by their object IDs, as messages bring them; other contexts hear nothing of them. Main-thread times and stalls are the first process's, processor time and memory of all."
  )
  /// The key `think_ms`.
  public static let thinkMilliseconds = Setting<Double>(
    "think_ms", 0...60_000, unit: "ms", default: "0",
    "Mean time that a client waits between two operations; drawn from the exponential distribution.")
  /// The key `rate_per_s`.
  public static let ratePerSecond = Setting<Double?>(
    "rate_per_s", 0.01...1_000_000, unit: "1/s", isOption: true,
    "Operations, of an import its saves, that all clients together begin a second, at equal distances, whether or not those before have ended; latencies then count from the instant an operation was due. Absent = each begins when the one before has ended."
  )
  /// The key `care`.
  public static let care = Setting<Care>(
    "care", default: .careful,
    "Whether the clients do it the right way, or make the mistake that the scenario is about.")
  /// The key `rounds`.
  public static let rounds = Setting<Int>(
    "rounds", 1...1_000_000, unit: "rounds", default: 20, quick: 5, "How often it is done.")
  /// The key `page_size`.
  public static let pageSize = Setting<Int>(
    "page_size", 1...10_000, unit: "objects", default: 50, "Objects of a page that the main thread fetches.")
  /// The key `page_every_ticks`.
  public static let pageEveryTicks = Setting<Int>(
    "page_every_ticks", 0...10_000, unit: "ticks", default: 6,
    "Ticks from one page that the main thread fetches to the next; 0 = no pages.")
  /// The key `floor`.
  public static let floor = Setting<Bool>("floor", default: false, "Run the C floor beside each repetition.")
  /// The key `operations_per_client`.
  public static let operationsPerClient = Setting<Int>(
    "operations_per_client", 1...10_000_000, unit: "operations", default: 200, quick: 50, "Operations of each client.")
  /// The key `keys`.
  public static let sharedRows = Setting<Int>(
    "keys", 1...1_000_000, unit: "objects", default: 10,
    "Rows that the clients share; of list-append the lists in use at one time, of find-or-create new keys a step.")
  /// The key `units`.
  public static let units = Setting<Units>(
    "units", default: .concurrent, isOption: true,
    "Whether the clients' units of work go to their writers at once, or one by one through a queue of the app: needed "
      + "where children of one context write, whose versions are not compared.")
}

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
