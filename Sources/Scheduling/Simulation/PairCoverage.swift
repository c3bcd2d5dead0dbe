/// Which steps of different tasks came directly one after the other on one resource.
struct PairCoverage {
  private(set) var pairs: Set<StepPair> = []
  /// By resource: the task that was there last, and what it did.
  private var last: [UInt64: (task: Int, point: String)] = [:]

  mutating func add(_ step: Step, of task: Int) {
    guard step.resource > 0 else { return }
    if let before = last[step.resource], before.task != task { pairs.insert(StepPair(before.point, step.point)) }
    last[step.resource] = (task, step.point)
  }
}
