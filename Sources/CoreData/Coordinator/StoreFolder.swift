import SQLite
import RowStore

/// The files with the large values of a store that is to be removed.
struct StoreFolder {
  private let path: String
  /// The files of the store's rows; empty where the folder has no files of others.
  private var names: Set<String> = []
  private let siblings: StoreSiblings

  /// Looks at a store before it is emptied or removed.
  ///
  /// - Parameter connection: nil, or to no store, where it cannot be read; then files that may be another store's stay.
  init(_ path: String, _ connection: @autoclosure () throws -> Connection) {
    self.path = path
    siblings = StoreSiblings(of: path)
    if !siblings.isEmpty { names = (try? ExternalNames.all(in: connection())) ?? [] }
  }

  /// Removes the folder, or the store's own files in it where another store has files there too.
  func remove() {
    guard !siblings.isEmpty else {
      try? FileManager.default.removeItem(atPath: ExternalFolder.supportPath(of: path))
      return
    }
    // Files that may be the other store's are swept when that is opened.
    guard let others = try? siblings.externalNames() else { return }
    let folder = ExternalFolder.path(of: path)
    for name in names.subtracting(others) { unlink(folder + "/" + name) }
  }

  /// Whether both are one file.
  static func isSame(_ path: String, _ other: String) -> Bool { standard(path) == standard(other) }

  private static func standard(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }
}

/// The files with the large values of a store, on their way to a copy of it.
///
/// Others may save to the source meanwhile, so that files come and go: all present ones are copied first, then the rows, then
/// the files that the rows refer to and that came since.
struct FolderCopy {
  private let source: String
  private let target: ExternalFolder
  private let targetPath: String

  /// Nil where both stores have their files in one folder.
  init?(from source: String, to target: String) {
    self.source = ExternalFolder.path(of: source)
    self.target = ExternalFolder.of(target)
    targetPath = target
    guard self.source != self.target.path else { return nil }
  }

  /// Copies every file there is.
  func takeAll() throws {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: source)) ?? [] { _ = try take(name) }
  }

  /// Copies the files that rows refer to and that are not in the copy yet.
  ///
  /// - Parameter current: the files that the source's rows refer to by now.
  /// - Returns: false when a file went while its row was copied, so that the rows have to be copied again.
  func take(_ names: Set<String>, current: () throws -> Set<String>) throws -> Bool {
    let missing = try names.filter { try !take($0) }
    // Files that the source itself has lost cannot be copied, now or later.
    return try missing.isEmpty || missing.isSubset(of: current())
  }

  /// False when the source has no such file.
  private func take(_ name: String) throws -> Bool {
    let files = FileManager.default
    if files.fileExists(atPath: target.path(name)) { return true }
    let (from, part) = (source + "/" + name, target.path(name + Self.unfinished))
    guard files.fileExists(atPath: from) else { return false }
    try target.make(isDurable: true)
    do {
      try? files.removeItem(atPath: part)
      try files.copyItem(atPath: from, toPath: part)
      try FileSystem.sync(part)
      try files.moveItem(atPath: part, toPath: target.path(name))
    } catch {
      try? files.removeItem(atPath: part)
      // It may have gone since it was seen.
      guard files.fileExists(atPath: from) else { return false }
      throw error
    }
    return true
  }

  /// The suffix of a file's name until the file is whole.
  private static let unfinished = ".part"

  /// Completes the copy: its files are on the disk, and the old ones go.
  func finish(_ connection: Connection) throws {
    if FileManager.default.fileExists(atPath: target.path) { try FileSystem.sync(target.path) }
    // Files that cannot be swept now are swept when the store is opened.
    try? target.sweep(connection, storePath: targetPath)
  }
}
