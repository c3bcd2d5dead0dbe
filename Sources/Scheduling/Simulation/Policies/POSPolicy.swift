/// Partial-order sampling: every pending step has a random priority; the highest is taken, and those that race with it
/// draw again.
///
/// Two steps race when they are on the same resource. Deviation: whether one of them only reads is not looked at.
///
/// - SeeAlso: Yuan, Yang, Gu, "Partial Order Aware Concurrency Sampling", CAV 2018.
package struct POSPolicy: SchedulePolicy {
  package let name = "pos"
  private var random: SeededRandom
  /// By task: its pending step, and that step's priority.
  private var priorities: [Int: (step: Step, priority: UInt64)] = [:]

  package init(seed: UInt64) { random = SeededRandom(seed: seed) }

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int {
    var best = 0
    var bestPriority: UInt64 = 0
    for place in ready.indices {
      let choice = ready[place]
      let known = priorities[choice.task]
      let priority = known.flatMap { $0.step == choice.step ? $0.priority : nil } ?? random.next()
      if known?.step != choice.step { priorities[choice.task] = (choice.step, priority) }
      if place == 0 || priority > bestPriority { (best, bestPriority) = (place, priority) }
    }
    let chosen = ready[best]
    priorities[chosen.task] = nil
    for (task, pending) in priorities.sorted(by: { $0.key < $1.key })
    where pending.step.resource == chosen.step.resource || pending.step.resource == 0 || chosen.step.resource == 0 {
      priorities[task] = (pending.step, random.next())
    }
    return best
  }
}
