import Boundary
import CPowerLoss
import Foundation
import Scenarios

/// The files of a simulated cell that are left when a fault ends its process.
package enum SurvivingFiles {
  /// The files of a store that outlive a process.
  private static let names = [CellFiles.store, CellFiles.store + "-wal"]

  /// Tracks the synced parts of files, where a scenario asks for a loss of power; once a process, before its first
  /// connection.
  package static func watch(for settings: ScenarioSettings) throws {
    guard InjectedFault.powerLoss.rate(settings) > 0 else { return }
    let code = cpowerloss_install()
    guard code == 0 else { throw HarnessFailure("SQLite takes no layer that knows what was synced: error \(code)") }
  }

  /// Makes the folder of the next cell, or empties it: most leave nothing in it.
  package static func clear(_ folder: String) throws {
    // A folder with something in it is not removed.
    if rmdir(folder) == 0, mkdir(folder, 0o777) == 0 { return }
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  /// Forgets the files of the cell before.
  package static func forget() { cpowerloss_forget() }

  /// Copies the files for the next process, without the memory of the one that died: file and log, after a loss of power as
  /// they were last synced.
  ///
  /// - Returns: the store's file.
  package static func copy(_ folder: String, after fault: InjectedFault) throws -> String {
    precondition(fault.isFatal, "files are left by a process that died")
    let copy = folder + "/reopened"
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for name in names {
      if fault == .powerLoss {
        let error = cpowerloss_copy(folder + "/" + name, copy + "/" + name)
        guard error == 0 || error == ENOENT else {
          throw HarnessFailure("\(copy)/\(name): \(String(cString: strerror(error)))")
        }
      } else if FileManager.default.fileExists(atPath: folder + "/" + name) {
        try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: copy + "/" + name)
      }
    }
    return copy + "/" + CellFiles.store
  }
}
