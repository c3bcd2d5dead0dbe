import Foundation
import Scheduling

/// How a cell's process ends.
package enum CellExit {
  /// Status of a cell that failed by an error of the harness: the message is on standard error.
  package static let failureStatus: Int32 = 70

  /// Ends the process at once: threads that are blocked for ever are not waited for.
  package static func end(status: Int32 = 0) -> Never {
    precondition(0...255 ~= status, "a status has eight bits")
    fflush(nil)
    _exit(status)
  }

  private static let handler = Locked<(@Sendable (String) -> Void)?>(nil)

  /// Sets a handler that gets the message of a failure before the process ends, and may end the thread's part in another way;
  /// for cells that share a process.
  package static func onFailure(_ new: (@Sendable (String) -> Void)?) { handler.withLock { $0 = new } }

  /// Ends the process with a message.
  package static func fail(_ message: String) -> Never {
    handler.current?(message)
    try? FileHandle.standardError.write(contentsOf: Data((message + "\n").utf8))
    end(status: failureStatus)
  }
}

/// The harness could not do its work; says nothing about the measured system.
package struct HarnessFailure: Error, Sendable, CustomStringConvertible {
  /// The failure, its cause, and its remedy.
  package var description: String

  /// Makes a failure.
  package init(_ description: String) { self.description = description }
}
