import Foundation

/// Appends violations that handlers see while a cell runs to a file that survives the death of the process.
///
/// Each is one line of JSON written by one `write(2)` in append mode, so that lines of several threads never mix.
package final class LiveReportWriter: ReportSink {
  private let descriptor: CInt
  private let path: String

  /// Creates the file, or continues it.
  package init(path: String) throws(Unusable) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    self.path = path
    guard descriptor >= 0 else { throw Unusable("\(path): no reports can be written: \(errorText(errno))") }
  }

  deinit { close(descriptor) }

  /// Appends one violation; it is with the system when this returns.
  package func append(_ violation: Violation) throws(Unusable) {
    var line: Data
    do {
      line = try JSONEncoder().encode(violation)
    } catch {
      throw Unusable("\(path): a violation cannot be encoded: \(error)")
    }
    precondition(!line.contains(UInt8(ascii: "\n")), "a report is one line, as it is read")
    line.append(UInt8(ascii: "\n"))
    let written = line.withUnsafeBytes { bytes in
      var result = write(descriptor, bytes.baseAddress, bytes.count)
      while result < 0, errno == EINTR { result = write(descriptor, bytes.baseAddress, bytes.count) }
      return result
    }
    guard written == line.count else {
      throw Unusable("\(path): a violation cannot be written: \(written < 0 ? errorText(errno) : "cut short")")
    }
  }
}
