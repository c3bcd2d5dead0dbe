import Foundation

/// A process that another one of the cell starts: the same program with a request of its own.
struct StartedProcess: Sendable {
  /// How it ended: a signal, or else a status.
  struct End: Sendable, Equatable {
    var signal: Int32
    var status: Int32
  }

  let id: pid_t

  /// Starts this program with the verb `cell`.
  ///
  /// The child dies with the thread that calls this: the main thread, or one that waits for the child.
  ///
  /// - Parameters:
  ///   - requestPath: file that is its standard input.
  ///   - descriptor: what it gets as `target`; stays open here.
  init(requestPath: String, passing descriptor: CInt, as target: CInt) throws(HarnessFailure) {
    guard let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
      throw HarnessFailure("/proc/self/exe does not say which program this is")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, requestPath, O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, descriptor, target)
    let words = [executable, "cell", "--parent", String(getpid())]
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, executable, &actions, nil, &arguments, environ)
    guard code == 0 else { throw HarnessFailure("\(executable) cannot be started: \(String(cString: strerror(code)))") }
    id = child
  }

  /// Kills it, if it lives.
  func kill() { _ = Foundation.kill(id, SIGKILL) }

  /// Waits until it has ended; once.
  func wait() -> End {
    var status: CInt = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return End(signal: status & 0x7F, status: (status >> 8) & 0xFF)
  }
}
