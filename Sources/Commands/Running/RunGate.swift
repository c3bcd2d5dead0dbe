import Foundation
import Reporting
import Runs

/// The baseline of a run, for the comparison when it has ended.
struct RunGate: Sendable {
  private enum Base {
    /// An earlier run.
    case run(Results)
    /// The cells of another executable that ran beside those of this one.
    case executable(String)
  }

  private let base: Base
  private let options: ComparisonOptions
  private let comparing: ComparingOptions

  /// Reads the baseline, and finds everything that would make a comparison impossible before anything is run.
  ///
  /// - Parameter scenarios: names of those that are to run.
  /// - Throws: `ReportingError` or `ComparisonProblem`.
  init(
    baseline path: String, of scenarios: [String], _ options: ComparisonOptions, _ comparing: ComparingOptions
  ) throws {
    let results = try Results(readingFrom: path)
    let measured = Set(results.cells.map(\.key.scenario))
    guard !measured.isDisjoint(with: scenarios) else {
      throw ReportingError(
        path: path,
        cause:
          "has \(measured.sorted().joined(separator: ", ")), and this run has \(scenarios.joined(separator: ", "))",
        remedy: "Name a run of the same scenario")
    }
    _ = try Comparison(base: results, head: results, options: options)
    base = .run(results)
    self.options = options
    self.comparing = comparing
  }

  /// A gate of an executable that runs beside.
  init(beside executable: String, _ options: ComparisonOptions, _ comparing: ComparingOptions) {
    precondition(options.repeats.isEmpty, "an executable that runs beside has no runs of its own")
    base = .executable(executable)
    self.options = options
    self.comparing = comparing
  }

  /// The judgement of a run against its base.
  struct Judgement {
    /// For the terminal.
    var text: String
    /// For the results folder and every other output.
    var document: ComparisonDocument
    /// Why the rows could not be written where `--comparison` wants them; nil when they were.
    var failure: String?
  }

  /// Compares a run that has ended.
  func judge(_ report: RunReport) -> Judgement {
    precondition(!report.isInterrupted, "a run that is compared came to its end")
    do {
      let results = try Results(readingFrom: report.folder)
      let compared =
        switch base {
        case .run(let base): try Comparison(base: base, head: results, options: options)
        case .executable: try Comparison(sideBySide: results, options: options)
        }
      let comparison = compared.planned()
      var judgement = Judgement(
        text: "compared with \(name)\n\n"
          + comparison.text(
            colour: Terminal.hasColour(STDOUT_FILENO), width: Terminal.tableWidth, rowsMax: comparing.rowsMax),
        document: ComparisonDocument(comparison, baseline: name, failsOnImprovement: comparing.improvements))
      do throws(ReportingError) {
        if let file = comparing.comparison { try comparison.writeCSV(to: file) }
      } catch {
        judgement.failure = error.description
      }
      return judgement
    } catch {
      let problem = "not compared with \(name): \(error)"
      return Judgement(
        text: problem + "\n", document: ComparisonDocument(baseline: name, status: failure, problem: problem))
    }
  }

  /// Of a comparison that cannot be made: the baseline was checked before the run, the other executable was not.
  private var failure: ExitStatus {
    switch base {
    case .run: .usage
    case .executable: .harnessFailure
    }
  }

  private var name: String {
    switch base {
    case .run(let results): results.path
    case .executable(let path): "\(path), side by side"
    }
  }
}
