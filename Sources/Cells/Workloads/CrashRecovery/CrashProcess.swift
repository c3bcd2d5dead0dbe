import Boundary
import Foundation
import Measuring

/// One process that saves, from its start to its end by SIGKILL.
struct CrashProcess {
  private let process: StartedProcess
  private let messages: CInt
  private var unread: [UInt8] = []

  /// Starts it; its messages come through a pipe.
  ///
  /// - Throws: `HarnessFailure` when it cannot be started.
  init(requestPath: String) throws(HarnessFailure) {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { throw HarnessFailure("pipe(2): \(String(cString: strerror(errno)))") }
    // Other children must not keep the pipe open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    do throws(HarnessFailure) {
      process = try StartedProcess(
        StartedProcess.Start(
          arguments: ["cell", "--parent", String(getpid())], inputPath: requestPath,
          passing: (ends[1], CrashMessage.descriptor)))
    } catch {
      close(ends[0])
      throw error
    }
    messages = ends[0]
  }

  /// Takes the messages that come until a monotonic time, or the process's end; false at its end.
  mutating func receiveMessages(until deadline: UInt64, _ take: (CrashMessage) -> Bool) -> Bool {
    while true {
      let now = MonotonicClock.now()
      guard now < deadline else { return true }
      var request = pollfd(fd: messages, events: Int16(POLLIN), revents: 0)
      let ready = poll(&request, 1, Int32(clamping: (deadline - now + 999_999) / 1_000_000))
      if ready < 0, errno != EINTR { preconditionFailure("poll(2) takes a pipe: errno \(errno)") }
      guard ready > 0 else { continue }
      guard read(take) else { return false }
      if isDone { return true }
    }
  }

  /// Whether the taker wants no more.
  private var isDone = false

  /// Reads what has arrived; false at the end.
  private mutating func read(_ take: (CrashMessage) -> Bool) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(messages, &buffer, buffer.count)
    guard count > 0 else { return count < 0 && errno == EINTR }
    unread += buffer[..<count]
    isDone = false
    while unread.count >= CrashMessage.size {
      guard let message = CrashMessage(unread[..<CrashMessage.size]) else {
        preconditionFailure("a pipe keeps the bytes of a message together")
      }
      unread.removeFirst(CrashMessage.size)
      if take(message) { isDone = true }
    }
    return true
  }

  /// Kills it, takes its last messages, and waits until it is gone; how it ended.
  mutating func kill(_ take: (CrashMessage) -> Bool) -> StartedProcess.End {
    process.kill()
    while read(take) {}
    close(messages)
    return process.wait()
  }
}
