import ArgumentParser
import Foundation
import Reporting

/// `contextbench history`: where many runs changed.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Find where measures changed over many runs, and at which revision.",
    discussion: """
      Takes results folders, or folders of them, in the order of their start. Each strategy's median by CPU seconds, time \
      until visible and main-thread time (by multiples of the floor where machines differ) is a series; a change is where \
      E-divisive finds one and a permutation test confirms it. For a nightly job: it ends with 0 whatever it finds, \
      and with 64 when a folder cannot be read. scripts/plot draws the trend of a folder of runs.

      EXAMPLES
        \(Program.current.name) history contextbench-results
        \(Program.current.name) history nightly --csv history.csv
      """)

  @Argument(help: "Results folders, or folders of results folders.")
  var folders: [String]

  @Option(help: ArgumentHelp("Probability at which a change of a series counts.", valueName: "p"))
  var level = 0.01

  @Option(help: ArgumentHelp("Also write all medians as CSV; - = standard output.", valueName: "file"))
  var csv: String?

  func validate() throws {
    if !(level >= 0.002 && level <= 0.2) { throw ValidationError("--level is from 0.002 to 0.2.") }
  }

  func run() throws {
    let history: RunHistory
    do throws(ReportingError) {
      var results: [Results] = []
      for folder in folders { results += try Results.runs(in: folder) }
      history = try RunHistory(results, level: level)
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.usage.exitCode
    }
    if let csv, csv != "-" { try write(history.csv, to: csv) }
    if csv == "-" {
      print(history.csv, terminator: "")
    } else {
      print(history.text(width: Terminal.tableWidth), terminator: "")
    }
  }

  private func write(_ text: String, to file: String) throws {
    do throws(ReportingError) {
      try OutputFile.write(text, to: file)
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.harnessFailure.exitCode
    }
  }
}
