import CProcess
import Foundation

/// Ctrl-C: the run ends its children and keeps its rows; a second one ends the process as usual.
package final class Interruption: Sendable {
  /// Readable once a signal came.
  package let descriptor: CInt

  /// Starts to listen for SIGINT and SIGTERM; once a process.
  package init() throws(HarnessFailure) {
    var ends: [CInt] = [-1, -1]
    // A child gets only the descriptors that it is given.
    guard pipe(&ends) == 0, ends.allSatisfy({ fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }) else {
      throw HarnessFailure("no pipe for signals: \(Self.errorText)")
    }
    descriptor = ends[0]
    // A reader that has seen enough of the output does not end the run.
    cprocess_outlive_pipe()
    for signal in [SIGINT, SIGTERM] {
      let error = cprocess_forward_signal_once(signal, ends[1])
      guard error == 0 else {
        throw HarnessFailure("signal \(signal) cannot be handled: \(String(cString: strerror(error)))")
      }
    }
  }

  /// Whether a signal came.
  package var isRequested: Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  private static var errorText: String { String(cString: strerror(errno)) }
}
