extension DependencyGraph {
  /// A cycle, edge by edge, and the kind that its reasons make it.
  package struct Cycle: Sendable, Hashable {
    package var kind: Anomaly.Kind
    package var edges: [Edge]

    init(kind: Anomaly.Kind, edges: [Edge]) {
      let next = edges.dropFirst() + edges.prefix(1)
      precondition(zip(edges, next).allSatisfy { $0.to == $1.from }, "a cycle's edges lead from one to the next")
      self.kind = kind
      self.edges = edges
    }
  }

  /// Edges that searches for cycles look at in all, so that a history broken all over is judged in bounded time.
  private static let searchBudget = 50_000_000
  /// Cycles of one kind that are shown; there may be more.
  static let shownMax = 16

  /// One short cycle of the strongest kind in each part of the graph that has any.
  ///
  /// - Returns: cycles, and whether the search was cut off.
  package func cycles() -> (cycles: [Cycle], isComplete: Bool) {
    var finder = PathFinder(self, budget: Self.searchBudget)
    // A search over edges of overwriting and reading alone goes no further than its goal's rank.
    let ranks = ranks(over: [.writeWrite, .writeRead])
    var found: [Cycle] = []
    let kinds: [(kind: Anomaly.Kind, closing: Reasons, rest: Reasons)] = [
      (.g0, .writeWrite, .writeWrite),
      (.g1c, .writeRead, [.writeWrite, .writeRead]),
      (.gSingle, .readWrite, [.writeWrite, .writeRead]),
      (.g2, .readWrite, [.writeWrite, .writeRead, .readWrite]),
    ]
    for (kind, closing, rest) in kinds {
      var shown = 0
      if kind == .g2 { addNonadjacent(&found, &finder.budget) }
      for component in cyclicComponents(over: closing.union(rest)) where shown < Self.shownMax {
        // A part that has a stronger cycle is already shown to be broken.
        let members = Set(component)
        if found.contains(where: { $0.edges.contains { members.contains($0.from) } }) { continue }
        let isOrdered = rest.isDisjoint(with: .readWrite)
        if let edges = shortestCycle(
          in: component, closing: closing, rest: rest, ranks: isOrdered ? ranks : nil, &finder)
        {
          found.append(Cycle(kind: kind, edges: edges))
          shown += 1
        }
      }
    }
    return (found, finder.budget > 0)
  }

  private func shortestCycle(
    in component: [Int32], closing: Reasons, rest: Reasons, ranks: [Int32]?, _ finder: inout PathFinder
  ) -> [Edge]? {
    precondition(component.count > 1, "a cycle has at least two transactions")
    let members = Set(component)
    var shortest: [Edge]?
    for node in component {
      for edge in edges(from: node) where !edge.reason.isDisjoint(with: closing) && members.contains(edge.to) {
        guard finder.budget > 0 else { return shortest }
        guard let path = finder.path(from: edge.to, to: edge.from, over: rest, ranks: ranks) else { continue }
        if path.count + 1 < shortest?.count ?? .max { shortest = [edge] + path }
        // Nothing is shorter than two.
        if shortest?.count == 2 { return shortest }
      }
    }
    return shortest
  }
}
