extension ResultsMerge {
  /// The obstacles that keep folders from being the parts of one plan, each once and whole.
  static func problems(of parts: [ExportedResults]) -> [String] {
    guard let first = parts.first else { return ["No folder is given. Name the results folders of all parts"] }
    let strangers = parts.dropFirst().flatMap { strangeness(of: $0, to: first) }
    // Blocks of different plans may have the same numbers.
    return strangers.isEmpty ? parts.flatMap(ownProblems) + overlaps(parts) + gaps(parts) : strangers
  }

  /// The differences that make a part another run than the first.
  private static func strangeness(of part: ExportedResults, to first: ExportedResults) -> [String] {
    let (mine, theirs) = (part.manifest, first.manifest)
    var differences: [String] = []
    if mine.version != theirs.version { differences.append("version \(mine.version), not \(theirs.version)") }
    if mine.revision != theirs.revision {
      differences.append("revision \(mine.revision ?? "unknown"), not \(theirs.revision ?? "unknown")")
    }
    if mine.build != theirs.build { differences.append("another build configuration") }
    differences += part.plan.differences(from: first.plan)
    return differences.map {
      "\(part.results.path): not a part of the same plan as \(first.results.path): \($0). "
        + "Run all parts from one revision with the same scenarios and options."
    }
  }

  /// Rows that a part's plan does not have, or that it lacks.
  private static func ownProblems(_ part: ExportedResults) -> [String] {
    let path = part.results.path
    var problems: [String] = []
    let planned = Set(part.plan.blocks.flatMap { $0.cells.map(\.cell) })
    let rows = part.results.cells.map(\.key) + part.results.timings.map(\.key) + part.results.violations.map(\.key)
    let unknown = Set(rows.map(\.cell)).subtracting(planned).sorted()
    if !unknown.isEmpty {
      problems.append("\(path): has rows of \(cells(unknown)), which its plan does not have. Run this part again.")
    }
    let missing = part.missingCells.map(\.cell.cell)
    if !missing.isEmpty {
      problems.append(
        "\(path): \(cells(missing)) of its plan \(missing.count == 1 ? "has" : "have") no row. "
          + "Finish it with contextbench run --resume \(path).")
    }
    return problems
  }

  private static func overlaps(_ parts: [ExportedResults]) -> [String] {
    var owners: [Int: String] = [:]
    var shared: [[String]: [Int]] = [:]
    for part in parts {
      // Each part warms up for itself.
      for block in part.plan.blocks.filter({ $0.repetition >= 0 }).map(\.block) {
        if let owner = owners[block] {
          shared[[owner, part.results.path], default: []].append(block)
        } else {
          owners[block] = part.results.path
        }
      }
    }
    return shared.sorted { $0.value[0] < $1.value[0] }.map { folders, blocks in
      "\(folders[1]): has \(list("block", blocks)) of the plan, and so has \(folders[0]). Name each part once."
    }
  }

  private static func gaps(_ parts: [ExportedResults]) -> [String] {
    let count = parts[0].plan.blockCount
    let missing = Set(0..<count).subtracting(parts.flatMap(\.plan.blocks).map(\.block)).sorted()
    guard !missing.isEmpty else { return [] }
    let counts = Set(parts.compactMap { $0.plan.shard?.split(separator: "/").last }.map(String.init))
    let shards = counts.count == 1 ? counts.first.flatMap { Int($0) } : nil
    // A missing warm-up is that of missing repetitions, wherever its own number would fall.
    let given = Set(parts.compactMap(\.plan.shard))
    let advice =
      shards.map { total in
        Set(missing.map { "\($0 % total + 1)/\(total)" }).subtracting(given).sorted().map { "--shard \($0)" }
          .joined(separator: ", ")
      } ?? missing.map { "--shard \($0 + 1)/\(count)" }.joined(separator: ", ")
    return ["No folder has \(list("block", missing)) of the plan's \(count). Run \(advice), and name its folder too."]
  }

  private static func cells(_ numbers: [Int]) -> String { list("cell", numbers) }

  /// `block 3`, `blocks 1, 2, 5`; of many only the first.
  private static func list(_ noun: String, _ numbers: [Int]) -> String {
    precondition(!numbers.isEmpty, "a list names at least one")
    let shown = numbers.prefix(shownMax).map(String.init).joined(separator: ", ")
    let rest = numbers.count > shownMax ? " and \(numbers.count - shownMax) more" : ""
    return "\(noun)\(numbers.count == 1 ? "" : "s") \(shown)\(rest)"
  }

  private static let shownMax = 10
}
