import CSQLite
import Glibc

/// The file that a path leads to, whatever its name.
struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64

  /// Nil where there is no file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}
