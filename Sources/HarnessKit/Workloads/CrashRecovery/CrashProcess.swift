import Foundation
import Measuring

/// One process that saves, from its start to its end by SIGKILL.
struct CrashProcess {
  private let id: pid_t
  private let messages: CInt
  private var unread: [UInt8] = []

  /// Starts it; its messages come through a pipe.
  ///
  /// - Throws: `HarnessFailure` when it cannot be started.
  init(executable: String, requestPath: String) throws(HarnessFailure) {
    var ends: [CInt] = [0, 0]
    guard pipe(&ends) == 0 else { throw HarnessFailure("pipe(2): \(String(cString: strerror(errno)))") }
    // Other children must not keep the pipe open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, requestPath, O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], CrashMessage.descriptor)
    let words = [executable, "cell", "--parent", String(getpid())]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, executable, &actions, nil, &arguments, environ)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      throw HarnessFailure("\(executable) cannot be started: \(String(cString: strerror(code)))")
    }
    id = child
    messages = ends[0]
  }

  /// Takes the messages that come until a monotonic time, or the process's end; false at its end.
  mutating func takeMessages(until deadline: UInt64, _ take: (CrashMessage) -> Bool) -> Bool {
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

  /// Reads what is there; false at the end.
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

  /// Kills it, takes what it still said, and waits until it is gone; how it ended.
  mutating func kill(_ take: (CrashMessage) -> Bool) -> (signal: Int32, status: Int32) {
    Foundation.kill(id, SIGKILL)
    while read(take) {}
    close(messages)
    var status: CInt = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return (status & 0x7F, (status >> 8) & 0xFF)
  }
}
