import CProcess
import Foundation

/// A child process: a program with its words, its standard files and at most one descriptor more.
package struct StartedProcess: Sendable {
  /// How it ended: a signal, or else a status.
  package struct End: Sendable, Equatable {
    package var signal: Int32
    package var status: Int32

    /// Says how it ended.
    package init(signal: Int32, status: Int32) {
      precondition(signal == 0 || status == 0, "a process ends by a signal, or by itself with a status")
      self.signal = signal
      self.status = status
    }
  }

  /// The program to start, with its surroundings.
  package struct Start: Sendable {
    /// The program; nil = this one.
    var executable: String?
    var arguments: [String]
    /// File that is its standard input.
    var inputPath: String
    /// File that its output and errors are appended to; nil = this process's own.
    var outputPath: String?
    /// Variables that its environment has besides this process's, or instead.
    var environment: [String: String] = [:]
    /// Whether it leads a process group of its own.
    var leadsGroup = false
    /// A descriptor of this process, and the number it has there; it inherits no others.
    var passing: (own: CInt, theirs: CInt)?

    /// Describes a program to start.
    package init(
      executable: String? = nil, arguments: [String], inputPath: String, outputPath: String? = nil,
      environment: [String: String] = [:], leadsGroup: Bool = false, passing: (own: CInt, theirs: CInt)? = nil
    ) {
      precondition(executable?.isEmpty != true && !inputPath.isEmpty, "a process has a program, and a file to read")
      precondition((passing?.own ?? 0) >= 0, "a descriptor that is passed is open")
      self.executable = executable
      self.arguments = arguments
      self.inputPath = inputPath
      self.outputPath = outputPath
      self.environment = environment
      self.leadsGroup = leadsGroup
      self.passing = passing
    }
  }

  package let id: pid_t

  /// Starts it.
  ///
  /// A child that asks to die with its parent dies with the thread that calls this: the main thread, or one that waits for
  /// the child.
  ///
  /// - Throws: `HarnessFailure` when it cannot be started.
  package init(_ start: Start) throws(HarnessFailure) {
    let executable: String
    if let other = start.executable { executable = other } else { executable = try Self.ownExecutable() }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    Self.addFiles(of: start, to: &actions)
    Self.set(&attributes, leadsGroup: start.leadsGroup)
    let environment = ProcessInfo.processInfo.environment.merging(start.environment) { _, new in new }
    let code = Self.withStrings([executable] + start.arguments) { arguments in
      Self.withStrings(environment.map { "\($0)=\($1)" }) { environment in
        var child: pid_t = 0
        let code = posix_spawn(&child, executable, &actions, &attributes, arguments, environment)
        return (code, child)
      }
    }
    guard code.0 == 0 else {
      throw HarnessFailure("\(executable) cannot be started: \(String(cString: strerror(code.0)))")
    }
    precondition(code.1 > 1, "a child is none of the numbers by which kill(2) means other processes")
    id = code.1
  }

  private static func ownExecutable() throws(HarnessFailure) -> String {
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
      throw HarnessFailure("/proc/self/exe does not say which program this is")
    }
    return path
  }

  private static func addFiles(of start: Start, to actions: inout posix_spawn_file_actions_t) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, start.inputPath, O_RDONLY, 0)
    if let output = start.outputPath {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
    }
    var first = STDERR_FILENO + 1
    if let passing = start.passing {
      precondition(passing.theirs == first, "a child's descriptors follow each other")
      posix_spawn_file_actions_adddup2(&actions, passing.own, passing.theirs)
      first += 1
    }
    _ = cprocess_add_close_from(&actions, first)
  }

  /// Sets attributes so that no signal is blocked there, whatever the calling thread blocks.
  private static func set(_ attributes: inout posix_spawnattr_t, leadsGroup: Bool) {
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var flags = Int16(POSIX_SPAWN_SETSIGMASK)
    if leadsGroup {
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= Int16(POSIX_SPAWN_SETPGROUP)
    }
    posix_spawnattr_setflags(&attributes, flags)
  }

  private static func withStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }

  /// A descriptor that becomes readable when the process ends; to be closed.
  package func openDescriptor() throws(HarnessFailure) -> CInt {
    let descriptor = cprocess_open(id)
    guard descriptor >= 0 else { throw HarnessFailure("pidfd_open(2): \(String(cString: strerror(-descriptor)))") }
    return descriptor
  }

  /// Kills it, if it lives.
  package func kill() { _ = Foundation.kill(id, SIGKILL) }

  /// Waits until it has ended; once.
  package func wait() -> End {
    var status: CInt = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return End(signal: status & 0x7F, status: (status >> 8) & 0xFF)
  }
}
