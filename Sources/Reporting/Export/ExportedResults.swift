import Foundation

/// The data of an export: the rows of a results folder, with its plan.
package struct ExportedResults: Sendable {
  package var results: Results
  package var manifest: Manifest
  package var plan: PlanDocument
  /// How the run ended; nil when it was killed.
  package var outcome: RunOutcome?

  package init(results: Results, manifest: Manifest, plan: PlanDocument, outcome: RunOutcome? = nil) {
    self.results = results
    self.manifest = manifest
    self.plan = plan
    self.outcome = outcome
  }

  /// Reads a results folder.
  ///
  /// - Throws: `ReportingError` for the first thing in it that is missing, damaged, unknown or of another version.
  package init(readingFrom folder: String) throws(ReportingError) {
    let results = try Results(readingFrom: folder)
    guard let manifest = results.manifest else {
      throw ReportingError(
        path: folder, cause: "is a file", remedy: "Name a results folder: the last line that a run prints")
    }
    self.init(
      results: results, manifest: manifest, plan: try PlanDocument(readingFrom: folder),
      outcome: try RunOutcome(ofRun: folder))
  }

  /// The cells' rows, in the order of the plan.
  package var cells: [CellRow] { results.cells.sorted { $0.key.cell < $1.key.cell } }

  /// Without the cells that only ran to be compared with; those that were not run, or could not be, stay.
  package var judged: ExportedResults {
    let measured = Set(results.cells.map(\.key.cell))
    let left = Set(results.judged.cells.map(\.key.cell))
    precondition(left.isSubset(of: measured), "what is judged was measured")
    // A warm-up cell has no row that could tell.
    let warmups = plan.blocks.filter { $0.repetition < 0 }.flatMap(\.cells).filter { $0.arm == .base }.map(\.cell)
    let removed = measured.subtracting(left).union(warmups)
    var plan = plan
    for block in plan.blocks.indices { plan.blocks[block].cells.removeAll { removed.contains($0.cell) } }
    return ExportedResults(results: results.without(removed), manifest: manifest, plan: plan, outcome: outcome)
  }

  /// A comparison alone, of a run that was judged already.
  package func comparing(_ comparison: ComparisonDocument) -> ExportedResults {
    var alone = self
    alone.results.cells = []
    alone.results.timings = []
    alone.results.violations = []
    alone.plan.blocks = []
    alone.outcome = RunOutcome(.passed, comparison: comparison)
    return alone
  }

  /// The conclusions about the run's strategies, one per scenario.
  package var conclusions: [Conclusion] {
    Conclusion.all(cells: judged.cells, violations: judged.results.violations)
  }

  /// The file of a scenario, relative if it is below the working directory; its name where the plan has none.
  package func path(ofScenario name: String) -> String {
    let path = plan.scenarios.first { $0.name == name }?.path ?? name
    let here = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }

  /// The same from the root of the repository, which readers of a pull request know; nil where it is no file of it.
  func place(ofScenario name: String) -> String? {
    RepositoryPath.relative(plan.scenarios.first { $0.name == name }?.path ?? name)
  }

  /// Cells that the plan has and that were not run, or not to their end.
  package var missingCells: [PlanDocument.MissingCell] {
    let seen = Set(results.cells.map(\.key.cell))
    return plan.blocks.filter { $0.repetition >= 0 }.flatMap { block in
      block.cells.filter { !seen.contains($0.cell) }.map { PlanDocument.MissingCell(cell: $0, block: block) }
    }
  }
}

extension PlanDocument {
  /// A planned cell without a row.
  package struct MissingCell: Sendable, Hashable {
    package var cell: Cell
    package var block: Block
  }
}
