import Checking
import Scenarios

/// A hazard: the mistake, and the right way beside it, which its file has under `careful:`.
package struct HazardPair: Sendable {
  /// The mistake's file stem.
  package let name: String
  /// The mistake; nil where the file is of something that must stay clean.
  package let careless: Scenario?
  /// The right way.
  package let careful: Scenario?

  /// Pairs the scenarios of `Scenarios/hazards/` by their names, in the order of their names.
  package static func all(of scenarios: [Scenario]) -> [HazardPair] {
    let ending = "-careful"
    let byName = Dictionary(scenarios.map { ($0.name, $0) }) { first, _ in first }
    let names = Set(scenarios.map { $0.name.hasSuffix(ending) ? String($0.name.dropLast(ending.count)) : $0.name })
    let pairs = names.sorted().map { name in
      let (own, twin) = (byName[name], byName[name + ending])
      let isClean = twin == nil && own?.mustHappen == false
      return HazardPair(name: name, careless: isClean ? nil : own, careful: isClean ? own : twin)
    }
    precondition(pairs.reduce(0) { $0 + $1.scenarios.count } == scenarios.count, "each scenario is in one pair")
    return pairs
  }

  /// The files there are.
  var scenarios: [Scenario] { [careless, careful].compactMap(\.self) }

  /// Whether something is timed, so that nothing else may run beside it.
  var isTimed: Bool { scenarios.contains { $0.checks.contains(MainThreadStallChecker().name) } }

  /// Every `must` of the mistake, those of single strategies too, each once.
  var musts: [ScenarioExpectation.Must] {
    guard let careless else { return [] }
    var musts = careless.expectation.must
    for must in careless.strategies.flatMap({ careless.expectationByStrategy[$0]?.must ?? [] })
    where !musts.contains(must) { musts.append(must) }
    return musts
  }

  /// The kinds that the mistake must show for certain.
  package var kinds: [ViolationKind] { musts.filter { $0.anyOf.count == 1 }.flatMap(\.anyOf) }

  /// The pair's own problem; nil without one.
  var problem: String? {
    guard let careless else { return careful?.name == name ? nil : "\(name)-careful has no mistake beside it" }
    if !careless.mustHappen { return "\(careless.path) does not name under expect: must what it has to show" }
    return careful == nil ? "\(careless.path) has no section careful: with the right way" : nil
  }
}

extension Scenario {
  /// Whether the file says that a violation must happen.
  fileprivate var mustHappen: Bool {
    !expectation.must.isEmpty || expectationByStrategy.values.contains { !$0.must.isEmpty }
  }
}

extension HazardPair {
  /// The shipped hazards, each with so many seeds from 1 on.
  ///
  /// - Throws: `ScenarioProblems` with the problems of all files.
  package static func shipped(
    by loader: ScenarioLoader, seeds: Int, quick: Bool
  ) throws(ScenarioProblems) -> [HazardPair] {
    precondition(seeds > 0, "a hazard is run with a seed")
    let overrides = [("repetitions", seeds), ("seed", 1), ("seed_step", 1), ("warmup", 0)].map { key, value in
      ScenarioOverride(source: "selftest", key: key, value: String(value))
    }
    let files = loader.shipped().filter { $0.name.hasPrefix("hazards/") }.map(\.path)
    return all(of: try loader.load(files, overrides: overrides, quick: quick))
  }
}
