import CoreData
import Scheduling

/// Trees of contexts that merge by themselves, driven from their roots by several threads and by main.
///
/// A thread enters a tree at its root and goes down while it holds the contexts above, as an app does that saves a context and
/// then uses a child of it. Nothing below is ever entered otherwise but by merges, so that every wait
/// ends; and a child that merges by itself shows its parent's saves.
final class ContextTrees: @unchecked Sendable {
  // Sendable: set up before the threads start; each tree is used by the thread that holds its root.

  private static let treeCount = 3
  private static let levels = 4
  private static let rounds = 150
  private static let itemCount = 5

  private struct Tree {
    let root: NSManagedObjectContext
    /// Children by context, from the root down.
    var children: [NSManagedObjectContext: [NSManagedObjectContext]] = [:]
  }

  private var trees: [Tree] = []
  private var items: [NSManagedObjectID] = []
  private let problem = Locked<String?>(nil)
  private let seed: UInt64

  init(_ container: NSPersistentContainer, seed: UInt64) {
    self.seed = seed
    var random = SeededRandom(seed: seed)
    let maker = container.newBackgroundContext()
    maker.performAndWait {
      let made = (0..<Self.itemCount).map { _ in
        NSEntityDescription.insertNewObject(forEntityName: "Item", into: maker)
      }
      try? maker.save()
      items = made.map(\.objectID)
    }
    for number in 0..<Self.treeCount {
      let root = number == 0 ? container.viewContext : container.newBackgroundContext()
      root.performAndWait {
        root.name = "root \(number)"
        root.automaticallyMergesChangesFromParent = true
        root.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        root.retainsRegisteredObjects = true
      }
      var tree = Tree(root: root)
      grow(&tree, below: root, depth: 1, &random)
      trees.append(tree)
    }
  }

  private func grow(
    _ tree: inout Tree, below parent: NSManagedObjectContext, depth: Int, _ random: inout SeededRandom
  ) {
    guard depth < Self.levels else { return }
    for number in 0..<Int.random(in: depth == 1 ? 1...2 : 0...2, using: &random) {
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = parent
      child.performAndWait {
        child.name = "\(parent.name ?? "").\(number)"
        child.automaticallyMergesChangesFromParent = true
        child.retainsRegisteredObjects = true
      }
      tree.children[parent, default: []].append(child)
      grow(&tree, below: child, depth: depth + 1, &random)
    }
  }

  /// Runs everything, and says how it ended.
  func play(_ finish: @escaping @Sendable (String) -> Void) {
    let group = WaitGroup(label: "trees")
    let pool = WorkPool(label: "threads", width: Self.treeCount)
    for number in trees.indices {
      group.run("tree \(number)", on: pool) { [self] in
        var random = SeededRandom(seed: seed &* 31 &+ UInt64(number))
        for _ in 0..<Self.rounds { enter(trees[number].root, trees[number], &random) }
      }
    }
    group.notify(on: .main) { [problem] in finish(problem.withLock { $0 } ?? "consistent") }
  }

  /// Changes, saves and looks at a context, and then at those below while this one is held.
  private func enter(_ context: NSManagedObjectContext, _ tree: Tree, _ random: inout SeededRandom) {
    context.performAndWait {
      var saved: (id: NSManagedObjectID, value: Int64)?
      if Int.random(in: 0..<3, using: &random) > 0 {
        let item = context.object(with: items[Int.random(in: 0..<items.count, using: &random)])
        let value = Int64.random(in: 0..<1_000_000, using: &random)
        item.setValue(value, forKey: "number")
        do { try context.save() } catch { note("\(context.name ?? ""): \(error)") }
        saved = (item.objectID, value)
      }
      let children = (tree.children[context] ?? []).filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
      // Before any of them pushes something newer.
      if let saved { for child in children { compare(child, with: saved.id, saved.value) } }
      for child in children { enter(child, tree, &random) }
    }
  }

  /// A child shows its parent's latest save, whatever it merged, read or pushed before; its own unsaved changes stay
  /// on top.
  private func compare(_ child: NSManagedObjectContext, with id: NSManagedObjectID, _ value: Int64) {
    child.performAndWait {
      let object = child.object(with: id)
      let shown = object.value(forKey: "number") as? Int64
      guard shown != value, !object.hasChanges else { return }
      note("\(child.name ?? "") shows \(shown ?? -1) of \(id), its parent saved \(value)")
    }
  }

  private func note(_ text: String) { problem.withLock { $0 = $0 ?? text } }
}
