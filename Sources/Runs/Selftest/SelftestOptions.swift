import Checking
import Scenarios

/// The options of `contextbench selftest`.
package struct SelftestOptions: Sendable {
  /// How cells are run; its scenarios are those of the pairs.
  package var run: RunOptions
  /// The hazards.
  package var pairs: [HazardPair]
  /// The stand-ins.
  package var standIns: [StandIn]
  /// Seeds of each.
  package var seeds: Int
  /// The kinds that need a proof: all, or none when only some hazards are asked for.
  package var requiredKinds: [ViolationKind]

  /// The shipped hazards and the stand-ins, or those among them that `names` names or that prove a kind of that name.
  ///
  /// - Throws: `ScenarioProblems` with those of all files, or with names that are neither a hazard nor a kind.
  package init(
    run: RunOptions, names: [String], seeds: Int, quick: Bool, loader: ScenarioLoader
  ) throws(ScenarioProblems) {
    self.run = run
    self.seeds = seeds
    let all = try HazardPair.shipped(by: loader, seeds: seeds, quick: quick)
    guard !all.isEmpty else {
      throw ScenarioProblems([
        ScenarioProblem(
          source: "selftest", what: "there is no hazard to run",
          advice: "Start it in the package's folder, or keep the Scenarios folder beside the executable's package")
      ])
    }
    guard !names.isEmpty else {
      (pairs, standIns, requiredKinds) = (all, StandInCatalogue.all, ViolationKind.allCases)
      return
    }
    let known = ViolationKind.allCases.map(\.rawValue) + all.map(\.name)
    let problems = names.filter { !known.contains($0) }.map { name in
      ScenarioProblem(
        source: "selftest", key: name, what: "is neither a hazard nor a kind of violation",
        advice: NearestName.advice(for: name, in: known))
    }
    guard problems.isEmpty else { throw ScenarioProblems(problems) }
    pairs = all.filter { pair in names.contains(pair.name) || pair.kinds.contains { names.contains($0.rawValue) } }
    standIns = StandInCatalogue.all.filter { names.contains($0.kind.rawValue) }
    requiredKinds = ViolationKind.allCases.filter { names.contains($0.rawValue) }
  }
}
