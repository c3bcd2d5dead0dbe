import ArgumentParser
import Measuring

/// `contextbench manual`: the manual page.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the manual page, which has the help of every command.",
    discussion: """
      EXAMPLES
        \(Program.current.name) manual > ~/.local/share/man/man1/\(Program.current.name).1
        \(Program.current.name) manual | man -l -
      """)

  func run() throws {
    print(ManualPage(try HelpDocument.current(), version: Program.version).text, terminator: "")
  }
}
