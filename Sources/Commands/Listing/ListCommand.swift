import ArgumentParser
import Checking
import Foundation
import Reporting
import Scenarios

/// `contextbench list`: the names that commands and files may use.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List scenarios, strategies, workloads, checks, violations, faults, keys or columns."
  )

  /// The subjects of a list.
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case scenarios, strategies, workloads, checks, violations, faults, keys, columns
  }

  @Argument(help: ArgumentHelp("What to list.", valueName: "what"))
  var subject: Subject

  @Option(help: ArgumentHelp("Of keys, only those that scenarios of this workload may have.", valueName: "name"))
  var workload: String?

  func validate() throws {
    guard let workload else { return }
    if subject != .keys { throw ValidationError("--workload chooses among keys: list keys --workload \(workload)") }
    let names = vocabulary.workloads.map(\.name)
    if !names.contains(workload) {
      throw ValidationError("--workload: there is no \(workload). \(NearestName.advice(for: workload, in: names))")
    }
  }

  func run() {
    print(text, terminator: "")
  }

  private var vocabulary: ScenarioVocabulary { Executable.loader.vocabulary }

  private var text: String {
    switch subject {
    case .scenarios: scenarios
    case .strategies: strategies
    case .workloads: table("workload", vocabulary.workloads.map { ($0.name, $0.summary) })
    case .checks: checks
    case .violations: table("violation", ScenarioVocabulary.violationMeanings.map { ($0.name, $0.meaning) })
    case .faults: faults
    case .keys: keys
    case .columns: ColumnDocumentation.text(width: Terminal.tableWidth)
    }
  }

  /// Lines that fit for a person at a terminal; elsewhere a line for each entry, for `grep` and `less -S`.
  private func rendered(_ table: TextTable) -> String {
    table.rendered(width: Terminal.tableWidth, paddingMax: Self.paddingMax)
  }

  /// Names are shorter, and lists of all choices of a key far longer.
  private static let paddingMax = 48

  private func table(_ title: String, _ rows: [(String, String)]) -> String {
    var table = TextTable(columns: [.left(title), .left("meaning")])
    for row in rows { table.append([row.0, row.1]) }
    return rendered(table)
  }

  /// A check finds one kind of violation or several; three have no kind of their own.
  private var checks: String {
    let others = [
      OverlapChecker().name:
        "the run exercised what it is about; never violated, but maybe not exercised",
      InjectedFaultsChecker().name: "every fault that the scenario asks for happened; never violated",
      ReportsChecker.checkName: "no violation of any kind was reported while the cell ran; made of every cell",
    ]
    return table(
      "check",
      vocabulary[.checks].map { name in
        let kinds = CheckerCatalogue.checker(named: name)?.kinds ?? []
        precondition(others[name] != nil || !kinds.isEmpty, "a check has a kind, or a sentence of its own")
        let meanings = kinds.map { $0.rawValue == name ? $0.meaning : "\($0.rawValue): \($0.meaning)" }
        return (name, others[name] ?? meanings.joined(separator: "; "))
      })
  }

  private var strategies: String {
    var table = TextTable(columns: [.left("strategy"), .left("options, with defaults"), .left("meaning")])
    for strategy in vocabulary.strategies {
      let options = strategy.options.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      table.append([strategy.name, options.joined(separator: ";"), strategy.summary])
    }
    return rendered(table)
  }

  private var scenarios: String {
    let shipped = Executable.loader.shipped().map { name, path in
      (name, (try? Executable.loader.load([path]))?.first?.settings[Keys.description] ?? "not readable; validate it")
    }
    return table("scenario", shipped)
  }

  private var faults: String {
    var table = TextTable(columns: [.left("key"), .left("fault", dropped: 1), .left("may cause"), .left("meaning")])
    for fault in ScenarioVocabulary.faults {
      table.append([fault.key, fault.name, fault.mayCause.joined(separator: ", "), fault.meaning])
    }
    return rendered(table)
  }

  private var keys: String {
    var table = TextTable(columns: [.left("key"), .left("value"), .left("meaning")])
    for key in vocabulary.keys {
      var meaning = key.documentation
      // None are named of a key that every scenario may have.
      let workloads = vocabulary.workloads(using: key)
      if let workload, !workloads.isEmpty, !workloads.contains(workload) { continue }
      if !workloads.isEmpty, workload == nil { meaning += " Workloads: " + workloads.joined(separator: ", ") + "." }
      let strategies = vocabulary.strategies(using: key)
      if !strategies.isEmpty { meaning += " Strategies: " + strategies.joined(separator: ", ") + "." }
      if key.isOption { meaning += " Allowed under options." }
      table.append([key.name, key.valueText, meaning])
    }
    return rendered(table)
  }
}
