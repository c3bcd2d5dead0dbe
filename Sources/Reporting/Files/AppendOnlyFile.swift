#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A file that only grows, by whole texts: each reaches the kernel in one `write(2)` before ``append(_:)`` returns, so
/// that it survives the sudden death of this process.
package final class AppendOnlyFile {
  private let path: String
  private let descriptor: CInt

  /// Opens the file at `path`, and makes it when it is not there.
  ///
  /// - Throws: `ReportingError` when the folder is missing or not writable.
  package init(path: String) throws {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw ReportingError(writing: path, errno)
    }
  }

  deinit { close(descriptor) }

  /// Bytes in the file.
  package var sizeBytes: Int { Int(max(0, lseek(descriptor, 0, SEEK_END))) }

  /// Appends all of `text`.
  package func append(_ text: String) throws {
    guard WholeWrite.send(text, to: descriptor) else {
      throw ReportingError(writing: path, errno)
    }
  }

  /// The first `count` bytes, or fewer when the file is shorter.
  func prefix(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(descriptor, &bytes, count, 0)
    return Array(bytes.prefix(max(0, read)))
  }
}
