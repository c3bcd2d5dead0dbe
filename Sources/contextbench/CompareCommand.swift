import ArgumentParser
import Foundation
import HarnessKit
import Reporting

/// `contextbench compare`: holds two runs against each other.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compare two runs: faster, slower, or no difference shown.",
    discussion: """
      A difference counts when it is larger than what counts at all (5 %, or a threshold), larger than what two runs of \
      the same thing show, its bootstrap interval leaves out 1, and Mann–Whitney's test is significant among all rows. \
      Of one run with pairs, by --against or aa, its arms are compared, pair by pair: 2 % counts then, and the tests are \
      those of pairs. \
      Exit codes: 3 something is worse, 4 something is better and --improvements was given, 5 a row of the base was not \
      measured again, 64 the runs cannot be read or compared.
      """)

  @Argument(help: ArgumentHelp("Results folder, or cells.csv, of what is compared with.", valueName: "base"))
  var base: String

  @Argument(
    help: ArgumentHelp(
      "Results folder, or cells.csv, of what is looked at; without it the pairs of the first.", valueName: "head"))
  var head: String?

  @OptionGroup var comparing: ComparingOptions

  func validate() throws {
    if head == nil, comparing.basis != .automatic || !comparing.noiseRun.isEmpty {
      throw ValidationError(
        "Pairs are compared by themselves: leave out --basis and --noise-run, or name a second run.")
    }
  }

  func run() throws {
    do {
      let options = try comparing.options(scenarios: [])
      let results = try Results(readingFrom: base)
      let comparison =
        if let head {
          try Comparison(base: results, head: Results(readingFrom: head), options: options)
        } else {
          try Comparison(sideBySide: results, options: options)
        }
      print(comparison.text(colour: Terminal.hasColour(STDOUT_FILENO)), terminator: "")
      throw ExitStatus(comparison, failsOnImprovement: comparing.improvements).exitCode
    } catch let exit as ExitCode {
      throw exit
    } catch {
      StandardError.write("\(error)")
      throw ExitStatus.usage.exitCode
    }
  }
}
