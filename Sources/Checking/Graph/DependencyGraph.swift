/// Which transaction comes before which, and why; nodes are numbered from 0.
package struct DependencyGraph: Sendable {
  /// Why one transaction comes before another.
  package struct Reasons: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The second overwrote a write of the first.
    package static let writeWrite = Reasons(rawValue: 1)
    /// The second read a write of the first.
    package static let writeRead = Reasons(rawValue: 2)
    /// The second overwrote a version that the first read.
    package static let readWrite = Reasons(rawValue: 4)
    static let all: Reasons = [.writeWrite, .writeRead, .readWrite]
  }

  package struct Edge: Sendable, Hashable {
    package var from: Int32
    package var to: Int32
    package var reason: Reasons
    /// The list it is about.
    package var key: Int64

    package init(from: Int32, to: Int32, reason: Reasons, key: Int64) {
      self.from = from
      self.to = to
      self.reason = reason
      self.key = key
    }
  }

  package let nodeCount: Int
  /// By their origin.
  package let edges: [Edge]
  /// Where the edges of each node begin, and the end.
  private let starts: [Int32]

  package init(nodeCount: Int, edges unsorted: [Edge]) {
    self.nodeCount = nodeCount
    var starts = [Int32](repeating: 0, count: nodeCount + 1)
    for edge in unsorted {
      precondition(0..<nodeCount ~= Int(edge.from) && 0..<nodeCount ~= Int(edge.to), "an edge joins nodes of its graph")
      starts[Int(edge.from) + 1] += 1
    }
    for node in 0..<nodeCount { starts[node + 1] += starts[node] }
    precondition(starts[nodeCount] == unsorted.count, "each edge has a place at its origin")
    var next = starts
    var edges = unsorted
    for edge in unsorted {
      edges[Int(next[Int(edge.from)])] = edge
      next[Int(edge.from)] += 1
    }
    self.edges = edges
    self.starts = starts
  }

  package func edges(from node: Int32) -> ArraySlice<Edge> {
    edges[Int(starts[Int(node)])..<Int(starts[Int(node) + 1])]
  }

  // MARK: Components

  /// Strongly connected components of more than one node over edges of these reasons: everything that is on a cycle.
  ///
  /// Tarjan's algorithm without recursion. Complexity: O(nodes + edges).
  package func cyclicComponents(over reasons: Reasons) -> [[Int32]] {
    var components: [[Int32]] = []
    var index = [Int32](repeating: -1, count: nodeCount)
    var low = [Int32](repeating: 0, count: nodeCount)
    var isOnStack = [Bool](repeating: false, count: nodeCount)
    var stack: [Int32] = []
    var path: [(node: Int32, edge: Int32)] = []
    var counter: Int32 = 0

    for root in 0..<Int32(nodeCount) where index[Int(root)] < 0 {
      path.append((root, starts[Int(root)]))
      while let (node, edge) = path.last {
        let current = Int(node)
        if index[current] < 0 {
          index[current] = counter
          low[current] = counter
          counter += 1
          stack.append(node)
          isOnStack[current] = true
        }
        if edge < starts[current + 1] {
          path[path.count - 1].edge += 1
          guard !edges[Int(edge)].reason.isDisjoint(with: reasons) else { continue }
          let target = Int(edges[Int(edge)].to)
          if index[target] < 0 {
            path.append((Int32(target), starts[target]))
          } else if isOnStack[target] {
            low[current] = min(low[current], index[target])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last { low[Int(parent.node)] = min(low[Int(parent.node)], low[current]) }
        guard low[current] == index[current] else { continue }
        var component: [Int32] = []
        while let member = stack.popLast() {
          isOnStack[Int(member)] = false
          component.append(member)
          if member == node { break }
        }
        if component.count > 1 { components.append(component.sorted()) }
      }
    }
    precondition(components.reduce(0) { $0 + $1.count } <= nodeCount, "a node is in one component at most")
    return components
  }

  // MARK: Paths

  /// Finds shortest paths again and again without allocating anew, up to a number of edges in all.
  package struct PathFinder {
    private let graph: DependencyGraph
    /// The edge by which a node was reached, in the search of that number.
    private var reached: [(search: Int32, edge: Int32)]
    private var search: Int32 = 0
    /// Edges that may still be visited.
    package var budget: Int

    package init(_ graph: DependencyGraph, budget: Int) {
      self.graph = graph
      self.budget = budget
      reached = Array(repeating: (0, -1), count: graph.nodeCount)
    }

    /// The edges of a shortest path over edges of these reasons; nil without one, or when the budget is spent.
    ///
    /// - Parameter ranks: an order of the nodes that no edge of these reasons goes against, where one is known: then
    ///   no node after the goal is visited.
    package mutating func path(
      from start: Int32, to goal: Int32, over reasons: Reasons, ranks: [Int32]? = nil
    ) -> [Edge]? {
      precondition(ranks.map { $0.count == graph.nodeCount } ?? true, "each node has a rank")
      let last = ranks?[Int(goal)] ?? .max
      search += 1
      var queue = [start]
      var head = 0
      while head < queue.count, budget > 0 {
        let node = queue[head]
        head += 1
        for position in Int(graph.starts[Int(node)])..<Int(graph.starts[Int(node) + 1]) {
          let edge = graph.edges[position]
          budget -= 1
          guard !edge.reason.isDisjoint(with: reasons), reached[Int(edge.to)].search != search else { continue }
          if let ranks, ranks[Int(edge.to)] > last { continue }
          reached[Int(edge.to)] = (search, Int32(position))
          if edge.to == goal { return unwind(from: start, to: goal) }
          queue.append(edge.to)
        }
      }
      return nil
    }

    private func unwind(from start: Int32, to goal: Int32) -> [Edge] {
      precondition(reached[Int(goal)].search == search, "a path is read back from where its search arrived")
      var path: [Edge] = []
      var node = goal
      repeat {
        let edge = graph.edges[Int(reached[Int(node)].edge)]
        path.append(edge)
        node = edge.from
      } while node != start
      return path.reversed()
    }
  }
}
