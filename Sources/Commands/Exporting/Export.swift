import Foundation
import Reporting
import Scenarios

/// A form that results are written in, and where to.
struct Export: Sendable {
  let format: any ExportFormat.Type
  /// A path, or `-` for standard output.
  let file: String

  /// Whether writing it again would print it twice.
  var isWrittenOnce: Bool { ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].contains(file) }

  /// What would keep it from being written; nil when nothing is known.
  var problem: ScenarioProblem? {
    guard file != "-" else { return nil }
    var isFolder: ObjCBool = false
    let folder = URL(fileURLWithPath: file).deletingLastPathComponent().path
    if FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), isFolder.boolValue {
      return problem("is a folder", "Give the path of a file")
    }
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      return problem("its folder \(folder) is not there", "Make it first")
    }
    return FileManager.default.isWritableFile(atPath: folder)
      ? nil : problem("its folder is not writable", "Choose another")
  }

  private func problem(_ what: String, _ advice: String) -> ScenarioProblem {
    ScenarioProblem(source: "--\(format.name)", key: file, what: what, advice: advice)
  }

  /// Writes it, whole or not at all.
  func write(_ results: ExportedResults) throws(ReportingError) {
    let text = try format.text(of: format.hasBase ? results : results.judged)
    if file == "-" {
      print(text, terminator: "")
      return
    }
    do {
      // A device, such as /dev/stdout, cannot be replaced.
      let isPlain =
        (try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType) ?? .typeRegular
      try Data(text.utf8).write(
        to: URL(fileURLWithPath: file), options: isPlain == .typeRegular ? .atomic : [])
    } catch {
      throw ReportingError(
        path: file, cause: "cannot be written: \(ReportingError.reason(error))",
        remedy: ReportingError.remedy(error, "Choose a place that is writable")
          + ", and write it with \(Program.current.name) export")
    }
  }
}
