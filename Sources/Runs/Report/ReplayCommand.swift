import Checking

/// The command that runs a violating cell again and again until it happens.
package struct ReplayCommand: Sendable {
  /// Name of the executable.
  package var program: String
  /// Arguments besides file, strategy and seed.
  package var arguments: [String]

  /// Makes a command.
  package init(program: String = "contextbench", arguments: [String] = []) {
    precondition(!program.isEmpty, "a command begins with a program")
    self.program = program
    self.arguments = arguments
  }

  /// Repetitions that are tried.
  static let repetitions = 50

  /// The command for a kind of violation of a cell: live, so it finds it by repetition and not by schedule.
  func text(for kind: ViolationKind, of cell: PlannedCell) -> String {
    var words = [program, "run", cell.scenario.path, "--strategy", cell.variant.strategy]
    words += ["--seed", String(cell.seed), "--repetitions", String(Self.repetitions), "--stop-on", kind.rawValue]
    let variants = cell.scenario.variants.filter { $0.strategy == cell.variant.strategy }
    for (key, value) in cell.variant.options.sorted(by: { $0.key < $1.key })
    where variants.contains(where: { $0.options[key] != value }) {
      words += ["--set", "\(key)=\(value)"]
    }
    return ShellWord.line(words + arguments)
  }

  /// The command that resumes an interrupted run.
  func resuming(_ folder: String) -> String {
    ShellWord.line([program, "run", "--resume", folder])
  }
}

/// Words of a command line.
package enum ShellWord {
  /// A command line that a shell reads as these words.
  package static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  private static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-./=,:+".contains($0)) }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
