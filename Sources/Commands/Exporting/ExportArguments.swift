import ArgumentParser
import Foundation
import Reporting
import Scenarios

/// The files in other forms that a command writes besides its results folder.
struct ExportArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Also write medians as one tidy CSV; - = standard output.", valueName: "file"))
  var csv: String?

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

  @Option(help: ArgumentHelp("Also append Markdown to a file, $GITHUB_STEP_SUMMARY.", valueName: "file"))
  var githubSummary: String?

  @Option(help: ArgumentHelp("Also write Bencher Metric Format.", valueName: "file"))
  var bencher: String?

  @Option(help: ArgumentHelp("Also write JSON for github-action-benchmark.", valueName: "file"))
  var githubBenchmark: String?

  @Option(help: ArgumentHelp("Also write OpenMetrics text.", valueName: "file"))
  var openmetrics: String?

  /// What is asked for.
  var exports: [Export] {
    let files: [(any ExportFormat.Type, String?)] = [
      (CSVExport.self, csv), (JSONExport.self, json), (MarkdownExport.self, markdown), (JUnitExport.self, junit),
      (SARIFExport.self, sarif), (GitHubAnnotations.self, githubAnnotations), (GitHubSummary.self, githubSummary),
      (BencherExport.self, bencher), (GitHubBenchmarkExport.self, githubBenchmark),
      (OpenMetricsExport.self, openmetrics),
    ]
    return files.compactMap { format, file in file.map { Export(format: format, file: $0) } }
  }

  /// Files that could not be written when the run is over.
  var problems: [ScenarioProblem] { exports.compactMap(\.problem) }

  /// Writes all of them from a results folder.
  ///
  /// - Returns: a message for each that failed.
  static func write(_ exports: [Export], from folder: String) -> [String] {
    guard !exports.isEmpty else { return [] }
    do throws(ReportingError) {
      let results = try ExportedResults(readingFrom: folder)
      return exports.compactMap { export in
        do throws(ReportingError) {
          try export.write(results)
          return nil
        } catch {
          return error.description
        }
      }
    } catch {
      return [error.description]
    }
  }
}
