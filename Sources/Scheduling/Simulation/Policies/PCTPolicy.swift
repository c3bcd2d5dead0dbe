/// Probabilistic concurrency testing: the ready task of the highest priority runs, and at *d* − 1 steps drawn
/// beforehand the one that would run falls behind all others.
///
/// A bug that needs *d* ordering constraints is found with a probability of at least 1/(*n* · *k*^(*d* − 1)) for *n* tasks
/// and *k* steps. Deviation: tasks are not known beforehand, so each draws its priority when it is first seen, among those
/// above the *d* − 1 lowest.
///
/// - SeeAlso: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding
///   Bugs", ASPLOS 2010.
package struct PCTPolicy: SchedulePolicy {
  package let name = "pct"
  private var random: SeededRandom
  /// The steps at which a priority changes, and the priority given there: 1 to *d* − 1, below all drawn ones.
  private var changes: [Int: UInt64] = [:]
  private var priorities: [Int: UInt64] = [:]
  private var step = 0
  /// The lowest priority that a task draws.
  private let lowest: UInt64

  /// - Parameters:
  ///   - depth: *d*, from 1.
  ///   - steps: *k*, an estimate of how many steps the simulation has.
  package init(seed: UInt64, depth: Int, steps: Int) {
    precondition(depth > 0 && steps > 0, "a depth and a number of steps are positive")
    random = SeededRandom(seed: seed)
    for rank in 1..<depth { changes[Int.random(in: 1...steps, using: &random)] = UInt64(rank) }
    lowest = UInt64(depth)
  }

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int {
    step += 1
    for choice in ready where priorities[choice.task] == nil {
      priorities[choice.task] = UInt64.random(in: lowest...UInt64.max, using: &random)
    }
    if let lower = changes[step] { priorities[ready[highest(ready)].task] = lower }
    return highest(ready)
  }

  private func highest(_ ready: [Choice]) -> Int {
    var best = 0
    for place in ready.indices
    where priorities[ready[place].task, default: 0] > priorities[ready[best].task, default: 0] { best = place }
    return best
  }
}
