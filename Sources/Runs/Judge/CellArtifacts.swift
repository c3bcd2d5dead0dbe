import Boundary
import Foundation

/// The files in the folder of a child that did not end well.
struct CellArtifacts: Sendable, Equatable {
  /// Path of the stacks of all threads, as it will be in the results folder.
  var stacks: String?
  /// Where its threads waited, in words; empty when that is not known.
  var waits = ""
  /// Path of the Swift runtime's backtrace, as it will be in the results folder.
  var backtrace: String?
  /// The runtime's reason of the crash, in the first line of its backtrace.
  var crashReason: String?

  /// Looks into a cell's folder.
  ///
  /// - Parameters:
  ///   - kept: the folder's place in the results folder once it is kept.
  ///   - executable: the child's program.
  init(in folder: String, kept: String, executable: String) {
    precondition(!kept.isEmpty && !kept.hasPrefix("/"), "what is kept is below the results folder")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    if files.contains(CellFiles.stacks) {
      let path = folder + "/" + CellFiles.stacks
      StackDump.makeReadable(fileAt: path, executable: executable)
      if StackDump.hasStacks(fileAt: path) {
        stacks = kept + "/" + CellFiles.stacks
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        waits = text.map { ThreadWaits.summary(of: $0, executable: executable) } ?? ""
      }
    }
    // The runtime names the file after the executable, the process and the time.
    guard let file = files.first(where: { $0.hasSuffix(".log") }) else { return }
    backtrace = kept + "/" + file
    let text = try? String(contentsOfFile: folder + "/" + file, encoding: .utf8)
    crashReason = text?.split(separator: "\n").first.map { $0.trimmingCharacters(in: ["*", " "]) }
  }
}
