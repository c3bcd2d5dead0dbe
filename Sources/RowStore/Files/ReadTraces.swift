import Foundation
import SQLite

/// Removes files that SQLite put beside a file in WAL mode that was only read, where there were none before.
///
/// The last connection that may write removes an empty WAL itself, under SQLite's locks; where there are frames in it, or
/// others have the file open, all stays as it is.
package final class ReadTraces: Sendable {
  private let path: String

  /// Nil for a file that has a WAL, or is open elsewhere.
  package init?(_ path: String) {
    guard ["-wal", "-shm"].allSatisfy({ !FileManager.default.fileExists(atPath: path + $0) }) else { return nil }
    self.path = path
  }

  deinit {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
    guard (attributes?[.size] as? NSNumber)?.intValue == 0 else { return }
    // In a folder that cannot be written there is nothing to take away.
    _ = try? Connection(path: path, mode: .readWrite).int64("SELECT count(*) FROM sqlite_master")
  }
}
