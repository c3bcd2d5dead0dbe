/// First come, first served, but for a bounded number of delays: at steps drawn beforehand the task in turn waits for a round.
///
/// - SeeAlso: Emmi, Qadeer, Rakamarić, "Delay-Bounded Scheduling", POPL 2011.
package struct DelayBoundedPolicy: SchedulePolicy {
  package let name = "delay-bounded"
  private var delays: Set<Int> = []
  private var step = 0

  /// - Parameters:
  ///   - delays: how many at most.
  ///   - steps: an estimate of how many steps the simulation has.
  package init(seed: UInt64, delays: Int, steps: Int) {
    precondition(delays >= 0 && steps >= 0, "delays and steps are counted")
    var random = SeededRandom(seed: seed)
    for _ in 0..<delays { self.delays.insert(Int.random(in: 1...max(1, steps), using: &random)) }
  }

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int {
    step += 1
    let next = current ?? 0
    return delays.contains(step) ? (next + 1) % ready.count : next
  }
}
