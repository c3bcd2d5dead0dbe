import Boundary
import Foundation
import Reporting

extension GateComparison {
  /// Functions that are named.
  private static let functionsMax = 3
  /// Cells that are named where not all are wanted.
  private static let cellsMax = 1

  /// For a person: the verdict, the cells that cost more, those that could not be compared, and those that cost less.
  ///
  /// - Parameters:
  ///   - program: the executable's name, for advice.
  ///   - all: whether each cell has a line.
  package func text(program: String, all: Bool) -> String {
    var text = [verdict]
    text += lines(of: slower, "instructions", sign: "+", all)
    if !functions.isEmpty { text.append("  added most by " + functionText) }
    text += lines(of: worse, all)
    text += broken.map { "\($0.cell): \($0.reason)" }
    if !missing.isEmpty {
      text.append("not run, though the baseline has \(Self.count(missing.count, "cell")): \(Self.list(missing))")
    }
    if !isWorse {
      text += lines(of: faster, "instructions", sign: "", all)
      text += lines(of: better, all)
    } else if !better.isEmpty || !faster.isEmpty {
      let costs =
        CellCost.allCases.filter { better[$0] != nil }.map(\.rawValue) + (faster.isEmpty ? [] : ["instructions"])
      text.append("less in some cells: \(costs.joined(separator: ", "))")
    }
    text += obstacles.map { "cannot tell: \($0)" }
    if !new.isEmpty { text.append("not in the baseline: \(Self.list(new))") }
    text.append(timeText)
    let isOther =
      isWorse || !better.isEmpty || !faster.isEmpty || !new.isEmpty || !missing.isEmpty || !obstacles.isEmpty
    if isOther { text.append("to take these numbers as the baseline: \(program) gate --accept") }
    return text.joined(separator: "\n") + "\n"
  }

  private var verdict: String {
    let scope = "\(Self.count(compared.costs, "cell")), instructions of \(compared.instructions)"
    let sizes = worse.values.flatMap(\.self).map(\.cell) + slower.map(\.cell)
    if isWorse { return "costs more than the baseline in \(Set(sizes).count) of \(scope)" }
    if !broken.isEmpty { return "\(Self.count(broken.count, "cell")) of the baseline came to no end" }
    if compared.costs == 0 { return "nothing could be compared" }
    if !better.isEmpty || !faster.isEmpty { return "nothing costs more, and something less (\(scope))" }
    return "costs as the baseline (\(scope))"
  }

  /// A line for each cost, or for each of its cells; the cost that grew in most cells first.
  private func lines(of changes: [CellCost: [Change]], _ all: Bool) -> [String] {
    let costs = CellCost.allCases.filter { changes[$0] != nil }
    let ordered = costs.enumerated().sorted { one, other in
      let counts = (changes[one.element]?.count ?? 0, changes[other.element]?.count ?? 0)
      return counts.0 == counts.1 ? one.offset < other.offset : counts.0 > counts.1
    }
    return ordered.flatMap { cost in
      lines(of: changes[cost.element] ?? [], cost.element.rawValue, sign: changes == worse ? "+" : "", all)
    }
  }

  private func lines(of changes: [Change], _ what: String, sign: String, _ all: Bool) -> [String] {
    let largest = changes.sorted { (abs($1.share), $0.cell) < (abs($0.share), $1.cell) }
    if all { return largest.map { "\(what): \(Self.text($0, sign))" } }
    guard !largest.isEmpty else { return [] }
    let named = largest.prefix(Self.cellsMax).map { Self.text($0, sign) }.joined(separator: "; ")
    precondition(Set(largest.map(\.cell)).count == largest.count, "a cell differs once in a cost")
    let rest = largest.count - Self.cellsMax
    return [
      "\(what): \(named)"
        + (rest > 0 ? "; \(sign.isEmpty ? "less" : "more") in \(rest) other" + (rest > 1 ? "s" : "") : "")
    ]
  }

  /// `import main-only 1,204 → 1,216 (+12, 1.0 %; 0.50 an object)`.
  private static func text(_ change: Change, _ sign: String) -> String {
    var parts = [sign + HumanReadable.count(change.difference)]
    if change.was > 0 { parts[0] += String(format: ", %@%.1f %%", sign, change.share * 100) }
    if change.objects > 0 {
      parts.append("\(HumanReadable.significant(Double(change.difference) / Double(change.objects))) an object")
    }
    let numbers = "\(HumanReadable.count(change.was)) → \(HumanReadable.count(change.now))"
    return "\(change.cell) \(numbers) (\(parts.joined(separator: "; ")))"
  }

  private var functionText: String {
    let added = functions.reduce(0) { $0 + $1.difference }
    precondition(added > 0, "functions are named where something was added")
    return functions.prefix(Self.functionsMax).map { function in
      let share = String(format: "%.0f %%", Double(function.difference) / Double(added) * 100)
      return "\(function.name) (\(share))"
    }.joined(separator: ", ")
  }

  private var timeText: String {
    let was = HumanReadable.seconds(seconds.was)
    return "wall time \(HumanReadable.seconds(seconds.now)), with the baseline \(was): advisory, decides nothing"
  }

  private static func count(_ number: Int, _ what: String) -> String {
    "\(HumanReadable.count(number)) \(what)\(number == 1 ? "" : "s")"
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(3).joined(separator: ", ")
    return names.count > 3 ? "\(shown) and \(names.count - 3) more" : shown
  }
}
