import Foundation

/// The orders of a program that were tried, as a tree of its decisions: none is tried twice, and it is known when there are no more.
///
/// A program of which the same decisions lead to the same ones after them. Where they do not, an order is tried as it is drawn.
package final class OrderTree: Sendable {
  /// One of the tasks that could run, by its place, and how many there were.
  package struct Move: Sendable, Equatable {
    var chosen: UInt16
    var count: UInt16
  }

  /// The way of one order through the tree.
  package struct Walk: Sendable {
    /// Every decision of the order.
    package fileprivate(set) var moves: [Move] = []
    fileprivate var place = Place.root
    /// The branches that were passed, with the choice at each.
    fileprivate var passed: [(node: Int, chosen: Int)] = []
    /// Decisions since the tree was left.
    fileprivate var beyond = 0

    package init() {}
  }

  fileprivate enum Place {
    case root
    case node(Int)
    /// Along the moves of a tail, so many of them passed.
    case tail(Int, Int)
    case beyond
    /// The program took other steps than before.
    case lost
  }

  private enum Node {
    /// One order was seen from here on.
    case tail([Move])
    /// A node or a state for each choice.
    case branch([Int])
  }

  private struct State {
    var nodes: [Node] = []
    var root = OrderTree.unseen
  }

  // States of a choice that has no node.
  private static let unseen = -1
  private static let exhausted = -2
  /// Number of nodes that are kept, some hundred MB; orders beyond may have been tried before.
  private static let nodesMax = 2_000_000

  private let state = Locked(State())

  package init() {}

  /// Whether every order was tried.
  package var isExhausted: Bool { state.withLock { $0.root == Self.exhausted } }

  /// The choice of a walk that would like another: the same, unless every order behind it was tried.
  fileprivate func choose(_ wanted: Int, of count: Int, _ walk: inout Walk) -> Int {
    let chosen = state.withLock { Self.choose(wanted, of: count, &walk, &$0) }
    walk.moves.append(Move(chosen: UInt16(chosen), count: UInt16(count)))
    return chosen
  }

  private static func choose(_ wanted: Int, of count: Int, _ walk: inout Walk, _ state: inout State) -> Int {
    if case .root = walk.place { enter(state.root, &walk, state) }
    switch walk.place {
    case .root, .lost:
      return wanted
    case .beyond:
      walk.beyond += 1
      return wanted
    case .tail(let node, let passed):
      guard case .tail(let moves) = state.nodes[node], passed < moves.count, Int(moves[passed].count) == count else {
        walk.place = .lost
        return wanted
      }
      let seen = Int(moves[passed].chosen)
      if wanted == seen, passed + 1 < moves.count {
        walk.place = .tail(node, passed + 1)
        return wanted
      }
      split(node, at: passed, moves, &walk, &state)
      let chosen = wanted == seen ? (wanted + 1) % count : wanted
      walk.passed[walk.passed.count - 1].chosen = chosen
      walk.place = .beyond
      return chosen
    case .node(let node):
      guard case .branch(let choices) = state.nodes[node], choices.count == count,
        let chosen = (0..<count).map({ (wanted + $0) % count }).first(where: { choices[$0] != exhausted })
      else {
        walk.place = .lost
        return wanted
      }
      walk.passed.append((node, chosen))
      enter(choices[chosen], &walk, state)
      return chosen
    }
  }

  private static func enter(_ choice: Int, _ walk: inout Walk, _ state: State) {
    guard choice >= 0 else {
      walk.place = .beyond
      return
    }
    if case .tail = state.nodes[choice] { walk.place = .tail(choice, 0) } else { walk.place = .node(choice) }
  }

  /// Makes branches of a tail's first moves, up to the one where a walk leaves it.
  private static func split(_ node: Int, at place: Int, _ moves: [Move], _ walk: inout Walk, _ state: inout State) {
    precondition(moves.indices.contains(place), "a walk leaves a tail at one of its moves")
    var node = node
    for (number, move) in moves[...place].enumerated() {
      var choices = [Int](repeating: unseen, count: Int(move.count))
      let rest = moves[(number + 1)...]
      if rest.isEmpty {
        choices[Int(move.chosen)] = exhausted
      } else {
        choices[Int(move.chosen)] = state.nodes.count
        state.nodes.append(.tail(number == place ? Array(rest) : []))
      }
      state.nodes[node] = .branch(choices)
      walk.passed.append((node, Int(move.chosen)))
      node = state.nodes.count - 1
    }
  }

  /// Adds the order of a walk, which was tried to its end.
  package func add(_ walk: Walk) {
    state.withLock { state in
      switch walk.place {
      case .root where state.root == Self.unseen, .beyond: break
      default: return
      }
      guard state.root != Self.exhausted, state.nodes.count < Self.nodesMax else { return }
      var new = Self.exhausted
      if walk.beyond > 0 {
        new = state.nodes.count
        state.nodes.append(.tail(Array(walk.moves.suffix(walk.beyond))))
      }
      for (node, chosen) in walk.passed.reversed() {
        guard case .branch(var choices) = state.nodes[node] else { return }
        choices[chosen] = new
        state.nodes[node] = .branch(choices)
        guard choices.allSatisfy({ $0 == Self.exhausted }) else { return }
        new = Self.exhausted
      }
      state.root = new
    }
  }
}

// Kept in a file from one process to the next: words of 32 bits, first the root's choice. A node is a number and as many words: of a
// tail its moves, of a branch its choices, and that number is negative.

extension OrderTree {
  /// The tree that was written there; one without orders where there is no file.
  ///
  /// - Throws: where the file holds no tree.
  package convenience init(path: String) throws {
    self.init()
    guard let data = FileManager.default.contents(atPath: path) else { return }
    let words = [Int32](unsafeUninitializedCapacity: data.count / 4) { $1 = data.copyBytes(to: $0) / 4 }
    var kept = State(root: Int(words.first ?? Int32(Self.unseen)))
    var place = 1
    while place < words.count {
      let end = place + 1 + abs(Int(words[place]))
      guard end <= words.count else { throw CocoaError(.fileReadCorruptFile) }
      let values = words[(place + 1)..<end]
      kept.nodes.append(
        words[place] < 0
          ? .branch(values.map { Int($0) })
          : .tail(values.map { Move(chosen: UInt16($0 >> 16), count: UInt16($0 & 0xffff)) }))
      place = end
    }
    state.withLock { $0 = kept }
  }

  /// Writes it for the next process.
  package func write(to path: String) throws {
    let words = state.withLock { state in
      state.nodes.reduce(into: [Int32(state.root)]) { words, node in
        switch node {
        case .tail(let moves):
          words.append(Int32(moves.count))
          words += moves.map { Int32($0.chosen) << 16 | Int32($0.count) }
        case .branch(let choices):
          words.append(-Int32(choices.count))
          words += choices.map { Int32($0) }
        }
      }
    }
    try words.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}

/// Draws by another policy, but no order that was tried before.
package struct UnseenPolicy: SchedulePolicy {
  private var base: any SchedulePolicy
  private let tree: OrderTree
  /// The decisions so far.
  package private(set) var walk = OrderTree.Walk()

  package init(_ base: any SchedulePolicy, _ tree: OrderTree) {
    self.base = base
    self.tree = tree
  }

  package var name: String { base.name }

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int {
    let wanted = base.choose(ready, current: current)
    return ready.count > 1 ? tree.choose(wanted, of: ready.count, &walk) : wanted
  }

  package mutating func touch(_ resource: UInt64) { base.touch(resource) }
}

/// Repeats the decisions of an order.
package struct RepeatingPolicy: SchedulePolicy {
  package let name = "repeating"
  private var moves: ArraySlice<OrderTree.Move>

  package init(_ walk: OrderTree.Walk) { moves = walk.moves[...] }

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int {
    guard ready.count > 1, let move = moves.popFirst() else { return current ?? 0 }
    return min(Int(move.chosen), ready.count - 1)
  }
}
