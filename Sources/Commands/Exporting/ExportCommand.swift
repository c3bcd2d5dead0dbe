import ArgumentParser
import Foundation
import Reporting
import Scenarios

/// `contextbench export`: the results of a run in the form of another tool.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the results of a run in the form of another tool.",
    discussion: """
      FORMATS
      \(ExportFormats.all.map { "  \($0.name)\n      \($0.summary)" }.joined(separator: "\n"))

      trace and markdown also take a schedule, or the folder of an exploration with its schedules, run them again, and \
      show every step. Without --out it goes to standard output. Ends with \
      0 when it was written, whatever the run showed; with 64 when the folder is no results folder, is damaged, or of \
      another version; with 6 when the file cannot be written.
      """)

  @Argument(
    help: "A results folder; for trace and markdown, also a schedule or the folder of an exploration.",
    completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp("One of \(ExportFormats.all.map { $0.name }.joined(separator: ", ")).", valueName: "name"),
    completion: .list(ExportFormats.all.map { $0.name }))
  var format: String

  @Option(help: ArgumentHelp("The file; - = standard output.", valueName: "file"))
  var out: String?

  func run() throws {
    guard let format = ExportFormats.named(format) else {
      let advice = NearestName.advice(for: format, in: ExportFormats.all.map { $0.name })
      try ScenarioArguments.exitIfAny([
        ScenarioProblem(source: "--format", what: "unknown format \(format)", advice: advice)
      ])
      return
    }
    let export = Export(format: format, file: out ?? "-")
    try Export.exitIfAnyIsUnwritable([export])
    if let files = try ScheduleExport.files(folder) {
      if format == TraceExport.self { return try ScheduleExport.exportTrace(files, to: export.file) }
      if format == MarkdownExport.self {
        return try ScheduleExport.exportDocument(folder, files, to: export.file) { $0.markdown }
      }
    }
    let results: ExportedResults
    do throws(ReportingError) {
      results = try ExportedResults(readingFrom: folder)
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.usage.exitCode
    }
    do throws(ReportingError) {
      try export.write(results)
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.harnessFailure.exitCode
    }
  }
}
