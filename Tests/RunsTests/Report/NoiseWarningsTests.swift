import Measuring
import Reporting
import ScenarioSamples
import Scenarios
import Testing

@testable import Runs

struct NoiseWarningsTests {
  private static let text = "workload: import\nstrategies: [notification-merge, parent-child]\n"

  private func machine(governor: String? = nil) -> Machine {
    var machine = Machine.current()
    machine.cores = 2
    machine.governor = governor
    return machine
  }

  private func paragraphs(
    _ keys: String, governor: String? = nil, before: NoiseSummary? = nil,
    _ change: (_ row: inout CellRow, _ repetition: Int) -> Void
  ) throws -> [String] {
    let records = Plan([try readScenario(Self.text + keys)]).cells.map { cell in
      let outcome = CellOutcome(end: .finished, results: [], required: [], expectation: ScenarioExpectation())
      var row = CellRow(key: cell.key(run: "r"), verdict: outcome.verdict)
      row.arm = cell.arm
      row.untilDurableSeconds = 1
      row.processSeconds = 1
      row.noise.probeSeconds = 0.001
      row.noise.othersCPUSeconds = 0
      row.noise.stealSeconds = 0
      change(&row, cell.repetition)
      return CellRecord(cell: cell, row: row, outcome: outcome, seconds: 0)
    }
    return NoiseWarnings(records, machine: machine(governor: governor), before: before).paragraphs
  }

  @Test func aQuietMachineIsNotWarnedOf() throws {
    #expect(try paragraphs("repetitions: 5\n") { _, _ in }.isEmpty)
  }

  @Test func aDifferenceThatDrownsIsWarnedOfWithHowManyRepetitionsWouldShowIt() throws {
    let noisy = try paragraphs("repetitions: 9\ndifference_percent: 10\n") { row, repetition in
      row.untilDurableSeconds = 1 + Double(repetition % 3) * 0.1
    }
    let text = try #require(noisy.first)
    #expect(noisy.count == 1)
    #expect(text.hasPrefix("warning: test: 9 repetitions cannot tell a difference of 10.0 % from noise; "))
    #expect(text.contains("the interval of a ratio is ±"))
    #expect(text.contains("  --repetitions "))
    let wide = try paragraphs("repetitions: 9\ndifference_percent: 50\n") { row, repetition in
      row.untilDurableSeconds = 1 + Double(repetition % 3) * 0.1
    }
    #expect(wide.isEmpty)
  }

  @Test func ofPairsWhatTheyDifferByIsNoise() throws {
    func noisy(_ step: Int) throws -> [String] {
      try paragraphs("repetitions: 9\ndifference_percent: 5\naa: true\n") { row, repetition in
        row.untilDurableSeconds = 1 + Double((repetition + (row.arm == .b ? step * repetition : 0)) % 3) * 0.1
      }
    }
    #expect(try noisy(1).first?.hasPrefix("warning: test: 9 repetitions cannot tell") == true)
    // Differences that both of a pair have in common are none.
    #expect(try noisy(0).isEmpty)
  }

  @Test func fewRepetitionsSayNothingOfTheirSpread() throws {
    let few = try paragraphs("repetitions: 2\ndifference_percent: 1\n") { row, repetition in
      row.untilDurableSeconds = Double(1 + repetition)
    }
    #expect(few.isEmpty)
  }

  @Test func whatDisturbsIsNamedWithWhatToDo() throws {
    let others = try paragraphs("repetitions: 2\n") { row, _ in row.noise.othersCPUSeconds = 0.5 }
    #expect(
      others == [
        "warning: the machine was not quiet\n"
          + "  other processes used 25.0 % of the machine: end them, or run when it is idle\n"
      ])
    let steal = try paragraphs("repetitions: 2\n") { row, _ in row.noise.stealSeconds = 0.1 }
    #expect(steal.first?.contains("the host of this virtual machine took 5.00 % of it") == true)
    let slow = try paragraphs("repetitions: 10\n", governor: "powersave") { row, repetition in
      row.noise.probeSeconds = repetition < 8 ? 0.001 : 0.003
    }
    #expect(slow.first?.contains("its governor is powersave: set performance") == true)
    var before = NoiseSummary.now(probes: 1)
    before.processorPressure = 0.8
    let waiting = try paragraphs("repetitions: 2\n", before: before) { _, _ in }
    #expect(waiting.first?.contains("processes waited for a processor 80.0 % of the time") == true)
  }
}
