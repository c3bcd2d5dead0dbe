/// A random walk that comes to every order of tasks that never wait equally often: a ready task is chosen with a probability in
/// proportion to the steps that it still has to do.
///
/// A plain random walk hardly ever leaves a task of few steps for the end of one of many. Deviation: how many steps a task
/// has is taken from one simulation of the same program; one of which nothing is known, or that does more, counts as
/// having one step left.
///
/// - SeeAlso: Zhao, Wolff, Mathur, Roychoudhury, "Selectively Uniform Concurrency Testing", ASPLOS 2025.
package struct UniformWalkPolicy: SchedulePolicy {
  package let name = "uniform-walk"
  private var random: SeededRandom
  /// Steps that each task still has, by its number.
  private var left: [Int]

  /// - Parameter steps: how many steps each task has, by its number: `SimulationOutcome/stepsByTask`.
  package init(seed: UInt64, steps: [Int]) {
    precondition(steps.allSatisfy { $0 >= 0 }, "the steps of a task are counted")
    random = SeededRandom(seed: seed)
    left = steps
  }

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int {
    let weights = ready.map { left.indices.contains($0.task) ? max(1, left[$0.task]) : 1 }
    var draw = ready.count == 1 ? 0 : Int.random(in: 0..<weights.reduce(0, +), using: &random)
    var place = 0
    while draw >= weights[place] {
      draw -= weights[place]
      place += 1
    }
    if left.indices.contains(ready[place].task) { left[ready[place].task] -= 1 }
    return place
  }
}
