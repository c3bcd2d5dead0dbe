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
