import Foundation
import Reporting
import Scenarios
import Scheduling

/// The executable that the commands belong to: `contextbench`, or one with strategies and workloads of its own.
package struct Program: Sendable {
  /// Version of the commands.
  static let version = "0.1.0"

  private static let running = Locked<Program?>(nil)

  /// The program that runs; known once ``run()`` was called.
  static var current: Program { running.withLock { $0 } ?? Program(allocator: "system") }

  /// What it is called in texts, and in commands that reproduce violations.
  let name: String
  /// Its allocator, for the manifest.
  let allocator: String

  /// Describes an executable.
  ///
  /// - Parameter name: nil = the name of its file.
  package init(name: String? = nil, allocator: String) {
    self.name = name ?? URL(fileURLWithPath: Executable.path).lastPathComponent
    self.allocator = allocator
  }

  /// Ends the process with a suggestion when the first word is no command.
  private func refuseUnknownCommand(_ word: String?) {
    let commands = ContextBench.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map {
      $0._commandName
    }
    guard let word, !word.hasPrefix("-"), word != "help",
      !ContextBench.configuration.subcommands.contains(where: {
        $0._commandName == word
      })
    else { return }
    StandardError.write(
      "\(name): unknown command \(word). \(NearestName.advice(for: word, in: commands))\n"
        + "Usage: \(name) <subcommand>; see \(name) --help")
    exit(ExitStatus.usage.rawValue)
  }

  /// Runs the command that its arguments name, and ends the process; once, on the main thread, when all strategies and
  /// workloads are registered.
  package func run() -> Never {
    Self.running.withLock { $0 = self }
    refuseUnknownCommand(CommandLine.arguments.dropFirst().first)
    ContextBench.main()
    exit(ExitStatus.passed.rawValue)
  }
}
