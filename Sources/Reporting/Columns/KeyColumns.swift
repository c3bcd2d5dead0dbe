/// The columns that say which cell a row is about; every file begins with them.
package enum KeyColumns {
  package static let all: [Column<CellKey>] = [
    .integer("schema_version", "version of the columns; raised when one changes its meaning") { _ in
      CellKey.schemaVersion
    },
    .text("run", "identifier of the run: its start and four random digits") { $0.run },
    .integer("cell", "number of the cell in the plan, from 0") { $0.cell },
    .text("scenario", "name of the scenario: its file's stem") { $0.scenario },
    .text("strategy", "name of the strategy") { $0.strategy },
    .text("options", "the strategy's options: key=value, joined by ;") { $0.options },
    .text("merge_policy", "merge policy of the strategy's contexts") { $0.mergePolicy },
    .unsigned("seed", "seed of the cell's draws") { $0.seed },
    .integer("repetition", "number of the repetition, from 0") { $0.repetition },
  ]
}
