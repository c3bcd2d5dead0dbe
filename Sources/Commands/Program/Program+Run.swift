import Boundary
import Foundation
import Reporting
import Scenarios
import Trials

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

  /// Looks at the arguments before any command reads them; nil where nothing is wrong.
  ///
  /// No option takes an empty text, which would name the current folder; and a path that is no UTF-8 would be written to under
  /// another name.
  static func problem(ofArguments arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>, _ count: Int32) -> String? {
    if let folder = getcwd(nil, 0) {
      defer { free(folder) }
      if String(validatingCString: folder) == nil {
        return "the name of the current folder is no UTF-8. Use one that is"
      }
    }
    for number in 0..<Int(count) {
      guard let argument = arguments[number] else { return nil }
      guard let text = String(validatingCString: argument) else {
        return "argument \(number), \(String(cString: argument)), is no UTF-8. Use names that are"
      }
      guard number > 0 else { continue }
      if text.isEmpty || (text.hasPrefix("--") && text.hasSuffix("=")) {
        let option = text.isEmpty ? arguments[number - 1].map { String(cString: $0) } ?? "" : text
        return "\(option): its value is empty. Give one, or leave the option out"
      }
    }
    return nil
  }

  /// Runs the command that its arguments name, and ends the process; once, on the main thread, when all strategies and
  /// workloads are registered.
  package func run() -> Never {
    TrialCatalogue.register()
    StandardStreams.watch(status: ExitStatus.harnessFailure.rawValue)
    if let problem = Self.problem(ofArguments: CommandLine.unsafeArgv, CommandLine.argc) {
      StandardError.write("\(name): \(problem)")
      exit(ExitStatus.usage.rawValue)
    }
    Self.running.withLock { program in
      precondition(program == nil, "a process runs one program")
      program = self
    }
    refuseUnknownCommand(CommandLine.arguments.dropFirst().first)
    ContextBench.main()
    exit(ExitStatus.passed.rawValue)
  }
}
