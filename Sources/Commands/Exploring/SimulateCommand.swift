import ArgumentParser
import Boundary
import Cells
import Exploring
import Foundation
import Runs
import Scenarios

/// `contextbench simulate`: the child that runs one cell under many schedules.
struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Run the schedules described on standard input; started by explore.",
    shouldDisplay: false)

  @Option(help: "Process that this one dies with.")
  var parent: Int32?

  func run() throws {
    do {
      let request = try SimulationProcess.begin(parent: parent)
      let scenario = try ExploredScenario(request.cell, Executable.loader)
      var runner = try ScheduleRunner(request, scenario)
      let report = try runner.run()
      try JSONEncoder().encode(report).write(
        to: URL(fileURLWithPath: request.directory + "/" + CellMeasurement.fileName), options: .atomic)
    } catch {
      CellExit.fail("\(error)")
    }
    // Tasks of schedules that came to no end are not waited for.
    CellExit.end()
  }
}
