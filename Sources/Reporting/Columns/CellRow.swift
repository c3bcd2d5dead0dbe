import Checking

/// A row of `cells.csv`: what one cell took, and how it ended. Nil means "not measured".
package struct CellRow: Sendable, Hashable {
  /// Main-thread wall time outside its run loop's wait, working or blocked, by what it was for.
  package struct MainThread: Sendable, Hashable {
    /// All but `harness`.
    package var totalSeconds: Double?
    package var pushSeconds: Double?
    package var saveSeconds: Double?
    package var mergeSeconds: Double?
    package var fetchSeconds: Double?
    package var editSeconds: Double?
    /// The harness's own ticks and page fetches; not in the total.
    package var harnessSeconds: Double?
    package var cpuSeconds: Double?
    package var stallNanosecondsP99: UInt64?
    package var stallNanosecondsMax: UInt64?

    package init() {}
  }

  package var key: CellKey
  package var objects: Int?
  package var untilDurableSeconds: Double?
  package var untilVisibleSeconds: Double?
  package var floorSeconds: Double?
  package var mainThread = MainThread()
  package var cpuSeconds: Double?
  package var allocatedBytes: UInt64?
  package var rssBytesPeak: UInt64?
  package var walBytesPeak: UInt64?
  package var recorded: UInt64?
  package var recordingSeconds: Double?
  package var verdict: Verdict

  /// Makes a row in which nothing was measured yet.
  package init(key: CellKey, verdict: Verdict) {
    self.key = key
    self.verdict = verdict
  }

  /// The cell's time as a multiple of the floor's; nil when either was not measured.
  package var floorRatio: Double? {
    guard let untilDurableSeconds, let floorSeconds, floorSeconds > 0 else { return nil }
    return untilDurableSeconds / floorSeconds
  }
}
