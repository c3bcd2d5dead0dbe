import Checking
import CoreData
import Measuring
import Scenarios

/// Clients insert members with keys of their own; in the end the file has each acknowledged one, once.
package final class SetWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "set"
  package static let summary = "Clients insert unique members; main counts them meanwhile, and the file has them all."
  package static let hasFloor = false
  package static let keys = [
    Keys.clients.key, Keys.processes.key, Keys.thinkMilliseconds.key, Keys.ratePerSecond.key,
    Keys.operationsPerClient.key, Keys.units.key, Keys.membersPerSave.key,
  ]

  private let run: ConsistencyRun
  private let membersPerSave: Int
  private let overlap: Overlap?
  private var counts: Int64 = 0

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema { KeyedSchema.member }

  package init(_ session: CellSession) throws {
    run = try ConsistencyRun(session, entity: "Member")
    membersPerSave = session.settings[Keys.membersPerSave]
    overlap = session.settings[Keys.tickHertz] > 0 ? Overlap() : nil
  }

  package func start() throws {
    try run.start(rows: 0, opening: nil) { [self] client, index in
      insert(index, client)
    } onTick: { [self] in
      countOnMain()
    } last: { [self] in
      countOnMain()
    }
  }

  private func insert(_ index: Int, _ client: KeyedClient) {
    let first = Int64(((client.number - 1) * run.operations + index) * membersPerSave + 1)
    precondition(index < run.operations, "no two clients insert one member")
    func record(_ type: OperationType, _ context: UInt32 = 0) {
      client.history.record(
        type, .insert, entity: KeyedSchema.entityNumber, key: first, count: Int64(membersPerSave), context: context)
    }
    for _ in 0..<KeyedClient.attemptsMax {
      record(.invoke)
      overlap?.insertBegins()
      if index == run.operations - 1 { overlap?.waitForMain() }
      var context: UInt32 = 0
      let fate = client.commit { used in
        context = client.number(of: used)
        for key in first..<first + Int64(membersPerSave) { _ = KeyedRow.insert(run.entity, number: key, into: used) }
      }
      overlap?.insertEnds()
      record(fate.type, context)
      guard fate.isRefused else {
        if fate == .durable { run.session.countAcknowledged(membersPerSave) }
        return
      }
    }
  }

  private func countOnMain() {
    counts += 1
    let recorder = run.session.main
    let entity = KeyedSchema.entityNumber
    let begin = OperationStart(at: recorder.history.record(.invoke, .fetch, entity: entity, key: counts))
    overlap?.mainReads()
    run.onMain { main in
      let count = try main.count(for: NSFetchRequest<KeyedRow>(entityName: run.entity))
      let end = recorder.history.record(
        .ok, .fetch, entity: entity, key: counts, count: Int64(count), context: run.session.environment.number(of: main)
      )
      recorder.record("count", in: "clients", since: begin, until: OperationStart(at: end))
    }
  }
}

extension Keys {
  package static let membersPerSave = Setting<Int>(
    "members_per_save", 1...100_000, unit: "objects", default: 5, isOption: true,
    "Members that are inserted with one save.")
}
