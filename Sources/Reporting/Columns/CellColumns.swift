import Checking
import Measuring

extension Table where Row == CellRow {
  /// `cells.csv`.
  package static let cells = Table(
    fileName: "cells.csv", grain: "one row per cell: what it took and how it ended",
    empty: { CellRow(key: .empty, verdict: .unknown) }, key: \.key,
    columns: whole + mainThreadColumns
      + stalls.map { column in
        column.inside(\.figures.stalls) { StallSummary(ticks: 0, late: 0, lateness: LatencySummary(count: 0)) }
      }
      + processor.map { column in column.inside(\.figures.processor) { ProcessorUsage() } }
      + memory + surroundings + ending)

  private static let whole: [Column<CellRow>] = [
    .text("arm", "a or b of an A/A pair; base or head with run --against; else empty", \.arm),
    .integer("objects", "objects made, changed or deleted, and acknowledged", \.figures.objects),
    .number(
      "until_durable_s", unit: "s", "from the first operation until all rows were committed to the file",
      \.figures.untilDurableSeconds),
    .number(
      "until_visible_s", unit: "s", "until main had also drained every merge or push", \.figures.untilVisibleSeconds),
    .number("floor_s", unit: "s", "the same rows written in C, one thread, same commits and pragmas", \.floorSeconds),
    .derived("floor_ratio", "until_durable_s / floor_s: what compares across machines") { $0.floorRatio },
  ]

  /// The ratio comes second, as it always did.
  private static var mainThreadColumns: [Column<CellRow>] {
    var columns: [Column<CellRow>] = mainThread.map { $0.inside(\.figures.mainThread) { MainThreadTime() } }
    columns.insert(.derived("main_thread_floor_ratio", "main_thread_s / floor_s") { $0.mainThreadFloorRatio }, at: 1)
    return columns
  }

  private static let mainThread: [Column<MainThreadTime>] = [
    .number(
      "main_thread_s", unit: "s", "main thread working or blocked, outside its run loop's wait",
      \.total),
    .number(
      "main_thread_push_s", unit: "s", "of main_thread_s: taking over what a child context saved",
      \.push),
    .number("main_thread_save_s", unit: "s", "of main_thread_s: saving on main", \.save),
    .number(
      "main_thread_merge_s", unit: "s", "of main_thread_s: merging other contexts' saves", \.merge),
    .number(
      "main_thread_fetch_s", unit: "s", "of main_thread_s: serving fetches and faults of child contexts",
      \.fetch),
    .number("main_thread_edit_s", unit: "s", "of main_thread_s: editing objects on main", \.edit),
    .number(
      "main_thread_harness_s", unit: "s", "the harness's ticks and page fetches; not in main_thread_s",
      \.harness),
  ]

  private static let stalls: [Column<StallSummary>] = [
    .unsigned(
      "main_ticks", "ticks of the heartbeat that were due on main, including those missed while it was held", \.ticks),
    .unsigned(
      "main_ticks_late", "of these: later than the distance between two ticks, a dropped frame", \.late),
    .unsigned(
      "main_stall_ns_p50", unit: "ns", "lateness of main's ticks from the intended instant, median",
      \.lateness.latencyNanosecondsP50),
    .unsigned(
      "main_stall_ns_p90", unit: "ns", "90 % of the ticks were no later; needs 100", \.lateness.latencyNanosecondsP90),
    .unsigned(
      "main_stall_ns_p99", unit: "ns", "99 % of the ticks were no later; needs 1,000", \.lateness.latencyNanosecondsP99),
    .unsigned(
      "main_stall_ns_p999", unit: "ns", "99.9 % of the ticks were no later; needs 10,000",
      \.lateness.latencyNanosecondsP999),
    .unsigned("main_stall_ns_max", unit: "ns", "lateness of the latest tick", \.lateness.latencyNanosecondsMax),
  ]

  private static let processor: [Column<ProcessorUsage>] = [
    .number("cpu_s", unit: "s", "CPU time of all threads of the cell's processes", \.totalSeconds),
    .number("main_cpu_s", unit: "s", "of cpu_s: the main thread, of the first process", \.mainSeconds),
    .number("worker_cpu_s", unit: "s", "of cpu_s: threads of the clients and of the strategy", \.workerSeconds),
    .number("queue_cpu_s", unit: "s", "of cpu_s: threads that serve the contexts' queues", \.queueSeconds),
    .number("kernel_cpu_s", unit: "s", "of cpu_s: inside the kernel, any thread", \.kernelSeconds),
    .number(
      "main_run_delay_s", unit: "s", "time in which main was ready to run and waited for a processor",
      \.mainRunDelaySeconds),
    .unsigned("voluntary_switches", "context switches because a thread waited, all threads", \.voluntarySwitches),
    .unsigned(
      "involuntary_switches", "context switches because another thread's turn came, all threads", \.involuntarySwitches),
    .unsigned("main_voluntary_switches", "of voluntary_switches: the main thread", \.mainVoluntarySwitches),
    .unsigned("main_involuntary_switches", "of involuntary_switches: the main thread", \.mainInvoluntarySwitches),
  ]

  private static let memory: [Column<CellRow>] = [
    .unsigned("allocated_bytes", unit: "bytes", "bytes allocated by all threads", \.figures.allocatedBytes),
    .derived("bytes_per_object", unit: "bytes", "allocated_bytes / objects") { $0.bytesPerObject },
    .unsigned(
      "rss_bytes_peak", unit: "bytes", "largest resident memory of the cell's process; of several, the sum of theirs",
      \.figures.rssBytesPeak),
    .unsigned("wal_bytes_peak", unit: "bytes", "largest size of the store's write-ahead log", \.figures.walBytesPeak),
    .unsigned(
      "instructions", "instructions of all threads from the first operation to the last; only with run --instructions",
      \.instructions
    ).addedLater(),
    .derived("instructions_per_object", "instructions / objects") { $0.instructionsPerObject }.addedLater(),
  ]

  private static let surroundings: [Column<CellRow>] = [
    .unsigned("recorded", "operations recorded: history records and latencies, all threads", \.figures.recorded),
    .number(
      "recording_s", unit: "s", "time spent recording history and latencies, all threads", \.figures.recordingSeconds),
    .number("process_s", unit: "s", "life of the cell's process, from its start to its end", \.processSeconds),
    .number(
      "probe_s", unit: "s", "a fixed piece of work just before the cell: grows when the machine is disturbed",
      \.noise.probeSeconds),
    .number(
      "others_cpu_s", unit: "s", "CPU time of the machine's other processes during process_s", \.noise.othersCPUSeconds),
    .number(
      "steal_s", unit: "s", "CPU time that the host took from this virtual machine during process_s",
      \.noise.stealSeconds),
    .number("load_average", "runnable processes, mean of the minute before the cell", \.noise.loadAverage),
  ]

  private static let ending: [Column<CellRow>] = [
    .text("verdict", "held, violated, not exercised or unknown", \.verdict),
    .text("ending", "how it counts for the run: passed, inconclusive, violated or harness failed", \.ending),
    .text("reason", "why it did not pass: sentences, joined by ;", \.reason),
  ]
}

/// The columns that say which cell a row is about; every file begins with them.
package enum KeyColumns {
  package static let all: [Column<CellKey>] = [
    .schemaVersion,
    .text("run", "identifier of the run: its start and four random digits", \.run),
    .integer("cell", "number of the cell in the plan, from 0", \.cell),
    .text("scenario", "name of the scenario: its file's stem", \.scenario),
    .text("strategy", "name of the strategy", \.strategy),
    .text("options", "the strategy's options: key=value, joined by ;", \.options),
    .text("merge_policy", "merge policy of the strategy's contexts", \.mergePolicy),
    .unsigned("seed", "seed of the cell's draws", \.seed),
    .integer("repetition", "number of the repetition, from 0", \.repetition),
  ]
}
