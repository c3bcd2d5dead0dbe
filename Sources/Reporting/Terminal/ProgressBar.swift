import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A line on standard error that shows how far a run is; nothing when it is not a terminal.
///
/// Confined to the thread that runs the plan.
package struct ProgressBar: ~Copyable {
  private let total: Int
  private let width: Int
  private let start: UInt64
  private let write: ((String) -> Void)?
  private var isShown = false

  /// Makes a bar for `total` steps, shown when both standard output and standard error are terminals, unless it shall not.
  package init(total: Int, isShown: Bool = true) {
    let isWatched = isShown && Terminal.isInteractive(STDERR_FILENO) && Terminal.isInteractive(STDOUT_FILENO)
    self.init(
      total: total, width: Terminal.width(STDERR_FILENO), start: MonotonicClock.now(),
      write: isWatched ? { _ = WholeWrite.send($0, to: STDERR_FILENO) } : nil)
  }

  init(total: Int, width: Int, start: UInt64, write: ((String) -> Void)?) {
    precondition(total >= 0 && width > 0, "a bar has steps, and columns to show them")
    self.total = total
    self.width = width
    self.start = start
    self.write = write
  }

  /// Shows that `done` steps are done and the current one.
  package mutating func update(done: Int, label: String, now: UInt64 = MonotonicClock.now()) {
    guard let write else { return }
    isShown = true
    write("\r\u{1B}[K" + line(done: done, label: label, elapsedSeconds: Double(now &- start) / 1e9))
  }

  /// Takes the line away, before anything else is printed and at the end.
  package mutating func clear() {
    guard isShown, let write else { return }
    isShown = false
    write("\r\u{1B}[K")
  }

  /// `[████    ] 3/7  12.0 s  about 16.0 s left  import parent-child`, cut to the terminal's width.
  func line(done: Int, label: String, elapsedSeconds: Double) -> String {
    let barWidth = 20
    let share = total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1
    let filled = Int((share * Double(barWidth)).rounded())
    var line = "[" + String(repeating: "█", count: filled) + String(repeating: " ", count: barWidth - filled) + "]"
    line += " " + Self.status(done: done, total: total, elapsedSeconds: elapsedSeconds)
    return String((line + "  " + label).prefix(max(1, width - 1)))
  }

  /// `3/7  12.0 s  about 16.0 s left`.
  package static func status(done: Int, total: Int, elapsedSeconds: Double) -> String {
    let status = "\(done)/\(total)  \(HumanReadable.seconds(elapsedSeconds))"
    guard done > 0, done < total else { return status }
    return status + "  about \(HumanReadable.seconds(elapsedSeconds / Double(done) * Double(total - done))) left"
  }
}
