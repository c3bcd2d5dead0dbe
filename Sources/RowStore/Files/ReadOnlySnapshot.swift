import Foundation
import SQLite

/// A database's file, to be read without leaving anything beside it.
///
/// Reading a file in WAL mode makes SQLite put a `-shm` and a `-wal` beside it, and fails where it cannot. A file that
/// no process has open, as a `-shm` left by a crash may be, is read as it is when its WAL is empty, else in a copy of both
/// that is removed with this object.
package final class ReadOnlySnapshot {
  /// The path that a connection opens, read-only.
  package let path: String
  private let folder: URL?

  /// Looks at the file and those beside it; a path of a file that is open elsewhere stays the same.
  ///
  /// - Parameter isPrivate: whether the file is copied in any case, so that it may be opened in every way.
  /// - Throws: Foundation's error when the copy cannot be made.
  package init(_ path: String, isPrivate: Bool = false) throws {
    let isOpen = FileLocks.isOpen(path)
    let hasFrames = Self.size(path + "-wal") > 0
    if isPrivate || hasFrames && !isOpen {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("contextbench-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      self.folder = folder
      let source = URL(fileURLWithPath: path)
      let target = folder.appendingPathComponent(source.lastPathComponent)
      self.path = target.path
      try FileManager.default.copyItem(atPath: path, toPath: target.path)
      if hasFrames { try FileManager.default.copyItem(atPath: path + "-wal", toPath: target.path + "-wal") }
    } else {
      folder = nil
      self.path = isOpen ? path : Self.immutable(path)
    }
  }

  /// The file as it can be read where `body` finds that SQLite cannot read it where it is; else nil.
  package static func unless(_ path: String, _ body: () throws -> Void) throws -> ReadOnlySnapshot? {
    do {
      try body()
      return nil
    } catch let error as SQLiteError where error.code.primary == .cannotOpen || error.code.primary == .readOnly {
      guard FileManager.default.fileExists(atPath: path) else { throw error }
      return try ReadOnlySnapshot(path)
    }
  }

  deinit {
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }

  /// SQLite's name of a file that does not change, so that it needs neither locks nor a WAL.
  static func immutable(_ path: String) -> String {
    let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
    return "file:" + (path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path) + "?immutable=1"
  }

  private static func size(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }
}
