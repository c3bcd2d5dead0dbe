import Foundation
import SQLite

/// Other databases that keep large values in the folder of a store's: they have its name, but for the extension.
package struct StoreSiblings {
  package let paths: [String]

  package var isEmpty: Bool { paths.isEmpty }

  /// Looks at the folder of a store's file.
  ///
  /// - Complexity: O(*n*) for *n* files there.
  package init(of path: String) {
    let store = URL(fileURLWithPath: path)
    let (folder, own) = (store.deletingLastPathComponent(), store.lastPathComponent)
    let stem = store.deletingPathExtension().lastPathComponent
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    paths = names.filter { name in
      name != own && name.hasPrefix(stem) && !["-wal", "-shm", "-journal"].contains(where: name.hasSuffix)
        && URL(fileURLWithPath: "/" + name).deletingPathExtension().lastPathComponent == stem
    }
    .map { folder.appendingPathComponent($0).path }.filter(Self.isDatabase)
  }

  /// Whether it may be one: only a file that is surely something else is none.
  ///
  /// SQLite is asked: its locks would be lost if the process closed the file by itself.
  private static func isDatabase(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
      return false
    }
    do {
      _ = try Connection(path: ReadOnlySnapshot.immutable(path), mode: .readOnly).int64(
        "SELECT count(*) FROM sqlite_master")
      return true
    } catch let error as SQLiteError {
      return error.code.primary != .notADatabase
    } catch {
      return true
    }
  }

  /// The files that their rows refer to.
  ///
  /// - Throws: when one of them cannot be read.
  package func externalNames() throws -> Set<String> {
    try paths.reduce(into: []) { names, path in
      let quiet = try ReadOnlySnapshot(path)
      try names.formUnion(ExternalNames.all(in: Connection(path: quiet.path, mode: .readOnly)))
      withExtendedLifetime(quiet) {}
    }
  }
}
