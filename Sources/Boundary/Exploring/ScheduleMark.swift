import Foundation

/// The schedule that a child is at, in a file that outlives it: after a crash it names the schedule.
package struct ScheduleMark: Sendable {
  private let path: String

  /// Its file, in a child's folder.
  package init(in directory: String) {
    precondition(!directory.isEmpty, "a child has a folder")
    path = directory + "/schedule.number"
  }

  /// Says which schedule begins.
  package func write(_ number: Int) {
    precondition(number >= 0, "schedules count from 0")
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var value = Int64(number)
    _ = pwrite(descriptor, &value, MemoryLayout<Int64>.size, 0)
  }

  /// The schedule that was begun last; nil where none was, or all ended.
  package func read() -> Int? {
    guard let data = FileManager.default.contents(atPath: path), data.count == MemoryLayout<Int64>.size else {
      return nil
    }
    return Int(data.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
  }

  /// Removes the file, once all schedules have ended.
  package func remove() { unlink(path) }
}
