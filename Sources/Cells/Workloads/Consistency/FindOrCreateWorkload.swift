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
    Keys.care.key,
  ]

  /// Every so many steps of a client are a collision.
  private static let collideEvery = 10
  /// Keys of collisions, which only these clients use: from here on, so many for each client.
  private static let firstCollision: Int64 = 1_000_000_000_000_000
  private static let collisionsPerClient: Int64 = 10_000_000

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
      let settings = run.session.settings
      // A careless client lets them collide where nothing keeps them apart.
      if settings[Keys.constraint] || settings[Keys.care] == .careless, index.isMultiple(of: Self.collideEvery) {
        collide(Self.firstCollision + Int64(client.number) * Self.collisionsPerClient + Int64(index), client)
      }
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

  /// Lets two contexts make a row of one key without a look for one: the second save is refused, or its policy
  /// makes one row of both.
  private func collide(_ key: Int64, _ client: KeyedClient) {
    precondition(
      key >= Self.firstCollision && run.operations <= Self.collisionsPerClient, "no two clients collide with one key")
    let session = run.session
    let contexts = (1...2).map { number in
      let context = session.container.newBackgroundContext()
      session.environment.adopt(context, name: "blind \(number) of client \(client.number)")
      return context
    }
    let isUnique = session.settings[Keys.constraint]
    let rows = zip(contexts, 1...).map { context, maker in
      context.performAndWait {
        Handed(KeyedRow.insert(run.entity, number: key, value: isUnique ? maker : nil, into: context))
      }
    }
    let outcomes = zip(contexts, rows).map { context, row in
      context.performAndWait { save(row.value, key, in: context, client) }
    }
    guard !outcomes.contains(nil) else { return }
    session.count(\.collisions)
    let policy = session.settings[Keys.mergePolicy]
    let isRefused = policy == .error
    let makers = contexts[0].performAndWait {
      contexts[0].reset()
      return ((try? KeyedRow.fetch(run.entity, keys: [key], in: contexts[0])) ?? []).map { isUnique ? $0.value : 0 }
    }
    if outcomes != [true, !isRefused] || makers.count != 1 {
      CellReports.report(
        Violation(
          kind: .duplicateRecord, subject: "\(run.entity), collision",
          expected: isRefused ? "the second save of a key is refused" : "a policy makes one row of both",
          seen: "saves of key \(key) that succeeded: \(outcomes); rows of it: \(makers.count)"))
    } else if isUnique {
      let winner: Int64 = policy == .objectTrump || policy == .overwrite ? 2 : 1
      guard makers != [winner] else { return }
      CellReports.report(
        Violation(
          kind: .wrongWinner, subject: "\(run.entity), collision",
          expected: "with \(policy.rawValue) the row has the value of save \(winner) of the two",
          seen: "the row of key \(key) has the value \(makers[0])"))
    }
  }

  /// Saves a row that was made blindly, and records it; false when it was refused, nil when a fault broke the save off.
  private func save(_ row: KeyedRow, _ key: Int64, in context: NSManagedObjectContext, _ client: KeyedClient) -> Bool? {
    client.history.record(.invoke, .insert, entity: KeyedSchema.entityNumber, key: key)
    do {
      try context.save()
      client.recorder.record(.ok, .insert, of: row, entity: KeyedSchema.entityNumber, key: key)
      return true
    } catch let error as NSError where CommitOutcome.isRefusal(error.code) || run.session.faults.explains(error) {
      context.rollback()
      client.history.record(.fail, .insert, entity: KeyedSchema.entityNumber, key: key)
      return run.session.faults.explains(error) ? nil : false
    } catch {
      run.session.fail(error)
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
