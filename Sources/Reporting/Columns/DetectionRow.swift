/// A row of `detections.csv`: one proof that a kind of violation is caught.
package struct DetectionRow: Sendable, Hashable {
  /// What a proof is made of.
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
  /// The kind; several where one of them is enough; empty for what must stay clean.
  package var kind: String
  package var proof: Proof
  /// Name of the hazard or of the stand-in.
  package var name: String
  /// Seeds that were run.
  package var seeds: Int
  /// Seeds in which it was caught in every cell; nil for what must stay clean.
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
