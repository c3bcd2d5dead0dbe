/// The columns that say which cell a row is about; every file begins with them.
package enum KeyColumns {
  package static let all: [Column<CellKey>] = [
    .schemaVersion,
    .text("run", "identifier of the run: its start and four random digits", \.run),
    .integer("cell", "number of the cell in the plan, from 0", \.cell),
    .text("scenario", "name of the scenario: its file's stem", \.scenario),
    .text("strategy", "name of the strategy", \.strategy),
    .text("options", "the strategy's options: key=value, joined by ;", \.options),
    .text("merge_policy", "merge policy of the strategy's contexts", \.mergePolicy),
    .unsigned("seed", "seed of the cell's draws", \.seed),
    .integer("repetition", "number of the repetition, from 0", \.repetition),
  ]
}
