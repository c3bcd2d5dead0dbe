import CProcess

/// The standard streams of a command.
package enum StandardStreams {
  /// Ends the process with `status` where standard output cannot be written; with 141 where its reader has closed the pipe.
  ///
  /// - Precondition: once, before anything is opened.
  package static func watch(status: Int32) {
    precondition(status > 0, "output that is lost is no success")
    cprocess_watch_output(status)
  }
}
