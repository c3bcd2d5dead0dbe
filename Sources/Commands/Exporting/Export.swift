import Reporting
import Scenarios

/// A form that results are written in, and where to.
struct Export: Sendable {
  let format: any ExportFormat.Type
  /// A path, or `-` for standard output.
  let file: String

  /// Whether it goes to standard output, where writing it again would print it twice.
  var isWrittenOnce: Bool { OutputFile.isStandardOutput(file) }

  /// Whether a program reads it from standard output, where nothing else may be then.
  var takesStandardOutput: Bool { isWrittenOnce && format.isForPrograms }

  /// Ends the process, before anything was run, where one of them cannot be written.
  static func exitIfAnyIsUnwritable(_ exports: [Export]) throws {
    let obstacles = exports.compactMap { OutputFile.obstacle($0.file) }
    guard !obstacles.isEmpty else { return }
    for obstacle in obstacles { StandardError.write(obstacle.description) }
    throw ExitStatus.harnessFailure.exitCode
  }

  /// Writes it, whole or not at all.
  func write(_ results: ExportedResults) throws(ReportingError) {
    let text = try format.text(of: format.hasBase ? results : results.judged)
    do throws(ReportingError) {
      try OutputFile.write(text, to: file)
    } catch {
      throw ReportingError(
        path: error.path, cause: error.cause,
        remedy: error.remedy + ", and write it with \(Program.current.name) export")
    }
  }
}
