import Foundation

/// Calls blocks when files are written, by whatever process: one thread of this process sleeps until the system reports a
/// write, and costs nothing meanwhile.
///
/// Never used in a simulation, which has no other process.
package final class FileWatch: Sendable {
  private struct Watch: Sendable {
    /// The system's number of the file.
    let file: Int32
    let onWrite: @Sendable () -> Bool
  }

  private struct State {
    /// The system's queue of events; -1 before the first file, and where there is none to be had.
    var events: Int32 = -1
    var watches: [Int: Watch] = [:]
    var next = 0
  }

  package static let shared = FileWatch()
  private let state = Locked(State())

  private static let firstDelay: Int32 = 1
  private static let longestDelay: Int32 = 16

  /// Watches a file.
  ///
  /// - Parameter onWrite: called on a thread of its own after writes, of which several may be one call; false where it has to be
  ///   called again soon.
  /// - Returns: the number of the watch; nil where the system cannot watch the file.
  package func add(_ path: String, _ onWrite: @escaping @Sendable () -> Bool) -> Int? {
    precondition(!Simulation.isRunning, "a simulation has no files that another process writes")
    return state.withLock { state in
      if state.events < 0 {
        state.events = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard state.events >= 0 else { return nil }
        let events = state.events
        NamedThread.start("file watch") { [self] in serve(events) }
      }
      let file = inotify_add_watch(state.events, path, UInt32(IN_MODIFY))
      guard file >= 0 else { return nil }
      state.next += 1
      state.watches[state.next] = Watch(file: file, onWrite: onWrite)
      return state.next
    }
  }

  /// Ends a watch; a call of its block may still be under way.
  package func remove(_ number: Int) {
    state.withLock { state in
      guard let watch = state.watches.removeValue(forKey: number) else { return }
      guard !state.watches.values.contains(where: { $0.file == watch.file }) else { return }
      inotify_rm_watch(state.events, watch.file)
    }
  }

  private func serve(_ events: Int32) {
    var unsettled: Set<Int> = []
    var delay = Self.firstDelay
    while true {
      var wait = pollfd(fd: events, events: Int16(POLLIN), revents: 0)
      poll(&wait, 1, unsettled.isEmpty ? -1 : delay)
      let files = Self.writtenFiles(events)
      let due = state.withLock { state in
        state.watches.filter { unsettled.contains($0.key) || files?.contains($0.value.file) ?? true }
      }
      // One that is called again and again, since a transaction takes long, is called ever less often.
      delay = files == [] ? min(delay * 2, Self.longestDelay) : Self.firstDelay
      unsettled = Set(due.filter { !$0.value.onWrite() }.keys)
    }
  }

  /// The files that were written; nil for any of them, where there were too many events.
  private static func writtenFiles(_ events: Int32) -> Set<Int32>? {
    var files: Set<Int32> = []
    var hasOverflow = false
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      while true {
        let count = read(events, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var place = 0
        while place < count {
          let event = buffer.load(fromByteOffset: place, as: inotify_event.self)
          if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { hasOverflow = true }
          files.insert(event.wd)
          place += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    }
    return hasOverflow ? nil : files
  }
}
