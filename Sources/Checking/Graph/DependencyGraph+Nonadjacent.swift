extension DependencyGraph {
  /// Adds one cycle for each part of the graph that has one with several overwritten reads of which no two follow each
  /// other: snapshot isolation rules it out, besides everything with fewer of them.
  ///
  /// Each node is listed twice, for paths that reach it by an overwritten read and by anything else; from the first
  /// no such edge leads on. So a cycle there is a cycle of this kind here.
  func addNonadjacent(_ found: inout [Cycle], _ budget: inout Int) {
    precondition(nodeCount <= Int32.max / 2, "each node has two numbers of 32 bits")
    let twice = DependencyGraph(
      nodeCount: 2 * nodeCount,
      edges: edges.flatMap { edge in
        edge.reason == .readWrite
          ? [Edge(from: 2 * edge.from, to: 2 * edge.to + 1, reason: edge.reason, key: edge.key)]
          : [0, 1].map { Edge(from: 2 * edge.from + $0, to: 2 * edge.to, reason: edge.reason, key: edge.key) }
      })
    var finder = PathFinder(twice, budget: budget)
    defer { budget = finder.budget }
    var shown = 0
    for component in twice.cyclicComponents(over: .all) where shown < Self.shownMax {
      let members = Set(component)
      if found.contains(where: {
        $0.edges.contains { edge in
          members.contains(2 * edge.from) || members.contains(2 * edge.from + 1)
        }
      }) {
        continue
      }
      let edges = component.lazy.flatMap { twice.edges(from: $0) }
        .filter { $0.reason == .readWrite && members.contains($0.to) }
      var shortest: [Edge]?
      // A few are enough to show a short one.
      for edge in edges.prefix(Self.shownMax) {
        guard let path = finder.path(from: edge.to, to: edge.from, over: .all) else { continue }
        if path.count + 1 < shortest?.count ?? .max { shortest = [edge] + path }
      }
      guard let shortest else { continue }
      found.append(
        Cycle(
          kind: shortest.count { $0.reason == .readWrite } == 1 ? .gSingle : .gNonadjacent,
          edges: shortest.map { Edge(from: $0.from / 2, to: $0.to / 2, reason: $0.reason, key: $0.key) }))
      shown += 1
    }
  }
}
