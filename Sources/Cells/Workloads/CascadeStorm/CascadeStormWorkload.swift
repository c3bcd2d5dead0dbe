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

  private static let tagCount: Int64 = 20
  /// Every so manieth folder of the deepest level is locked.
  private static let lockEvery = 5

  private let session: CellSession
  private let forest = Forest(tagCount: tagCount)
  private let preload: StormClient
  private let clients: [StormClient]
  private let rounds: Int
  private let pool: WorkPool

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema {
    try ForestModel.schema(
      ownerRule: settings.text("owner_rule") == "cascade" ? .cascadeDeleteRule : .nullifyDeleteRule,
      referenceRule: settings.text("reference_rule") == "nullify" ? .nullifyDeleteRule : .noActionDeleteRule)
  }

  package init(_ session: CellSession) throws {
    self.session = session
    rounds = session.settings.integer("rounds")
    preload = try StormClient(session: session, forest: forest, name: "preload")
    clients = try (1...session.settings.integer("clients")).map { [forest] number in
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
    for _ in 0..<settings.integer("trees") {
      preload.write("preload") { context, changes in
        var level = [try forest.insertFolder(into: context, under: nil, documents: 0, &changes)]
        for depth in 1...settings.integer("tree_depth") {
          level = try level.flatMap { parent in
            try (0..<settings.integer("tree_fan_out")).map { _ in
              try forest.insertFolder(
                into: context, under: parent, documents: settings.integer("documents_per_folder"), &changes)
            }
          }
          guard depth == settings.integer("tree_depth") else { continue }
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
    session.heartbeat.start(hertz: session.settings.integer("tick_hz")) { [session] _ in session.sampleLog() }
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
