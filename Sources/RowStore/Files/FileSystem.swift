import Foundation

/// Calls that Foundation lacks: files that are on the disk when a call returns, and locks on folders.
package enum FileSystem {
  /// Permissions of a new file, before the process's mask.
  private static let permissions: mode_t = 0o644

  /// Writes a file that is not there yet; a part of one never stays.
  ///
  /// - Parameter isDurable: whether its bytes are on the disk when the call returns; its name is once its folder is synced.
  /// - Throws: an error of the POSIX domain.
  package static func create(_ path: String, _ data: Data, isDurable: Bool) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions)
    guard descriptor >= 0 else { throw failure(path) }
    do {
      defer { close(descriptor) }
      try data.withUnsafeBytes { bytes in
        var count = 0
        while count < bytes.count {
          let written = write(descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count)
          if written < 0, errno == EINTR { continue }
          guard written > 0 else { throw failure(path) }
          count += written
        }
      }
      if isDurable { try sync(descriptor, path) }
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Waits until a file's bytes, or a folder's names, are on the disk.
  package static func sync(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    try sync(descriptor, path)
  }

  private static func sync(_ descriptor: Int32, _ path: String) throws {
    while fsync(descriptor) != 0 {
      guard errno == EINTR else { throw failure(path) }
    }
  }

  /// A second name for a file, in the same folder or another; false where the file system has none.
  ///
  /// - Throws: an error of the POSIX domain, as for a file that is gone.
  static func addName(to path: String, _ other: String) throws -> Bool {
    if link(path, other) == 0 { return true }
    switch errno {
    case EPERM, EXDEV, EMLINK, ENOTSUP, ENOSYS: return false
    default: throw failure(path)
    }
  }

  /// The error of the call that has just failed.
  private static func failure(_ path: String) -> NSError {
    NSError(domain: NSPOSIXErrorDomain, code: Int(errno), userInfo: [NSFilePathErrorKey: path])
  }
}

/// A lock on a folder, shared with all others that use it; the system takes it away from a process that ends.
package final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Nil when there is no such folder, or another holder has it exclusively.
  package init?(_ path: String) {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return nil }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Whether the folder with that path is still the one that is locked.
  func isOf(_ path: String) -> Bool {
    var (own, other) = (stat(), stat())
    guard fstat(descriptor, &own) == 0, stat(path, &other) == 0 else { return false }
    return own.st_dev == other.st_dev && own.st_ino == other.st_ino
  }

  /// Runs `body` with the exclusive lock; does nothing when the lock is taken.
  ///
  /// - Returns: whether the folder is still locked: another holder may have got it exclusively by now.
  func alone(_ body: () throws -> Void) rethrows -> Bool {
    var isLocked = true
    do {
      defer { isLocked = flock(descriptor, LOCK_SH | LOCK_NB) == 0 }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { try body() }
    }
    return isLocked
  }
}
