import CoreData
import Measuring
import Scenarios
import Scheduling

/// Deletes through cascade, nullify and deny over deep trees, while others insert into them.
package final class CascadeStormWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "cascade-storm"
  package static let summary = "Folders are deleted with all that belongs to them, while others insert into them."
  package static let hasFloor = false
  package static let keys = [
    Keys.clients.key, Keys.rounds.key, Keys.trees.key, Keys.treeDepth.key, Keys.treeFanOut.key,
    Keys.documentsPerFolder.key, Keys.ownerRule.key, Keys.referenceRule.key, Keys.units.key,
  ]

  private static let tagCount: Int64 = 20
  /// Of so many folders of the deepest level one is locked.
  private static let lockEvery = 5

  private let session: CellSession
  private let forest = Forest(tagCount: tagCount)
  private let preload: StormClient
  private let clients: [StormClient]
  private let rounds: Int
  private let pool: WorkPool

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema {
    try ForestModel.schema(
      ownerRule: settings[Keys.ownerRule] == .cascade ? .cascadeDeleteRule : .nullifyDeleteRule,
      referenceRule: settings[Keys.referenceRule] == .nullify ? .nullifyDeleteRule : .noActionDeleteRule)
  }

  package init(_ session: CellSession) throws {
    self.session = session
    rounds = session.settings[Keys.rounds]
    preload = try StormClient(session: session, forest: forest, name: "preload")
    clients = try (1...session.settings[Keys.clients]).map { [forest] number in
      try StormClient(session: session, forest: forest, name: "client \(number)")
    }
    pool = WorkPool(label: "clients", width: clients.count)
  }

  package func start() {
    pool.submit("preload") { [self] in plant() }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      session.strategy.whenMainIsCurrent { [self] in storm() }
    }
  }

  /// Makes the trees, each with one save.
  private func plant() {
    let settings = session.settings
    preload.write("preload") { context, changes in _ = forest.insertTags(into: context, &changes) }
    for _ in 0..<settings[Keys.trees] {
      preload.write("preload") { context, changes in
        var level = [try forest.insertFolder(into: context, under: nil, documents: 0, &changes)]
        for depth in 1...settings[Keys.treeDepth] {
          level = try level.flatMap { parent in
            try (0..<settings[Keys.treeFanOut]).map { _ in
              try forest.insertFolder(
                into: context, under: parent, documents: settings[Keys.documentsPerFolder], &changes)
            }
          }
          precondition(!level.isEmpty, "each level of a tree has folders")
          guard depth == settings[Keys.treeDepth] else { continue }
          for index in stride(from: 0, to: level.count, by: Self.lockEvery) {
            try forest.insertLock(into: context, on: level[index], &changes)
          }
        }
      }
    }
  }

  private func storm() {
    session.startMeasuring()
    let begin = MonotonicClock.now()
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [session] _ in session.sampleLog() }
    for (number, client) in clients.enumerated() {
      pool.submit("client \(number + 1)") { [rounds] in
        // One for certain that the deny rule refuses at first.
        if number == 0 { client.deleteFolder(from: 1, "locks.@count > 0") }
        for _ in 0..<rounds { client.step() }
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [session] in
      let durable = Double(MonotonicClock.now() - begin) / 1e9
      session.strategy.whenMainIsCurrent {
        let visible = Double(MonotonicClock.now() - begin) / 1e9
        session.stopMeasuring()
        session.setCompletion(untilDurable: durable, untilVisible: visible)
        session.setDuration(of: "storm", seconds: visible)
        session.end()
      }
    }
  }
}

extension Keys {
  package static let trees = Setting<Int>(
    "trees", 1...100_000, unit: "objects", default: 8, quick: 3, "Trees of folders in the data.")
  package static let treeDepth = Setting<Int>(
    "tree_depth", 1...32, unit: "levels", default: 5, quick: 4, "Levels of folders below the root of a tree.")
  package static let treeFanOut = Setting<Int>(
    "tree_fan_out", 1...64, unit: "objects", default: 3, quick: 2, "Folders in each folder but the deepest.")
  package static let documentsPerFolder = Setting<Int>(
    "documents_per_folder", 0...1000, unit: "objects", default: 2, "Documents in each folder.")
  /// The delete rule for a folder's contents.
  package enum OwnerRule: String, CaseIterable, Sendable {
    case cascade
    case nullify
  }

  /// The delete rule for references to a folder.
  package enum ReferenceRule: String, CaseIterable, Sendable {
    case nullify
    case noAction = "no-action"
  }

  package static let ownerRule = Setting<OwnerRule>(
    "owner_rule", default: .cascade,
    "What becomes of a deleted folder's contents: deleted with it, or left behind, which is a mistake to catch.")
  package static let referenceRule = Setting<ReferenceRule>(
    "reference_rule", default: .nullify,
    "What becomes of references to a deleted folder: cleared, or left as they are, which is a mistake to catch.")
}
