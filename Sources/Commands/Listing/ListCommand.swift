import ArgumentParser
import Checking
import Foundation
import Reporting
import Scenarios

/// `contextbench list`: what there is.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List scenarios, strategies, workloads, checks, violations, faults, keys or columns."
  )

  /// What can be listed.
  enum Subject: String, ExpressibleByArgument, CaseIterable {
    case scenarios, strategies, workloads, checks, violations, faults, keys, columns
  }

  @Argument(
    help: ArgumentHelp("One of \(Subject.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "what"))
  var subject: Subject

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
    case .columns: ColumnDocumentation.text(width: width)
    }
  }

  /// Full lines for scripts; lines that fit for a person.
  private var width: Int? { Terminal.isInteractive(STDOUT_FILENO) ? Terminal.width(STDOUT_FILENO) : nil }

  private func table(_ title: String, _ rows: [(String, String)]) -> String {
    var table = TextTable(columns: [.left(title), .left("meaning")])
    for row in rows { table.append([row.0, row.1]) }
    return table.rendered(width: width)
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
    return table.rendered(width: width)
  }

  private var scenarios: String {
    let shipped = Executable.loader.shipped().map { name, path in
      (name, (try? Executable.loader.load([path]))?.first?.settings[Keys.description] ?? "not readable; validate it")
    }
    return table("scenario", shipped)
  }

  private var faults: String {
    var table = TextTable(columns: [.left("fault"), .left("key"), .left("may cause"), .left("meaning")])
    for fault in ScenarioVocabulary.faults {
      table.append([fault.name, fault.key, fault.mayCause.joined(separator: ", "), fault.meaning])
    }
    return table.rendered(width: width)
  }

  private var keys: String {
    var table = TextTable(columns: [
      .left("key"), .left("value", dropped: 2), .left("range", dropped: 3), .left("unit", dropped: 4),
      .right("default", dropped: 1), .right("quick", dropped: 5), .left("meaning"),
    ])
    for key in vocabulary.keys {
      var meaning = key.documentation
      let workloads = vocabulary.workloads(using: key)
      if !workloads.isEmpty { meaning += " Workloads: " + workloads.joined(separator: ", ") + "." }
      let strategies = vocabulary.strategies(using: key)
      if !strategies.isEmpty { meaning += " Strategies: " + strategies.joined(separator: ", ") + "." }
      if key.isOption { meaning += " Allowed under options." }
      table.append([
        key.name, key.type.title, key.type.rangeText, key.unit, key.defaultValue ?? "", key.quickValue ?? "", meaning,
      ])
    }
    return table.rendered(width: width)
  }
}
