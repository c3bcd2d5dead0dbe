import Foundation

/// The files of large values that the save under way wrote, and those that no row has once it is committed.
///
/// Each row that is written gets a file of its own: a file that was given up is never referred to again. Only
/// used in the writer's turn.
package final class FileChanges: @unchecked Sendable {
  // Sendable: its store's writer uses it, in its turn, on the queue of the context that saves.

  /// Nil for a store without large values, and for one in memory, which keeps them in its rows.
  package let folder: ExternalFolder?
  private let storePath: String
  /// Whether the database's own commits reach the disk in order.
  private let isDurable: Bool
  private var new: [ExternalData] = []
  private var old: [String] = []

  /// - Parameter storePath: nil for a store that has no such files.
  package init(_ storePath: String?, isDurable: Bool) {
    folder = storePath.map(ExternalFolder.of)
    self.storePath = storePath ?? ""
    self.isDurable = isDurable
  }

  // MARK: Writing

  /// Writes a value of a row into a file of its own; nil where it stays in its row.
  ///
  /// - Throws: when the file cannot be written, or the value is in a file that is gone.
  package func store(_ slot: Slot) throws -> ExternalData? {
    switch slot {
    case .data(let data):
      guard let folder, data.count > ExternalFolder.largestInRow else { return nil }
      return note(try folder.write(data, isDurable: isDurable))
    case .boxed(let box):
      guard let folder, let data = box.value as? ExternalData else { return nil }
      return try copy(data, in: folder)
    default: return nil
    }
  }

  /// Another file for a row that gets the same value.
  package func copy(_ data: ExternalData, in folder: ExternalFolder) throws -> ExternalData {
    note(try folder.copy(data, isDurable: isDurable))
  }

  private func note(_ file: ExternalData) -> ExternalData {
    precondition(file.folder === folder, "a row's file is in the folder of its store")
    new.append(file)
    return file
  }

  /// Removes a file that was written for a row and is not used.
  func discard(_ file: ExternalData) {
    new.removeAll { $0 === file }
    folder?.giveUp([file])
  }

  /// Notes a value that a row gives up.
  func giveUp(_ slot: Slot?) {
    if case .boxed(let box)? = slot, let data = box.value as? ExternalData { giveUp(named: data.name) }
  }

  func giveUp(named name: String) { old.append(name) }

  // MARK: Ending

  /// Brings the written files to the disk, before a row that refers to them can be there.
  package func sync() throws {
    guard isDurable, !new.isEmpty, let folder else { return }
    try FileSystem.sync(folder.path)
  }

  /// Removes the files of a save that failed, or begins again.
  package func undo() {
    if !new.isEmpty { folder?.giveUp(new) }
    forget()
  }

  /// Ends a committed save: files that no row refers to any more are removed as soon as they are not in use.
  package func finish() {
    defer { forget() }
    guard let folder, !old.isEmpty else { return }
    // A copy of the store under another extension refers to the same files; they go when one of the stores is swept.
    guard StoreSiblings(of: storePath).isEmpty, isCommitOnDisk else { return }
    folder.giveUp(old.map { folder.file(named: $0) })
  }

  /// Whether a crash of the system could not bring back a row with a value that was given up.
  private var isCommitOnDisk: Bool {
    let log = storePath + "-wal"
    // Without a WAL the commit waited for the disk.
    guard isDurable, FileManager.default.fileExists(atPath: log) else { return true }
    do {
      try FileSystem.sync(log)
      return true
    } catch {
      return false
    }
  }

  private func forget() {
    if !new.isEmpty { new = [] }
    if !old.isEmpty { old = [] }
  }
}
