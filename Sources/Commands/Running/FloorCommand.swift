import ArgumentParser
import Cells

/// `contextbench floor`: the child that runs the C floor.
struct FloorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "floor", abstract: "Run the floor described on standard input; started by run.", shouldDisplay: false)

  @Option(help: "Process that this one dies with.")
  var parent: Int32?

  func run() throws {
    FloorRunner.run(try CellCommand.request(parent: parent))
  }
}
