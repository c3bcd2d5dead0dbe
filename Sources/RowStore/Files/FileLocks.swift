import Foundation

/// The processes that have a database open, as the kernel's list of locks says.
///
/// Opening and closing the `-shm` to ask would drop the locks that this process holds on it.
package enum FileLocks {
  /// The byte of a `-shm` on which every connection holds a lock: SQLite, "WAL-mode File Format", "WAL Locks".
  private static let connectionByte: UInt64 = 128
  /// The byte that is locked by a connection that writes.
  private static let writerByte: UInt64 = 120

  /// Whether a connection of any process has the database open in WAL mode.
  ///
  /// Where the list cannot be read, a `-shm` is taken for a sign of one.
  package static func isOpen(_ path: String) -> Bool {
    isLocked(path, connectionByte) ?? true
  }

  /// Whether a connection of any process is writing to the log; false where the list cannot be read.
  package static func isWriting(_ path: String) -> Bool { isLocked(path, writerByte) ?? false }

  /// Nil where there is no list.
  private static func isLocked(_ path: String, _ byte: UInt64) -> Bool? {
    var status = stat()
    guard stat(path + "-shm", &status) == 0 else { return false }
    guard let list = FileManager.default.contents(atPath: "/proc/locks") else { return nil }
    return isLocked(inode: UInt64(status.st_ino), byte, in: String(decoding: list, as: UTF8.self))
  }

  /// Whether the list has a lock on that byte of the file; a line is
  /// `1: POSIX  ADVISORY  READ 4711 08:01:12345 128 128`.
  static func isLocked(inode: UInt64, _ byte: UInt64 = connectionByte, in list: String) -> Bool {
    list.split(separator: "\n").contains { line in
      let fields = line.split(separator: " ")
      guard fields.count >= 8, let place = fields.firstIndex(where: { $0.split(separator: ":").count == 3 }),
        place + 2 < fields.count, fields[place].split(separator: ":").last.flatMap({ UInt64($0) }) == inode,
        let first = UInt64(fields[place + 1])
      else { return false }
      return first <= byte && UInt64(fields[place + 2]).map { $0 >= byte } ?? true
    }
  }
}
