/// Goes through every order with a bounded number of preemptions, one per simulation: depth first, from the order without
/// any.
///
/// A preemption is a step at which a task that could run is not chosen; the choice where the last one waits is free.
/// Nothing is left out because it ought to make no difference, as ``ReducedPolicy`` does.
///
/// - SeeAlso: Musuvathi, Qadeer, "Iterative Context Bounding for Systematic Testing of Multithreaded Programs", PLDI 2007.
package struct ExhaustivePolicy: SearchPolicy {
  private struct Decision: Sendable {
    var chosen: Int
    var count: Int
    /// Whether another place than the first is a preemption.
    var isPreemptive: Bool
    /// Preemptions before this one.
    var preemptions: Int
  }

  package let name = "exhaustive"
  /// The choices at the first decisions; from there on the first of each.
  package let prefix: [Int]
  private let preemptionsMax: Int
  private var decisions: [Decision] = []
  private var preemptions = 0

  package init(preemptions: Int, prefix: [Int] = []) {
    precondition(
      preemptions >= 0 && prefix.allSatisfy { $0 >= 0 }, "preemptions are counted, and choices are numbered from 0")
    preemptionsMax = preemptions
    self.prefix = prefix
  }

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int {
    guard ready.count > 1 else { return 0 }
    let place = decisions.count
    let chosen = place < prefix.count ? min(prefix[place], ready.count - 1) : 0
    decisions.append(
      Decision(chosen: chosen, count: ready.count, isPreemptive: current != nil, preemptions: preemptions))
    if current != nil, chosen > 0 { preemptions += 1 }
    return Self.order(chosen, current)
  }

  /// Choice 0 is the task that ran until now, where it can run; the others follow by their numbers.
  private static func order(_ chosen: Int, _ current: Int?) -> Int {
    guard let current else { return chosen }
    if chosen == 0 { return current }
    return chosen <= current ? chosen - 1 : chosen
  }

  /// The policy of the next order, once a simulation has run by this one; nil when there are no more.
  package func next() -> ExhaustivePolicy? {
    for place in decisions.indices.reversed() {
      let decision = decisions[place]
      let isAllowed = !decision.isPreemptive || decision.preemptions < preemptionsMax
      guard isAllowed, decision.chosen + 1 < decision.count else { continue }
      return ExhaustivePolicy(
        preemptions: preemptionsMax, prefix: decisions[..<place].map(\.chosen) + [decision.chosen + 1])
    }
    return nil
  }
}
