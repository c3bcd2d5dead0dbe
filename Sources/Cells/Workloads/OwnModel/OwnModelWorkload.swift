import Checking
import CoreData
import Measuring
import Scenarios
import Scheduling

/// The user's own model: data is generated that it accepts, imported, edited, deleted by its rules, and every object is
/// compared with its expected state.
package final class OwnModelWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "own-model"
  package static let summary = "Your own .xcdatamodeld: data made for it is imported, edited, deleted, and all checked."
  package static let hasFloor = false
  package static let keys = [
    Keys.importers.key, Keys.saveEvery.key, Keys.model.key, Keys.objectsPerEntity.key, Keys.edits.key, Keys.deletes.key,
    Keys.care.key,
  ]

  private let session: CellSession
  private let model: NSManagedObjectModel
  private let clients: [OwnModelClient]
  private let pool: WorkPool
  private var begin: UInt64 = 0

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema {
    let schema = try OwnModelSchema.schema(at: settings[Keys.model])
    try OwnModelSchema.requirePlan(of: schema, at: settings[Keys.model], saveEvery: settings[Keys.saveEvery])
    return schema
  }

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    model = session.container.managedObjectModel
    let concrete = model.entities.filter { !$0.isAbstract }
    guard !concrete.isEmpty else {
      throw ModelSource.Unusable(description: "\(settings[Keys.model]): has no entity that is not abstract")
    }
    var planner = try ClusterPlanner(model, seed: session.seed)
    let width = settings[Keys.importers]
    let inCluster = max(1, settings[Keys.saveEvery] / concrete.count)
    let clusterCount = max(width, (settings[Keys.objectsPerEntity] + inCluster - 1) / inCluster)
    var shares: [[[PlannedObject]]] = Array(repeating: [], count: width)
    for number in 0..<clusterCount { shares[number % width].append(try planner.cluster(inCluster)) }
    precondition(shares.allSatisfy { !$0.isEmpty }, "every importer has a cluster to write")
    let spares = try planner.cluster(inCluster)
    precondition(!spares.isEmpty, "edits have objects to take values from")
    let numbers = OwnModelSchema.numbers(try Self.schema(for: settings))
    clients = try shares.enumerated().map { number, clusters in
      try OwnModelClient(
        session: session, writer: try session.strategy.makeWriter(named: "importer \(number + 1)"), clusters: clusters,
        spares: spares, numbers: numbers)
    }
    pool = WorkPool(label: "importers", width: width)
  }

  package func start() {
    session.startMeasuring()
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [session] _ in session.sampleLog() }
    phase("import") {
      $0.importAll()
    } then: { [self] in
      let edits = session.settings[Keys.edits]
      phase("edit") {
        $0.edit(edits)
      } then: { [self] in
        let deletes = session.settings[Keys.deletes]
        phase("delete") {
          $0.delete(deletes)
        } then: { [self] in
          finish()
        }
      }
    }
  }

  /// Lets every client do its part at once; continues on main, once main was notified of all.
  private func phase(
    _ name: String, _ body: @escaping @Sendable (OwnModelClient) -> Void, then next: @escaping @Sendable () -> Void
  ) {
    begin = MonotonicClock.now()
    for (number, client) in clients.enumerated() { pool.submit("\(name) by importer \(number + 1)") { body(client) } }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      session.main.history.record(.invoke, .drained)
      session.strategy.whenMainIsCurrent { [self] in
        let visible = session.main.history.record(.ok, .drained)
        let seconds = Double(visible - begin) / 1e9
        session.setDuration(of: name, seconds: seconds)
        if name == "import", clients.allSatisfy({ $0.undurableSaves == 0 }) {
          let last = clients.compactMap(\.lastDurable).max()
          session.setCompletion(untilDurable: last.map { Double($0 - begin) / 1e9 }, untilVisible: seconds)
        }
        next()
      }
    }
  }

  private func finish() {
    session.stopMeasuring()
    let fresh = session.container.newBackgroundContext()
    session.environment.adopt(fresh, name: "fresh")
    var expected: [String: ObjectSnapshot] = [:]
    for client in clients {
      for (id, snapshot) in client.expected { expected[ObjectSnapshot.name(of: id)] = snapshot }
    }
    for client in clients {
      for id in client.uncertain { expected[ObjectSnapshot.name(of: id)] = nil }
    }
    let audit = ModelAudit(expected: expected, context: fresh)
    pool.submit("audit") { [session] in
      do {
        if session.settings[Keys.care] == .careless { try LibraryLapse.changeFile(of: session) }
        let compared = try audit.run()
        session.countCheckedInverses(compared)
        var rules = RuleAudit(context: fresh) { session.faults.explains($0) }
        try rules.run()
        for violation in rules.violations { CellReports.report(violation) }
        session.count(\.valuesCompared, compared + rules.tried)
      } catch {
        session.fail(error)
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [session] in session.end() }
  }
}

extension Keys {
  package static let model = Setting<String>(
    "model", .path, isRequired: true, "The .xcdatamodeld or .xcdatamodel that data is made for; required.")
  package static let objectsPerEntity = Setting<Int>(
    "objects_per_entity", 1...1_000_000, unit: "objects", default: 500, quick: 40,
    "Objects of each entity that is not abstract, at least.")
  package static let edits = Setting<Int>(
    "edits", 0...1_000_000, unit: "saves", default: 100, quick: 20,
    "Values and relationships that each importer changes after the import, one per save.")
  package static let deletes = Setting<Int>(
    "deletes", 0...1_000_000, unit: "saves", default: 50, quick: 10,
    "Objects that each importer then deletes by the model's rules, one per save.")
}
