import Boundary
import Foundation
import Measuring
import Reporting
import Scenarios

/// Shows on standard error how far a run is.
///
/// Nothing is drawn while a child runs, which would cost it time.
struct RunProgress: ~Copyable {
  /// The form of the display.
  private enum Screen {
    case bar
    /// A table that is drawn anew in place.
    case table(size: () -> (columns: Int, rows: Int), colour: Bool, write: (String) -> Void)
    /// A line for each cell, for a file or another program.
    case lines(write: (String) -> Void)
  }

  private let screen: Screen
  private let total: Int
  private let start: UInt64
  private var bar: ProgressBar
  private var records: [CellRecord] = []
  private var shownLines = 0

  /// Shows the progress of `total` steps.
  ///
  /// - Parameter records: cells that ended before, as those of a run that is resumed.
  init(_ form: ProgressForm, total: Int, records: [CellRecord]) {
    let isTerminal = Terminal.isInteractive(STDERR_FILENO)
    let write = { (text: String) in _ = WholeWrite.send(text, to: STDERR_FILENO) }
    let screen: Screen
    switch form {
    case .none, .bar: screen = .bar
    case .watch where isTerminal:
      screen = .table(
        size: { Terminal.size(STDERR_FILENO) }, colour: Terminal.hasColour(STDERR_FILENO), write: write)
    case .watch: screen = .lines(write: write)
    }
    self.init(screen, total: total, start: MonotonicClock.now(), isBarShown: form == .bar)
    self.records = records
  }

  /// One that draws its table into `write`.
  init(
    total: Int, start: UInt64, size: @escaping () -> (columns: Int, rows: Int), table write: @escaping (String) -> Void
  ) {
    self.init(.table(size: size, colour: false, write: write), total: total, start: start, isBarShown: false)
  }

  /// One that writes its lines into `write`.
  init(total: Int, start: UInt64, lines write: @escaping (String) -> Void) {
    self.init(.lines(write: write), total: total, start: start, isBarShown: false)
  }

  private init(_ screen: Screen, total: Int, start: UInt64, isBarShown: Bool) {
    self.screen = screen
    self.total = total
    self.start = start
    bar = ProgressBar(total: total, isShown: isBarShown)
  }

  /// Shows that `done` steps are done and the current one: a cell, or the floor of the same scenario.
  mutating func update(done: Int, label: String, of scenario: Scenario?, now: UInt64 = MonotonicClock.now()) {
    switch screen {
    case .bar: bar.update(done: done, label: label, now: now)
    case .lines: return
    case .table(let size, let colour, let write):
      let (columns, rows) = size()
      let table = scenario.map { LiveTable($0, records).lines(colour: colour, width: columns) } ?? []
      // A line that left the screen at its top could not be drawn over.
      let room = max(0, rows - 2)
      var lines = Array(table.prefix(room))
      if table.count > room, room > 0 { lines[room - 1] = "… \(table.count - room + 1) more rows" }
      let status = status(done: done, now: now) + "  " + label
      lines.append(String(status.prefix(max(1, columns - 1))))
      write(erasure + lines.map { $0 + "\n" }.joined())
      shownLines = lines.count
    }
  }

  /// Takes in a cell that has ended.
  mutating func add(_ record: CellRecord, done: Int, now: UInt64 = MonotonicClock.now()) {
    records.append(record)
    guard case .lines(let write) = screen else { return }
    let table = LiveTable(record.cell.scenario, records)
    write(status(done: done, now: now) + "  " + table.line(of: record) + "\n")
  }

  /// Clears the display, before anything else is printed and at the end.
  mutating func clear() {
    bar.clear()
    guard case .table(_, _, let write) = screen, shownLines > 0 else { return }
    write(erasure)
    shownLines = 0
  }

  private var erasure: String { shownLines == 0 ? "" : "\u{1B}[\(shownLines)A\r\u{1B}[J" }

  private func status(done: Int, now: UInt64) -> String {
    ProgressBar.status(done: done, total: total, elapsedSeconds: Double(now &- start) / 1e9)
  }
}

/// Progress display of a run, on standard error.
package enum ProgressForm: Sendable {
  case none
  /// One line, on a terminal only.
  case bar
  /// The strategies side by side; elsewhere than on a terminal a line for each cell.
  case watch
}
