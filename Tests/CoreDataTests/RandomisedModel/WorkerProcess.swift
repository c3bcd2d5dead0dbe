import Foundation
import Testing

/// CoreDataProbe as a process of its own that changes an episode's store, one command and one answer at a time.
final class WorkerProcess {
  private let process = Process()
  private let commands = Pipe()
  private let answers = Pipe()
  private var unread = Data()

  init(model: URL, store: URL, keepsHistory: Bool) throws {
    process.executableURL = try Probe.executable
    process.arguments = ["worker", model.path, store.path] + (keepsHistory ? ["history"] : [])
    process.standardInput = commands
    process.standardOutput = answers
    try process.run()
  }

  deinit {
    // A test runner's processes inherit blocked signals.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The answer of the process, without the end of the line.
  func carryOut(_ command: String) throws -> String {
    try commands.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread = Data(unread[unread.index(after: end)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = answers.fileHandleForReading.availableData
      if more.isEmpty { throw Difference("the process ended after '\(command)'") }
      unread += more
    }
  }
}
