/// Goes through every order, one per simulation, but for those that only exchange neighbouring steps on different resources:
/// exhaustive search with dynamic partial-order reduction.
///
/// After each simulation the races in it are looked for: two steps of different tasks on one resource, the second not after the
/// first for another reason. Where one begins, the task of the second is to be tried first. Steps conflict by their resources;
/// a step without one is in conflict with all.
/// Deviations: all races of a simulation are used, not the last one of each step; there are no sleep sets, so that some
/// orders come more than once.
///
/// - SeeAlso: Flanagan, Godefroid, "Dynamic Partial-Order Reduction for Model Checking Software", POPL 2005.
package struct ReducedPolicy: SearchPolicy {
  /// The choices made and to be made at one step.
  package struct Node: Codable, Sendable, Hashable {
    /// Tasks that could run.
    package internal(set) var ready: [Int]
    /// Tasks that were chosen here; the last one is being tried.
    package internal(set) var tried: [Int]
    /// Tasks that are still to be chosen here.
    package internal(set) var open: [Int]

    package init(ready: [Int], tried: [Int], open: [Int]) {
      precondition(tried.allSatisfy(ready.contains), "a task that was tried was ready")
      self.ready = ready
      self.tried = tried
      self.open = open
    }
  }

  /// A step as it was done.
  private struct Done: Sendable {
    let task: Int
    /// The step's own resource, and those that the task came to until its next step.
    var resources: [UInt64]

    func isInConflict(with other: Done) -> Bool {
      task == other.task || resources.contains(0) || other.resources.contains(0)
        || resources.contains(where: other.resources.contains)
    }
  }

  package let name = "reduced"
  /// Where the search is.
  package private(set) var nodes: [Node]
  private var done: [Done] = []
  /// Whether a simulation did not do as the one before it: the program is not determined by its order.
  package private(set) var isDiverged = false

  /// - Parameter nodes: where a search continues, in another process: those of another policy; empty at its beginning.
  package init(nodes: [Node] = []) { self.nodes = nodes }

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int {
    let place = done.count
    let tasks = ready.map(\.task)
    let chosen: Int
    if nodes.indices.contains(place), let known = nodes[place].tried.last.flatMap(tasks.firstIndex) {
      chosen = known
    } else {
      if nodes.indices.contains(place) {
        isDiverged = true
        nodes.removeSubrange(place...)
      }
      chosen = current ?? 0
      nodes.append(Node(ready: tasks, tried: [tasks[chosen]], open: []))
    }
    done.append(Done(task: tasks[chosen], resources: [ready[chosen].step.resource]))
    return chosen
  }

  package mutating func touch(_ resource: UInt64) {
    guard let last = done.indices.last, !done[last].resources.contains(resource) else { return }
    done[last].resources.append(resource)
  }

  /// The policy of the next order, once a simulation has run by this one; nil when there are no more.
  package func next() -> ReducedPolicy? {
    var nodes = Array(nodes.prefix(done.count))
    for race in races {
      let task = done[race.second].task
      let wanted = nodes[race.first].ready.contains(task) ? [task] : nodes[race.first].ready
      for task in wanted where !nodes[race.first].tried.contains(task) && !nodes[race.first].open.contains(task) {
        nodes[race.first].open.append(task)
      }
    }
    while var node = nodes.popLast() {
      guard !node.open.isEmpty else { continue }
      node.tried.append(node.open.removeFirst())
      return ReducedPolicy(nodes: nodes + [node])
    }
    return nil
  }

  /// Pairs of steps in conflict of which the second does not follow from the steps between.
  private var races: [(first: Int, second: Int)] {
    var races: [(Int, Int)] = []
    // By step: the last step of each task that it is after, itself included.
    var clocks: [[Int: Int]] = []
    for second in done.indices {
      var clock = [done[second].task: second]
      for first in (0..<second).reversed() where done[first].isInConflict(with: done[second]) {
        // Known already by way of a step between: no race.
        if let known = clock[done[first].task], known >= first, known != second { continue }
        if done[first].task != done[second].task { races.append((first, second)) }
        clock.merge(clocks[first]) { max($0, $1) }
      }
      clocks.append(clock)
    }
    return races
  }
}
