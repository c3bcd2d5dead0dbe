import Foundation
import Reporting
import Scenarios

extension Program {
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
