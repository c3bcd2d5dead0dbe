extension Table where Row == DetectionRow {
  /// `detections.csv`.
  package static let detections = Table(
    fileName: "detections.csv", grain: "one row per kind of violation and proof that it is caught, of a self-test",
    empty: { DetectionRow(run: "", kind: "", proof: .none, name: "") },
    columns: [
      .schemaVersion,
      .text("run", "identifier of the run: its start and four random digits", \.run),
      .text(
        "kind", "kind of violation; with \"or\" where one of several is enough; empty for what must stay clean", \.kind),
      .text("proof", "hazard, injected fault, stand-in, clean or none", \.proof),
      .text("name", "name of the hazard or of the stand-in", \.name),
      .integer("seeds", "seeds that were run", \.seeds),
      .integer("caught", "seeds in which it was caught in every cell", \.caught),
      .number("until_first_s", unit: "s", "how long its cells ran until the first was caught", \.secondsToFirst),
      .integer("careful_seeds", "seeds of the right way, or of the sound input", \.carefulSeeds),
      .integer("false_alarms", "seeds in which the right way raised an alarm", \.falseAlarms),
      .integer(
        "inconclusive", "seeds in which a check of the right way had nothing to check, or was not made", \.inconclusive),
      .derived("holds", "whether this proves that the kind is caught") { $0.holds },
    ])
}
