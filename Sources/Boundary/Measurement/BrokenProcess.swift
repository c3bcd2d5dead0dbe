/// A process that another one of the cell started, and that ended before its time.
package struct BrokenProcess: Codable, Sendable, Hashable {
  /// `process 2 of 3`.
  package var name: String
  /// The signal it died of; 0 where it ended by itself.
  package var signal: Int32
  /// Its exit status, where it ended by itself.
  package var status: Int32

  /// Says which process ended, and how.
  package init(name: String, signal: Int32, status: Int32) {
    self.name = name
    self.signal = signal
    self.status = status
  }

  /// How it ended, as of a child of the run.
  package var end: ChildProcess.End { signal != 0 ? .signaled(signal) : .exited(status) }
}
