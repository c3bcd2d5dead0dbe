import Measuring

/// What ``Harness`` was asked for on its command line.
struct HarnessArguments {
  private(set) var files: [String] = []
  private(set) var overrides: [ScenarioOverride] = []
  private(set) var isQuick = false
  private(set) var stopsOnViolation = false
  private(set) var out: String?
  /// Arguments that a command which brings a violation back needs besides file, strategy and seed.
  private(set) var replayArguments: [String] = []

  /// Reads `run FILES…` with its options.
  ///
  /// - Throws: a message that says what can be written.
  init(_ arguments: [String], program: String) throws {
    guard arguments.first == "run" else { throw Usage(program: program) }
    var allowsDebug = false
    var rest = arguments.dropFirst()
    while let word = rest.popFirst() {
      switch word {
      case "--quick": isQuick = true
      case "--allow-debug": allowsDebug = true
      case "--stop-on-violation": stopsOnViolation = true
      case "--out", "--set", "--strategy", "--seed", "--repetitions":
        guard let value = rest.popFirst() else { throw Usage(program: program, problem: "\(word) has no value. ") }
        try take(word, value)
      default:
        guard !word.hasPrefix("-") else { throw Usage(program: program, problem: "\(word) is unknown. ") }
        files.append(word)
      }
      if word == "--quick" || word == "--allow-debug" { replayArguments.append(word) }
    }
    guard !files.isEmpty else { throw Usage(program: program, problem: "No scenario file is given. ") }
    guard allowsDebug || BuildConfiguration.current.isComparable else {
      throw Usage(program: program, problem: "Timings of a debug or sanitized build mean nothing: add --allow-debug. ")
    }
  }

  private mutating func take(_ option: String, _ value: String) throws {
    switch option {
    case "--out": out = value
    case "--set":
      overrides.append(try ScenarioOverride(set: value))
      replayArguments += [option, value]
    case "--strategy": overrides.append(ScenarioOverride(source: option, key: "strategies", value: value))
    case "--seed":
      overrides.append(ScenarioOverride(source: option, key: "seed", value: value))
      overrides.append(ScenarioOverride(source: option, key: "seed_step", value: "0"))
    default: overrides.append(ScenarioOverride(source: option, key: "repetitions", value: value))
    }
  }

  /// Wrong usage.
  struct Usage: Error, CustomStringConvertible {
    let program: String
    var problem = ""

    var description: String {
      """
      \(problem)Usage: \(program) run FILE… [--quick] [--set key=value]… [--strategy a,b] [--seed n] [--repetitions n] \
      [--stop-on-violation] [--out dir] [--allow-debug]
      """
    }
  }
}
