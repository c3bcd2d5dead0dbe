import Reporting

extension ScenarioKey {
  /// The keys that are there without being registered.
  static let shipped: [ScenarioKey] = general + consistency + faults + slowdowns

  /// All merge policies, as files name them.
  package static let mergePolicies = ["error", "store-trump", "object-trump", "overwrite", "rollback"]

  private static let general: [ScenarioKey] = [
    // What runs.
    ScenarioKey("description", .text, default: "", "What the scenario does, in a sentence."),
    ScenarioKey("workload", .name(.workloads), "The workload that is run; required."),
    ScenarioKey("strategies", .names(.strategies), "The strategies that are compared; required."),
    ScenarioKey(
      "options", .optionsSection,
      "By strategy: keys that are options, with a value, or a list of values that are crossed into variants."),
    ScenarioKey(
      "merge_policy", .choice(mergePolicies), default: "error",
      isOption: true, "Merge policy of every context that saves."),

    // Each strategy has its own default.
    ScenarioKey(
      "merge", .choice(["automatic", "async", "sync", "none"]), isOption: true, isOfStrategies: true,
      "How a save reaches main: merged automatically, merged in a block enqueued on main, or in one the saving thread waits for; or not at all, which is a mistake to catch."
    ),
    ScenarioKey(
      "root_save", .choice(["each", "never"]), isOption: true, isOfStrategies: true,
      "When the context on the coordinator saves: after each child's save, or never, which is a mistake to catch."),
    ScenarioKey(
      "reset_after_save", .boolean, isOption: true, isOfStrategies: true,
      "Reset a writing context after each save, so that memory does not grow with the import."),

    // Sizes.
    ScenarioKey(
      "notes", .integer(1...10_000_000), unit: "objects", default: "5000", quick: "300", "Notes in the data."),
    ScenarioKey("words_per_note", .integer(0...1000), unit: "objects", default: "20", "Words of each note."),
    ScenarioKey(
      "importers", .integer(1...64), unit: "workers", default: "4", isOption: true, workloads: ["import", "own-model"],
      "Clients that import at the same time."),
    ScenarioKey(
      "save_every", .integer(1...1_000_000), unit: "objects", default: "500", isOption: true,
      workloads: ["import", "own-model"], "Objects between two saves of one importer."),
    ScenarioKey(
      "update_rounds", .integer(0...10_000), unit: "rounds", default: "20", quick: "5", workloads: ["import"],
      "Rounds of updates, after the import, of notes that main holds."),
    ScenarioKey(
      "clients", .integer(1...64), unit: "workers", default: "4",
      workloads: [
        "delete-during-request", "nested-perform-and-wait", "soak", "cascade-storm", "ui-churn", "id-handoff",
        "crash-recovery", "merge-conflict",
      ] + consistencyWorkloads,
      "Clients that work at the same time."),
    ScenarioKey(
      "processes", .integer(1...16), unit: "processes", default: "1",
      workloads: ["soak"] + consistencyWorkloads,
      "Processes that the clients are spread over, each with a coordinator of its own on the one file; there are as many clients at least. Each main merges the saves of the other processes by their object IDs, as messages bring them; other contexts hear nothing of them. Main-thread times and stalls are the first process's, processor time and memory of all."
    ),
    ScenarioKey(
      "duration_s", .number(0.1...86_400), unit: "s", default: "10", quick: "2", workloads: ["soak"],
      "How long the clients go on, or a phase that says nothing else."),
    ScenarioKey(
      "operations", .integer(1...1_000_000_000), unit: "operations", workloads: ["soak"],
      "The clients end after so many operations together, if not before. Absent = no such limit."),
    ScenarioKey(
      "think_ms", .number(0...60_000), unit: "ms", default: "0",
      workloads: ["soak"] + consistencyWorkloads,
      "Mean time that a client waits between two operations; drawn from the exponential distribution."),
    ScenarioKey(
      "rate_per_s", .number(0.01...1_000_000), unit: "1/s", isOption: true,
      workloads: ["import", "soak"] + consistencyWorkloads,
      "Operations, of an import its saves, that all clients together begin a second, at equal distances, whether or not those before have ended; latencies then count from the instant an operation was due. Absent = each begins when the one before has ended."
    ),
    ScenarioKey(
      "stop_on_violation", .boolean, default: "false", workloads: ["soak"],
      "The clients end with the first error that is seen while they run."),
    ScenarioKey(
      "contexts", .choice(["strategy", "own"]), default: "strategy", isOption: true, workloads: ["soak"],
      "Whose contexts the clients use: the strategy's, or each a context of its own and a child of it, on one coordinator."
    ),
    ScenarioKey(
      "phases", .phasesSection, workloads: ["soak"],
      "Phases one after the other, each with weights of operations, and duration_s, operations, think_ms or name."),
    ScenarioKey(
      "kills", .integer(1...1_000_000), unit: "kills", default: "500", quick: "40", workloads: ["crash-recovery"],
      "How often a process that saves is killed."),
    ScenarioKey(
      "kill_within_ms", .integer(0...60_000), unit: "ms", default: "15", workloads: ["crash-recovery"],
      "A process is killed at a random moment so long after its first save at the latest."),
    ScenarioKey(
      "requests", .integer(1...1_000_000), unit: "requests", default: "200", quick: "60",
      workloads: ["delete-during-request"], "Requests that hold an object's ID while the object may be deleted."),
    ScenarioKey(
      "care", .choice(["careful", "careless"]), default: "careful",
      workloads: [
        "delete-during-request", "hand-off", "crossed-nesting", "hazard", "ui-churn", "id-handoff", "merge-conflict",
      ],
      "Whether the clients do it the right way, or make the mistake that the scenario is about."),
    ScenarioKey(
      "hand", .choice(["context", "object"]), default: "object", workloads: ["hand-off"],
      "What is handed to the other thread."),
    ScenarioKey(
      "rounds", .integer(1...1_000_000), unit: "rounds", default: "20", quick: "5",
      workloads: [
        "nested-perform-and-wait", "hand-off", "crossed-nesting", "hazard", "cascade-storm", "ui-churn", "id-handoff",
        "merge-conflict",
      ], "How often it is done."),
    ScenarioKey(
      "mistake", .choice(["temporary-id", "cross-context"]), default: "temporary-id", workloads: ["id-handoff"],
      "What careless clients do: hand over an ID before it is permanent, or join an object of another context."),
    ScenarioKey(
      "depth", .integer(1...64), unit: "levels", default: "4", workloads: ["nested-perform-and-wait"],
      "How many performAndWait blocks are nested in each other."),
    ScenarioKey(
      "fan_out", .integer(1...64), unit: "blocks", default: "3", workloads: ["nested-perform-and-wait"],
      "Blocks that each block of a level starts."),
    ScenarioKey(
      "main_waits", .boolean, default: "false", workloads: ["nested-perform-and-wait"],
      "Whether main waits for the background blocks, which wait for main: a mistake to catch."),
    ScenarioKey(
      "trees", .integer(1...100_000), unit: "objects", default: "8", quick: "3", workloads: ["cascade-storm"],
      "Trees of folders in the data."),
    ScenarioKey(
      "tree_depth", .integer(1...32), unit: "levels", default: "5", quick: "4", workloads: ["cascade-storm"],
      "Levels of folders below the root of a tree."),
    ScenarioKey(
      "tree_fan_out", .integer(1...64), unit: "objects", default: "3", quick: "2", workloads: ["cascade-storm"],
      "Folders in each folder but the deepest."),
    ScenarioKey(
      "documents_per_folder", .integer(0...1000), unit: "objects", default: "2", workloads: ["cascade-storm"],
      "Documents in each folder."),
    ScenarioKey(
      "owner_rule", .choice(["cascade", "nullify"]), default: "cascade", workloads: ["cascade-storm"],
      "What becomes of a deleted folder's contents: deleted with it, or left behind, which is a mistake to catch."),
    ScenarioKey(
      "reference_rule", .choice(["nullify", "no-action"]), default: "nullify", workloads: ["cascade-storm"],
      "What becomes of references to a deleted folder: cleared, or left as they are, which is a mistake to catch."),
    ScenarioKey(
      "model", .path, workloads: ["own-model"],
      "The .xcdatamodeld or .xcdatamodel that data is made for; required."),
    ScenarioKey(
      "objects_per_entity", .integer(1...1_000_000), unit: "objects", default: "500", quick: "40",
      workloads: ["own-model"], "Objects of each entity that is not abstract, at least."),
    ScenarioKey(
      "edits", .integer(0...1_000_000), unit: "saves", default: "100", quick: "20", workloads: ["own-model"],
      "Values and relationships that each importer changes after the import, one a save."),
    ScenarioKey(
      "deletes", .integer(0...1_000_000), unit: "saves", default: "50", quick: "10", workloads: ["own-model"],
      "Objects that each importer then deletes by the model's rules, one a save."),

    // The main thread beside it.
    ScenarioKey(
      "tick_hz", .integer(0...1000), unit: "1/s", default: "60",
      "How often the heartbeat ticks on the main queue; 0 = no heartbeat."),
    ScenarioKey(
      "page_size", .integer(1...10_000), unit: "objects", default: "50", workloads: ["import"],
      "Objects of a page that the main thread fetches."),
    ScenarioKey(
      "page_every_ticks", .integer(0...10_000), unit: "ticks", default: "6", workloads: ["import"],
      "Ticks from one page that the main thread fetches to the next; 0 = no pages."),

    // How often, from which seed.
    ScenarioKey(
      "repetitions", .integer(1...100_000), unit: "cells", default: "3", quick: "1",
      "Cells of each strategy and option set; each has the next seed."),
    ScenarioKey(
      "min_time_s", .number(0.001...86_400), unit: "s",
      "Repetitions go on, beyond repetitions, until the cells of each strategy have together been at work for so long. Absent = no such goal."
    ),
    ScenarioKey(
      "min_samples", .integer(1...1_000_000_000), unit: "operations",
      "Repetitions go on, beyond repetitions, until each operation of each strategy was done so often, all cells together: percentiles need samples. Absent = no such goal."
    ),
    ScenarioKey(
      "repetitions_max", .integer(1...100_000), unit: "cells", default: "100",
      "Where min_time_s or min_samples ask for more repetitions: there are no more than these."),
    ScenarioKey(
      "aa", .boolean, default: "false",
      "Each repetition runs every strategy twice, as arms a and b of cells.csv, in random order: what differs between them is noise."
    ),
    ScenarioKey(
      "difference_percent", .number(0.01...10_000), unit: "%", default: "10",
      "The smallest difference between two strategies that the run is to show; it warns where its noise hides one."),
    ScenarioKey(
      "warmup", .integer(0...100), unit: "cells", default: "0",
      "Cells of each strategy before the first repetition; checked, but not written to cells.csv and timings.csv."),
    ScenarioKey(
      "seed", .integer(0...Int.max), default: "1", "Seed of the first repetition; data and draws come from it."),
    ScenarioKey(
      "seed_step", .integer(0...1_000_000), default: "1",
      "From one repetition's seed to the next; 0 = every repetition has the same seed."),

    // Limits.
    ScenarioKey(
      "timeout_s", .number(0.1...86_400), unit: "s", default: "120", quick: "60",
      "A cell that has not ended by then is a hang."),
    ScenarioKey(
      "main_stall_budget_ms", .integer(1...3_600_000), unit: "ms",
      "The main thread may be held so long; longer is a main-thread-stall error. Absent = no budget."),
    ScenarioKey(
      "staleness_bound_ms", .integer(1...3_600_000), unit: "ms",
      "What main reads may be so old, measured from the acknowledgement; older is a stale-read. Absent = no bound."),
    ScenarioKey(
      "wal_budget_mb", .integer(1...1_000_000), unit: "MB",
      "The write-ahead log may grow so far, in millions of bytes; farther is a log-growth error. Absent = no budget."),
    ScenarioKey(
      "watchdog_s", .number(0.1...86_400), unit: "s",
      "The main thread held longer is a main-thread-stall error, as a system's watchdog would end the app. Absent = none."
    ),

    // What is checked, what is expected.
    ScenarioKey("checks", .names(.checks), "Checks that are made and must have had something to check; absent = all."),
    ScenarioKey(
      "expect", .expectSection,
      "What a passing run shows: must (a kind, or a list of which one is enough, at_least), may, not_exercised, by_strategy."
    ),
    ScenarioKey(
      "thresholds", .thresholdsSection,
      "Differences from a baseline that count: a list of {column, percent} and, where wanted, strategy; without one 5 %."
    ),
    ScenarioKey(
      "primary_measure", .choice(ComparedMetric.comparable), default: ComparedMetric.primaryDefault,
      "Column of cells.csv on which the verdict of a comparison rests; the others are secondary."),
    ScenarioKey("floor", .boolean, default: "false", workloads: ["import"], "Run the C floor beside each repetition."),
    ScenarioKey("quick", .quickSection, "Values of --quick runs: key → value."),
    ScenarioKey(
      "careful", .carefulSection,
      "The right way beside a mistake, which runs under the name with -careful behind it: key → value in place of the file's, of which it does not take expect."
    ),
  ]
}
