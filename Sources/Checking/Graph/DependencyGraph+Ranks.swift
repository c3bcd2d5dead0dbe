extension DependencyGraph {
  /// Ranks of the nodes such that no edge of these reasons leads to a lower one; of nodes that no edge orders the one of
  /// the lower number comes first. Nodes on a cycle, and those behind one, all have the highest rank.
  ///
  /// Kahn's algorithm. Complexity: O((nodes + edges) log nodes).
  func ranks(over reasons: Reasons) -> [Int32] {
    var incoming = [Int32](repeating: 0, count: nodeCount)
    for edge in edges where !edge.reason.isDisjoint(with: reasons) { incoming[Int(edge.to)] += 1 }
    var ranks = [Int32](repeating: .max, count: nodeCount)
    var ready = NodeHeap()
    for node in 0..<Int32(nodeCount) where incoming[Int(node)] == 0 { ready.insert(node) }
    var next: Int32 = 0
    while let node = ready.removeFirst() {
      ranks[Int(node)] = next
      next += 1
      for edge in edges(from: node) where !edge.reason.isDisjoint(with: reasons) {
        incoming[Int(edge.to)] -= 1
        if incoming[Int(edge.to)] == 0 { ready.insert(edge.to) }
      }
    }
    let ordered = edges.filter { !$0.reason.isDisjoint(with: reasons) }
    precondition(ordered.allSatisfy { ranks[Int($0.from)] <= ranks[Int($0.to)] }, "no edge leads to a lower rank")
    return ranks
  }

  /// A binary heap that gives the lowest node first.
  private struct NodeHeap {
    private var nodes: [Int32] = []

    mutating func insert(_ node: Int32) {
      nodes.append(node)
      var child = nodes.count - 1
      while child > 0, nodes[(child - 1) / 2] > nodes[child] {
        nodes.swapAt((child - 1) / 2, child)
        child = (child - 1) / 2
      }
    }

    mutating func removeFirst() -> Int32? {
      guard let first = nodes.first else { return nil }
      nodes.swapAt(0, nodes.count - 1)
      nodes.removeLast()
      var parent = 0
      while 2 * parent + 1 < nodes.count {
        var child = 2 * parent + 1
        if child + 1 < nodes.count, nodes[child + 1] < nodes[child] { child += 1 }
        guard nodes[child] < nodes[parent] else { break }
        nodes.swapAt(child, parent)
        parent = child
      }
      return first
    }
  }
}
