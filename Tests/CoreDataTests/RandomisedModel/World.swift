import Scheduling

/// The contexts of an episode, their coordinators, and the place of their store.
struct World: Hashable, Sendable {
  /// One context.
  struct Member: Hashable, Sendable {
    /// The number of its parent.
    var parent: Int?
    /// The number of the coordinator at its root.
    var coordinator = 0
    /// Whether it merges its siblings' or its parent's saves by itself.
    var merges = false
    /// Not a context here: another process makes one change at a time there, and saves it.
    var isElsewhere = false
    /// Whether it has an undo manager.
    var undoes = false
  }

  var members: [Member]
  /// A SQLite file, else a store in memory.
  var isInFile = false
  /// Whether the file keeps a persistent history, which is replayed.
  var keepsHistory = false
  /// Whether relationships that can be ordered are.
  var isOrdered = false
  /// Whether children merge their parent's saves while its queue is taken.
  var parentsAreBusy = false

  var coordinators: Int { 1 + (members.map(\.coordinator).max() ?? 0) }

  /// Two siblings on one coordinator, which conflict at every turn.
  static let siblings = World(members: [Member(), Member()])

  /// Two siblings on one coordinator, a child of the first, and a grandchild.
  static let family = World(members: [Member(), Member(), Member(parent: 0), Member(parent: 2)])

  /// The same where every context merges by itself.
  static let mergingFamily = World(members: family.members.map { Member(parent: $0.parent, merges: true) })

  /// Two coordinators on one file: a pair of siblings and a child of the first there, a root and its child here.
  static let twoCoordinators = World(
    members: [
      Member(), Member(), Member(parent: 0), Member(coordinator: 1), Member(parent: 3, coordinator: 1),
    ], isInFile: true)

  /// A family on a file that another process changes as well.
  static let twoProcesses = World(
    members: family.members + [Member(coordinator: 1, isElsewhere: true)], isInFile: true)

  /// Two contexts that can undo, one of them in a sibling with a child.
  ///
  /// The objects of a child whose parent undoes are not specified.
  static let undoing = World(
    members: [Member(undoes: true), Member(undoes: true), Member(), Member(parent: 2)])

  /// A family with ordered members.
  static let ordered = World(members: family.members, isOrdered: true)

  /// The world that a seed has: every kind gets its share.
  static func drawn(seed: UInt64) -> World {
    var random = SeededRandom(seed: seed ^ 0x9E37_79B9_7F4A_7C15)
    func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    var world =
      switch draw(10) {
      case 0..<3: family
      case 3:
        draw(2) == 0 ? World(members: family.members, isInFile: true) : merging(.twoProcesses) { draw(4) == 0 }
      case 4: twoCoordinators
      case 5: merging(.twoCoordinators) { draw(2) == 0 }
      case 6: merging(.undoing) { draw(4) == 0 }
      case 7: merging(.ordered) { draw(3) == 0 }
      default: merging(.family) { draw(2) == 0 }
      }
    let hasMergingChild = world.members.contains { $0.merges && $0.parent != nil }
    world.parentsAreBusy = hasMergingChild && draw(2) == 0
    world.keepsHistory = world.isInFile && draw(3) > 0
    return world
  }

  private static func merging(_ world: World, _ isMerging: () -> Bool) -> World {
    var world = world
    for number in world.members.indices { world.members[number].merges = isMerging() }
    return world
  }
}

extension World: CustomStringConvertible {
  var description: String {
    let contexts = members.enumerated().map { number, member in
      "c\(number) \(member.parent.map { "child of c\($0)" } ?? "on coordinator \(member.coordinator)")"
        + (member.isElsewhere ? ", in another process" : "") + (member.merges ? ", merges by itself" : "")
        + (member.undoes ? ", can undo" : "")
    }
    return (isInFile ? "a file" : "in memory") + (keepsHistory ? " with history" : "") + (isOrdered ? ", ordered" : "")
      + (parentsAreBusy ? ", parents are busy: " : ": ") + contexts.joined(separator: "; ")
  }
}
