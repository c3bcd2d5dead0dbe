import Foundation

/// A folder for the folders of children that are counted or simulated; in memory where the machine has one.
package struct ScratchFolder: Sendable {
  package let path: String

  /// Makes it.
  ///
  /// - Parameter use: a word of its name.
  package init(_ use: String) throws(HarnessFailure) {
    precondition(!use.isEmpty && !use.contains("/"), "it has one folder, which is removed with all that is in it")
    let memory = "/dev/shm"
    let base =
      FileManager.default.isWritableFile(atPath: memory) ? memory : FileManager.default.temporaryDirectory.path
    path = "\(base)/contextbench-\(use)-\(UUID().uuidString)"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw HarnessFailure("\(path): no folder can be made: \(error)")
    }
  }

  /// Removes it with all that is in it.
  package func remove() { try? FileManager.default.removeItem(atPath: path) }
}
