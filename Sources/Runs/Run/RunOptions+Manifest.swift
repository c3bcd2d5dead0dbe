import Boundary
import Foundation
import Measuring
import Reporting

extension RunOptions {
  /// The manifest of a run into the folder at `path`, which need not be there yet.
  package func manifest(run: String, command: String, seeds: [UInt64], path: String) -> Manifest {
    var manifest = Manifest(
      run: run, version: version, revision: SourceRevision.find(from: executable), command: command,
      arguments: arguments, scenarios: scenarios.map(\.path), seeds: seeds, startedAt: Date(), allocator: allocator,
      storeFileSystem: Self.existingFolder(above: path).flatMap(FileSystem.type),
      libraries: LibraryVersions.all,
      sqliteOptions: [
        "journal_mode": "WAL", "synchronous": "NORMAL", "page_size": "4096", "auto_vacuum": "INCREMENTAL",
      ])
    manifest.executable = RunExecutable(at: executable)
    manifest.beside = base.map(RunExecutable.init(at:))
    if let counter { manifest.libraries["valgrind"] = counter.version }
    return manifest
  }

  /// The nearest folder above a path that is already there.
  private static func existingFolder(above path: String) -> String? {
    var folder = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent()
    while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path) { folder.deleteLastPathComponent() }
    return folder.path
  }
}

extension RunOptions {
  /// Makes the folder of a command that runs more than one plan, with its manifest and a table.
  ///
  /// - Returns: the owner of the folder, to be released at the end, and the table.
  package func makeFolder<Row>(
    _ folder: String, of table: Table<Row>, run: String, command: String, seeds: [UInt64] = []
  ) throws(HarnessFailure) -> (owner: FolderOwner, table: CSVWriter<Row>) {
    precondition(!command.isEmpty && !run.isEmpty, "a folder says what wrote it")
    do {
      let owner = try FolderOwner(ofNew: folder)
      try manifest(run: run, command: command, seeds: seeds, path: folder).write(in: folder)
      return (owner, try CSVWriter(table, in: folder))
    } catch {
      throw HarnessFailure("--out: \(error)")
    }
  }
}
