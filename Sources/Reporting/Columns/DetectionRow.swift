/// A row of `detections.csv`: one proof that a kind of violation is caught.
package struct DetectionRow: Sendable, Hashable {
  /// The kinds of proof.
  package enum Proof: String, Sendable, Hashable {
    /// A scenario that makes a mistake, beside the one that does not.
    case hazard
    /// A scenario into which a fault is injected, beside the one without.
    case fault = "injected fault"
    /// A broken small history or file for the checker, beside a sound one.
    case standIn = "stand-in"
    /// A scenario that looks like a mistake and is none.
    case clean = "clean"
    /// There is none.
    case none
  }

  /// Identifier of the run.
  package var run: String
  /// The kind; several where one of them is enough; empty for a scenario that must stay clean.
  package var kind: String
  package var proof: Proof
  /// Name of the hazard or of the stand-in.
  package var name: String
  /// Seeds that were run.
  package var seeds: Int
  /// Seeds in which it was caught in every cell; nil for a scenario that must stay clean.
  package var caught: Int?
  /// How long the cells ran until the first was caught.
  package var secondsToFirst: Double?
  /// Seeds of the right way, or of the sound input; 0 where there is none.
  package var carefulSeeds: Int
  /// Seeds in which the right way raised an alarm.
  package var falseAlarms: Int
  /// Seeds in which a check of the right way had nothing to check, or was not made.
  package var inconclusive: Int

  package init(
    run: String, kind: String, proof: Proof, name: String, seeds: Int = 0, caught: Int? = nil,
    secondsToFirst: Double? = nil, carefulSeeds: Int = 0, falseAlarms: Int = 0, inconclusive: Int = 0
  ) {
    precondition(caught.map { 0...seeds ~= $0 } ?? true, "what is caught is some of the seeds")
    precondition(max(falseAlarms, inconclusive) <= carefulSeeds, "what the right way shows is of some of its seeds")
    self.run = run
    self.kind = kind
    self.proof = proof
    self.name = name
    self.seeds = seeds
    self.caught = caught
    self.secondsToFirst = secondsToFirst
    self.carefulSeeds = carefulSeeds
    self.falseAlarms = falseAlarms
    self.inconclusive = inconclusive
  }

  /// Whether it is a proof: caught in every seed, no alarm on the right way, which was exercised.
  package var holds: Bool {
    guard proof != .none, carefulSeeds > 0, falseAlarms == 0, inconclusive == 0 else { return false }
    return proof == .clean || (seeds > 0 && caught == seeds)
  }
}

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
