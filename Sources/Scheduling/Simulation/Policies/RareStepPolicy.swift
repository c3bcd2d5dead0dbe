/// Draws by another policy, but kills of processes at a rate of their own: a policy that takes them for steps like others kills a
/// process before it has done anything.
package struct RareStepPolicy: SchedulePolicy {
  private var base: any SchedulePolicy
  private let rate: Double
  private var random: SeededRandom

  /// - Parameter rate: the probability, at each step, of a kill that is possible.
  package init(_ base: any SchedulePolicy, rate: Double, seed: UInt64) {
    precondition(0...1 ~= rate, "a rate is a probability")
    self.base = base
    self.rate = rate
    random = SeededRandom(seed: seed).split(1)
  }

  package var name: String { base.name }

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int {
    let kills = ready.indices.filter { ready[$0].step.point == SimulatedProcess.killPoint }
    guard !kills.isEmpty, kills.count < ready.count else { return base.choose(ready, current: current) }
    if Double.random(in: 0..<1, using: &random) < rate { return kills[Int.random(in: 0..<kills.count, using: &random)] }
    let others = ready.indices.filter { !kills.contains($0) }
    let chosen = base.choose(others.map { ready[$0] }, current: current.flatMap(others.firstIndex(of:)))
    return others[chosen]
  }

  package mutating func touch(_ resource: UInt64) { base.touch(resource) }
}
