extension Table where Row == CellRow {
  /// `cells.csv`.
  package static let cells = Table(
    fileName: "cells.csv", grain: "a row a cell: what it took and how it ended", key: \.key,
    columns: [
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
      .number("main_thread_s", unit: "s", "main thread working or blocked, outside its run loop's wait") {
        $0.mainThread.totalSeconds
      },
      .number("main_thread_push_s", unit: "s", "of that: taking over what a child context saved") {
        $0.mainThread.pushSeconds
      },
      .number("main_thread_save_s", unit: "s", "of that: saving on main") { $0.mainThread.saveSeconds },
      .number("main_thread_merge_s", unit: "s", "of that: merging other contexts' saves") {
        $0.mainThread.mergeSeconds
      },
      .number("main_thread_fetch_s", unit: "s", "of that: serving fetches and faults of child contexts") {
        $0.mainThread.fetchSeconds
      },
      .number("main_thread_edit_s", unit: "s", "of that: editing objects on main") { $0.mainThread.editSeconds },
      .number("main_thread_harness_s", unit: "s", "the harness's ticks and page fetches; not in main_thread_s") {
        $0.mainThread.harnessSeconds
      },
      .number("main_cpu_s", unit: "s", "CPU time of the main thread") { $0.mainThread.cpuSeconds },
      .unsigned("main_stall_ns_p99", unit: "ns", "lateness of the main thread's ticks, 99 % were no later") {
        $0.mainThread.stallNanosecondsP99
      },
      .unsigned("main_stall_ns_max", unit: "ns", "lateness of the main thread's latest tick") {
        $0.mainThread.stallNanosecondsMax
      },
      .number("cpu_s", unit: "s", "CPU time of all threads") { $0.cpuSeconds },
      .unsigned("allocated_bytes", unit: "bytes", "bytes allocated by all threads") { $0.allocatedBytes },
      .unsigned("rss_bytes_peak", unit: "bytes", "largest resident memory of the cell's process") { $0.rssBytesPeak },
      .unsigned("wal_bytes_peak", unit: "bytes", "largest size of the store's write-ahead log") { $0.walBytesPeak },
      .unsigned("recorded", "operations recorded: history records and latencies, all threads") { $0.recorded },
      .number("recording_s", unit: "s", "time spent recording history and latencies, all threads") {
        $0.recordingSeconds
      },
      .text("verdict", "held, violated, not exercised or unknown") { $0.verdict.rawValue },
    ])
}
