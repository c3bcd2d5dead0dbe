import Boundary
import Foundation
import Reporting
import Scenarios

/// Tries the gate on unchanged cells and on cells slower by a share, to see whether it can be trusted.
package struct GateCalibration: Sendable {
  /// One trial: a row of `gate.csv`.
  package struct Trial: Sendable, Hashable {
    var trial = 0
    /// Share of the instructions of a cell that was added; nil of an unchanged build.
    var share: Double?
    /// The scenario that was slowed; empty of an unchanged build, of which all are run.
    var scenario = ""
    var exitCode = 0
    /// Whether the function that was added to is in the first three lines.
    var isNamed = false
    /// The first three lines.
    var text = ""
  }

  /// Where a slowdown works.
  private static let function = "cprocess_work"

  private let scenarios: [Scenario]
  private let options: RunOptions
  private let counter: InstructionCounter?
  private let interruption: Interruption

  /// - Parameter options: `base` is the same source built again, by which the baseline is counted; nil = this executable.
  package init(
    _ scenarios: [Scenario], _ options: RunOptions, counter: InstructionCounter?, interruption: Interruption
  ) {
    self.scenarios = scenarios
    self.options = options
    self.counter = counter
    self.interruption = interruption
  }

  /// Runs everything, and writes a row for each trial as it ends.
  ///
  /// - Returns: the text for a person, and the exit status; nil when it was interrupted.
  package func run(same: Int, slowed: Int, share: Double) async throws -> (text: String, status: ExitStatus)? {
    precondition(same >= 0 && slowed >= 0 && share > 0, "trials are counted, and a slowdown makes slower")
    let run = RunName.make()
    let folder = options.out ?? "contextbench-results/" + run
    let (owner, table) = try options.makeFolder(folder, of: .gate, run: run, command: "calibrate")
    defer { owner.release() }
    var trials: [Trial] = []
    func add(_ trial: Trial) throws {
      var trial = trial
      trial.trial = trials.count
      trials.append(trial)
      try table.append(trial)
    }
    if same > 0 {
      guard let base = try await runner(scenarios, options.base).run(progress: { _, _ in }) else { return nil }
      for _ in 0..<same {
        guard let now = try await runner(scenarios).run(against: base.baseline, progress: { _, _ in }) else {
          return nil
        }
        try add(trial(GateComparison(base.baseline, base.functions, with: now)))
      }
    }
    for scenario in scenarios.prefix(counter == nil ? 0 : slowed) {
      switch try await slow(scenario, by: share) {
      case .interrupted: return nil
      case .nothingIsWritten: continue
      case .trial(let trial): try add(trial)
      }
    }
    return (text(trials, share) + folder + "\n", status(trials))
  }

  private enum Slowed {
    case trial(Trial)
    case nothingIsWritten
    case interrupted
  }

  /// Plants so many steps for each row of a commit that the counted cell of the scenario takes the share more.
  private func slow(_ scenario: Scenario, by share: Double) async throws -> Slowed {
    func count(_ steps: Int) async throws -> GateRunner.Result? {
      var slowed = scenario
      slowed.settings.values[Slowdown.key] = String(steps)
      return try await runner([slowed]).run(progress: { _, _ in })
    }
    guard let plain = try await count(0), let probe = try await count(SlowdownScale.probeSteps) else {
      return .interrupted
    }
    guard let cell = plain.baseline.cells.first(where: { $0.value.instructions != nil }),
      let old = cell.value.instructions,
      let new = probe.baseline.cells[cell.key]?.instructions, new > old
    else { return .nothingIsWritten }
    precondition(old > 0, "a cell that was counted has instructions")
    let steps = share * Double(old) * Double(SlowdownScale.probeSteps) / Double(new - old)
    guard let slowed = try await count(Int(steps.rounded())) else { return .interrupted }
    var trial = trial(GateComparison(plain.baseline, plain.functions, with: slowed))
    (trial.share, trial.scenario) = (share, scenario.name)
    trial.isNamed = trial.text.contains(Self.function)
    return .trial(trial)
  }

  private func runner(_ scenarios: [Scenario], _ executable: String? = nil) -> GateRunner {
    GateRunner(
      scenarios, executable: executable ?? options.executable, counter: counter, interruption: interruption)
  }

  private func trial(_ comparison: GateComparison) -> Trial {
    let lines = comparison.text(program: options.replay.program, all: false).split(separator: "\n")
    return Trial(
      exitCode: Int(comparison.status(isStrict: false).rawValue), text: lines.prefix(3).joined(separator: "\n"))
  }

  private func text(_ trials: [Trial], _ share: Double) -> String {
    let same = trials.filter { $0.share == nil }
    let slowed = trials.filter { $0.share != nil }
    let percent = HumanReadable.significant(share * 100)
    var lines: [String] = []
    if !same.isEmpty {
      lines.append("unchanged: \(same.count { $0.exitCode == 0 }) of \(same.count) gates end with 0")
    }
    if !slowed.isEmpty {
      lines.append(
        "slower by \(percent) %: \(slowed.count { $0.exitCode == 3 }) of \(slowed.count) found, "
          + "the function in the first three lines of \(slowed.count { $0.isNamed })")
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Passed when no unchanged build failed, and 19 of 20 slowdowns were found and named.
  private func status(_ trials: [Trial]) -> ExitStatus {
    let slowed = trials.filter { $0.share != nil }
    let found = slowed.count { $0.exitCode == 3 && $0.isNamed }
    let isTrusted = trials.allSatisfy { $0.share != nil || $0.exitCode == 0 } && found * 20 >= slowed.count * 19
    return isTrusted ? .passed : .violation
  }
}

extension Table<GateCalibration.Trial> {
  /// `gate.csv`.
  static var gate: Table {
    Table(
      fileName: "gate.csv", grain: "one gate: of an unchanged build, or of one that was slowed",
      empty: { GateCalibration.Trial() },
      columns: [
        .integer("trial", "number of the trial, from 0", \.trial),
        .number("share", "share of a cell's instructions that was added; empty = unchanged", \.share),
        .text("scenario", "the scenario that was slowed; empty = all, unchanged", \.scenario),
        .integer("exit_code", "what the gate ended with", \.exitCode),
        .flag("is_named", "whether the function is in the first three lines", \.isNamed),
        .text("text", "the first three lines", \.text),
      ])
  }
}
