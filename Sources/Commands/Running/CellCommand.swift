import ArgumentParser
import Boundary
import Cells
import Reporting

/// `contextbench cell`: the child that runs one cell.
struct CellCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cell", abstract: "Run the cell described on standard input; started by run.", shouldDisplay: false)

  @Option(help: "Process that this one dies with.")
  var parent: Int32?

  func run() throws {
    CellRunner.run(try CellCommand.request(parent: parent))
  }

  /// The request on standard input, or the exit of a harness failure.
  static func request(parent: Int32?) throws -> CellRequest {
    do throws(HarnessFailure) {
      return try CellProcess.begin(parent: parent)
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.harnessFailure.exitCode
    }
  }
}
