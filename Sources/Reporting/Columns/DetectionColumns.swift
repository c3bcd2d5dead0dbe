extension Table where Row == DetectionRow {
  /// `detections.csv`.
  package static let detections = Table(
    fileName: "detections.csv", grain: "a row a kind of violation and proof that it is caught, of a self-test",
    columns: [
      .integer("schema_version", "version of the columns; raised when one changes its meaning") { _ in
        CellKey.schemaVersion
      },
      .text("run", "identifier of the run: its start and four random digits") { $0.run },
      .text("kind", "kind of violation; with \"or\" where one of several is enough; empty for what must stay clean") {
        $0.kind
      },
      .text("proof", "careless twin, injected fault, stand-in, clean or none") { $0.proof.rawValue },
      .text("name", "name of the hazard or of the stand-in") { $0.name },
      .integer("seeds", "seeds that were run") { $0.seeds },
      .integer("caught", "seeds in which it was caught in every cell") { $0.caught },
      .number("until_first_s", unit: "s", "how long its cells ran until the first was caught") { $0.secondsToFirst },
      .integer("careful_seeds", "seeds of the right way, or of the sound input") { $0.carefulSeeds },
      .integer("false_alarms", "seeds in which the right way raised an alarm") { $0.falseAlarms },
      .integer("inconclusive", "seeds in which a check of the right way had nothing to check, or was not made") {
        $0.inconclusive
      },
      .flag("holds", "whether this proves that the kind is caught") { $0.holds },
    ])
}
