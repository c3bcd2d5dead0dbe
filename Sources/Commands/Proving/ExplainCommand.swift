import ArgumentParser
import Reporting
import Runs

/// `contextbench explain`: the meaning of a kind of violation, its cause and its remedy.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explain a kind of violation: cause, remedy, sources.",
    discussion: "\(Program.current.name) list violations shows the kinds.")

  @Argument(
    help: "The kind, as violations.csv names it: deadlock, stale-read, …",
    completion: .custom { _, _, _ in Completions.kinds })
  var kind: String

  func run() throws {
    switch Explaining.text(ofKindNamed: kind) {
    case .success(let text): print(text, terminator: "")
    case .failure(let problem):
      StandardError.write(problem.description)
      throw ExitStatus.usage.exitCode
    }
  }
}
