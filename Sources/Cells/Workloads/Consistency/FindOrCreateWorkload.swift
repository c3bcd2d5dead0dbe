import Checking
import CoreData
import Measuring
import Scenarios

/// Clients look for the row of a key and make it where there is none; each key has one row in the end.
package final class FindOrCreateWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "find-or-create"
  package static let summary = "Clients ask for the same keys at once: the row is found, or made where there is none."
  package static let hasFloor = false
  package static let keys = [
    Keys.clients.key, Keys.processes.key, Keys.thinkMilliseconds.key, Keys.ratePerSecond.key,
    Keys.operationsPerClient.key, Keys.sharedRows.key, Keys.units.key, Keys.constraint.key, Keys.keyDistribution.key,
  ]

  private let run: ConsistencyRun
  private let keysPerStep: Int
  private let sampler: KeySampler

  package static func schema(for settings: ScenarioSettings) throws -> WorkloadSchema {
    settings[Keys.constraint] ? KeyedSchema.uniqueTag : KeyedSchema.tag
  }

  package init(_ session: CellSession) throws {
    run = try ConsistencyRun(session, entity: "Tag")
    sampler = KeySampler(session.settings)
    keysPerStep = sampler.count
  }

  package func start() throws {
    try run.start(rows: 0, opening: nil) { [self] client, index in
      // All clients ask for the keys of their step, which are new.
      findOrCreate(Int64(index * keysPerStep + sampler.draw(using: &client.random)), client)
    } onTick: {
    } last: {
    }
  }

  private func findOrCreate(_ key: Int64, _ client: KeyedClient) {
    let entity = KeyedSchema.entityNumber
    for _ in 0..<KeyedClient.attemptsMax {
      client.history.record(.invoke, .findOrCreate, entity: entity, key: key)
      var context: UInt32 = 0
      var created: KeyedRow?
      let fate = client.commit { used in
        context = client.number(of: used)
        guard try KeyedRow.fetch(run.entity, keys: [key], in: used).isEmpty else { return }
        client.history.record(.invoke, .insert, entity: entity, key: key)
        created = KeyedRow.insert(run.entity, number: key, into: used)
      }
      // The row that was saved, before the key is fetched again.
      if let created { client.recorder.record(fate.type, .insert, of: created, entity: entity, key: key) }
      let isCreated = created != nil
      client.history.record(
        fate.type, .findOrCreate, entity: entity, key: key, value: isCreated ? 1 : 0, context: context,
        object: fate == .durable ? row(of: key, client) : 0)
      guard fate.isRefused else {
        if fate == .durable, isCreated { run.session.countAcknowledged(1) }
        return
      }
    }
  }

  /// The row that the key has now: a merge policy may have let another client's win.
  private func row(of key: Int64, _ client: KeyedClient) -> Int64 {
    client.reader.performAndWait {
      do {
        return try KeyedRow.fetch(run.entity, keys: [key], in: client.reader).first?.objectID.primaryKey ?? 0
      } catch {
        run.session.fail(error)
      }
    }
  }
}

extension Keys {
  package static let constraint = Setting<Bool>(
    "constraint", default: true,
    "Whether the key has a uniqueness constraint; without, several workers make several rows.")
}
