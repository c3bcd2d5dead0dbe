/// Repeats the decisions of another simulation of the same program.
package struct ReplayPolicy: SchedulePolicy {
  package let name = "replay"
  private let decisions: [Int]
  private var position = 0
  /// At which decision the program first did something else; nil while it does the same.
  package private(set) var divergence: Int?

  /// - Parameter decisions: the task of every step at which there was a choice, as `SimulationOutcome/decisions` has them.
  package init(decisions: [Int]) { self.decisions = decisions }

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int {
    guard ready.count > 1 else { return 0 }
    defer { position += 1 }
    if position < decisions.count, let place = ready.firstIndex(where: { $0.task == decisions[position] }) {
      return place
    }
    if divergence == nil { divergence = position }
    return current ?? 0
  }
}
