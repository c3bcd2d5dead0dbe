extension Table where Row == CellRow {
  /// `cells.csv`.
  package static let cells = Table(
    fileName: "cells.csv", grain: "a row a cell: what it took and how it ended", key: \.key,
    columns: whole + mainThread + stalls + processor + memory + surroundings + ending)

  private static let whole: [Column<CellRow>] = [
    .text("arm", "a or b, the same thing twice, where the scenario asks for A/A pairs; else empty") { $0.arm },
    .integer("objects", "objects made, changed or deleted, and acknowledged") { $0.objects },
    .number("until_durable_s", unit: "s", "from the first operation until all rows were committed to the file") {
      $0.untilDurableSeconds
    },
    .number("until_visible_s", unit: "s", "until main had also drained every merge or push") {
      $0.untilVisibleSeconds
    },
    .number("floor_s", unit: "s", "the same rows written in C, one thread, same commits and pragmas") {
      $0.floorSeconds
    },
    .number("floor_ratio", "until_durable_s / floor_s: what compares across machines") { $0.floorRatio },
  ]

  private static let mainThread: [Column<CellRow>] = [
    .number("main_thread_s", unit: "s", "main thread working or blocked, outside its run loop's wait") {
      $0.mainThread.totalSeconds
    },
    .number("main_thread_floor_ratio", "main_thread_s / floor_s") { $0.mainThreadFloorRatio },
    .number("main_thread_push_s", unit: "s", "of main_thread_s: taking over what a child context saved") {
      $0.mainThread.pushSeconds
    },
    .number("main_thread_save_s", unit: "s", "of main_thread_s: saving on main") { $0.mainThread.saveSeconds },
    .number("main_thread_merge_s", unit: "s", "of main_thread_s: merging other contexts' saves") {
      $0.mainThread.mergeSeconds
    },
    .number("main_thread_fetch_s", unit: "s", "of main_thread_s: serving fetches and faults of child contexts") {
      $0.mainThread.fetchSeconds
    },
    .number("main_thread_edit_s", unit: "s", "of main_thread_s: editing objects on main") {
      $0.mainThread.editSeconds
    },
    .number("main_thread_harness_s", unit: "s", "the harness's ticks and page fetches; not in main_thread_s") {
      $0.mainThread.harnessSeconds
    },
  ]

  private static let stalls: [Column<CellRow>] = [
    .unsigned("main_ticks", "ticks of the heartbeat that were due on main, those it missed while held included") {
      $0.stalls?.ticks
    },
    .unsigned("main_ticks_late", "of these: later than the distance between two ticks; a frame that was dropped") {
      $0.stalls?.late
    },
    .unsigned("main_stall_ns_p50", unit: "ns", "lateness of main's ticks from the intended instant, median") {
      $0.stalls?.lateness.latencyNanosecondsP50
    },
    .unsigned("main_stall_ns_p90", unit: "ns", "90 % of the ticks were no later; needs 100") {
      $0.stalls?.lateness.latencyNanosecondsP90
    },
    .unsigned("main_stall_ns_p99", unit: "ns", "99 % of the ticks were no later; needs 1,000") {
      $0.stalls?.lateness.latencyNanosecondsP99
    },
    .unsigned("main_stall_ns_p999", unit: "ns", "99.9 % of the ticks were no later; needs 10,000") {
      $0.stalls?.lateness.latencyNanosecondsP999
    },
    .unsigned("main_stall_ns_max", unit: "ns", "lateness of the latest tick") {
      $0.stalls?.lateness.latencyNanosecondsMax
    },
  ]

  private static let processor: [Column<CellRow>] = [
    .number("cpu_s", unit: "s", "CPU time of all threads") { $0.processor?.totalSeconds },
    .number("main_cpu_s", unit: "s", "of cpu_s: the main thread") { $0.processor?.mainSeconds },
    .number("worker_cpu_s", unit: "s", "of cpu_s: threads of the clients and of the strategy") {
      $0.processor?.workerSeconds
    },
    .number("queue_cpu_s", unit: "s", "of cpu_s: threads that serve the contexts' queues") {
      $0.processor?.queueSeconds
    },
    .number("kernel_cpu_s", unit: "s", "of cpu_s: inside the kernel, any thread") { $0.processor?.kernelSeconds },
    .number("main_run_delay_s", unit: "s", "main was ready to run and had to wait for a processor") {
      $0.processor?.mainRunDelaySeconds
    },
    .unsigned("voluntary_switches", "context switches because a thread waited, all threads") {
      $0.processor?.voluntarySwitches
    },
    .unsigned("involuntary_switches", "context switches because another thread's turn came, all threads") {
      $0.processor?.involuntarySwitches
    },
    .unsigned("main_voluntary_switches", "of voluntary_switches: the main thread") {
      $0.processor?.mainVoluntarySwitches
    },
    .unsigned("main_involuntary_switches", "of involuntary_switches: the main thread") {
      $0.processor?.mainInvoluntarySwitches
    },
  ]

  private static let memory: [Column<CellRow>] = [
    .unsigned("allocated_bytes", unit: "bytes", "bytes allocated by all threads") { $0.allocatedBytes },
    .number("bytes_per_object", unit: "bytes", "allocated_bytes / objects") { $0.bytesPerObject },
    .unsigned("rss_bytes_peak", unit: "bytes", "largest resident memory of the cell's process") { $0.rssBytesPeak },
    .unsigned("wal_bytes_peak", unit: "bytes", "largest size of the store's write-ahead log") { $0.walBytesPeak },
  ]

  private static let surroundings: [Column<CellRow>] = [
    .unsigned("recorded", "operations recorded: history records and latencies, all threads") { $0.recorded },
    .number("recording_s", unit: "s", "time spent recording history and latencies, all threads") {
      $0.recordingSeconds
    },
    .number("process_s", unit: "s", "life of the cell's process, from its start to its end") { $0.processSeconds },
    .number("probe_s", unit: "s", "a fixed piece of work just before the cell: grows when the machine is disturbed") {
      $0.noise.probeSeconds
    },
    .number("others_cpu_s", unit: "s", "CPU time of the machine's other processes during process_s") {
      $0.noise.othersCPUSeconds
    },
    .number("steal_s", unit: "s", "CPU time that the host took from this virtual machine during process_s") {
      $0.noise.stealSeconds
    },
    .number("load_average", "processes that wanted to run, mean of the minute before the cell") {
      $0.noise.loadAverage
    },
  ]

  private static let ending: [Column<CellRow>] = [
    .text("verdict", "held, violated, not exercised or unknown") { $0.verdict.rawValue }
  ]
}
