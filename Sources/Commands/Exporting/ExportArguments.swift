import ArgumentParser
import Foundation
import Reporting
import Scenarios

/// The forms that show how a run, or a comparison, ended.
struct OutcomeExportArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Also write everything as one JSON document.", valueName: "file"))
  var json: String?

  @Option(help: ArgumentHelp("Also write a Markdown report.", valueName: "file"))
  var markdown: String?

  @Option(help: ArgumentHelp("Also write JUnit XML.", valueName: "file"))
  var junit: String?

  @Option(help: ArgumentHelp("Also write SARIF 2.1.0.", valueName: "file"))
  var sarif: String?

  @Option(help: ArgumentHelp("Also write GitHub workflow commands: ::error file=…", valueName: "file"))
  var githubAnnotations: String?

  /// The forms that are asked for.
  var exports: [Export] {
    let files: [(any ExportFormat.Type, String?)] = [
      (JSONExport.self, json), (MarkdownExport.self, markdown), (JUnitExport.self, junit), (SARIFExport.self, sarif),
      (GitHubAnnotations.self, githubAnnotations),
    ]
    return files.compactMap { format, file in file.map { Export(format: format, file: $0) } }
  }
}

/// The files in other forms that a command writes besides its results folder.
struct ExportArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Also write medians as one tidy CSV; - = standard output.", valueName: "file"))
  var csv: String?

  @OptionGroup var outcome: OutcomeExportArguments

  /// All that are asked for.
  var exports: [Export] {
    let own = csv.map { [Export(format: CSVExport.self, file: $0)] } ?? []
    return own + outcome.exports
  }

  func validate() throws { try Self.refuseTwo(forms) }

  /// A form that is asked for, as an option, and where to.
  typealias Form = (option: String, file: String)

  /// The requested forms.
  var forms: [Form] { Self.forms(exports) }

  /// The same of others.
  static func forms(_ exports: [Export]) -> [Form] {
    exports.map { ("--\($0.format.name) \($0.file)", $0.file) }
  }

  /// Refuses two forms in one stream, which no program could read, or in one file, of which the last alone would stay.
  static func refuseTwo(_ forms: [Form]) throws {
    for form in forms {
      let same = forms.filter { OutputFile.isOne($0.file, form.file) }
      guard same.count > 1 else { continue }
      throw ValidationError(
        """
        \(OutputFile.isStandardOutput(form.file) ? "Standard output" : form.file) takes one form: \
        \(same.map(\.option).joined(separator: ", ")). Write each of the others into a file of its own.
        """)
    }
  }

  /// Writes the run's outcome into its folder, and all exports with it.
  ///
  /// An export that cannot be written becomes part of the outcome, and changes the exit code; the files that show it are then
  /// written anew. Standard output comes last and once.
  static func write(_ exports: [Export], from folder: String, _ outcome: inout RunOutcome) {
    do {
      try outcome.write(in: folder)
    } catch {
      outcome.addHarnessFailure("\(error)")
    }
    guard !exports.isEmpty else { return }
    do throws(ReportingError) {
      var results = try ExportedResults(readingFrom: folder)
      let last = exports.filter(\.isWrittenOnce)
      var done = exports.filter { !$0.isWrittenOnce }
      write(&done, &results, &outcome)
      var rest = last
      let failures = outcome.harnessFailures.count
      write(&rest, &results, &outcome)
      precondition(outcome.harnessFailures.count >= failures, "a failure that was noted stays")
      if outcome.harnessFailures.count > failures { write(&done, &results, &outcome) }
    } catch {
      outcome.addHarnessFailure(error.description)
      try? outcome.write(in: folder)
    }
  }

  /// Writes exports until all that can be written show the same outcome; those that cannot are left out.
  private static func write(_ exports: inout [Export], _ results: inout ExportedResults, _ outcome: inout RunOutcome) {
    results.outcome = outcome
    while true {
      var isWhole = true
      exports.removeAll { export in
        do throws(ReportingError) {
          try export.write(results)
          return false
        } catch {
          outcome.addHarnessFailure(error.description)
          isWhole = false
          return true
        }
      }
      if isWhole { return }
      results.outcome = outcome
      try? outcome.write(in: results.results.path)
      exports.removeAll(where: \.isWrittenOnce)
    }
  }
}
