import CoreData
import Scheduling
import Testing

/// The whole stack in a simulation: contexts, merges and notifications in an order that a seed decides.
@Suite(.serialized) struct SimulatedContextsTests {
  private final class Result: @unchecked Sendable {
    // Sendable: only the task that has the simulation's baton touches it.
    var number: Int64 = -1
    var conflicts = 0
    var merged: Int64 = -1
    var held: Note?
  }

  // A save to several stores visits them by their UUIDs.
  @Test func storesHaveUUIDsInTheOrderOfTheirMaking() throws {
    let uuids = Locked<[String]>([])
    let outcome = Simulation.run(policy: FIFOPolicy()) {
      do {
        for _ in 0..<8 {
          let store = try TestStack(.file).container.persistentStoreCoordinator.persistentStores.first
          uuids.withLock { $0.append(store?.metadata?[NSStoreUUIDKey] as? String ?? "") }
        }
      } catch {
        Issue.record(error)
      }
    }
    #expect(outcome.ending == .finished)
    let seen = uuids.withLock { $0 }
    #expect(seen == seen.sorted() && Set(seen).count == 8)
    #expect(seen.allSatisfy { UUID(uuidString: $0) != nil })
  }

  /// Two background contexts each raise a number by one; a view context merges their saves.
  private func raise(
    _ policy: any SchedulePolicy, merging mergePolicy: NSMergePolicy, recordsTrace: Bool = false
  ) throws -> (Result, SimulationOutcome) {
    let stack = try TestStack(.memory)
    let container = stack.container
    let id = try #require(try stack.seed(0...0).first)
    let result = Result()
    let outcome = Simulation.run(policy: policy, recordsTrace: recordsTrace) {
      let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      main.persistentStoreCoordinator = container.persistentStoreCoordinator
      main.automaticallyMergesChangesFromParent = true
      result.held = main.object(with: id) as? Note
      _ = result.held?.number
      let group = WaitGroup(label: "clients")
      for _ in 1...2 {
        let context = container.newBackgroundContext()
        context.mergePolicy = mergePolicy
        group.enter()
        context.perform {
          let note = context.object(with: id) as? Note
          note?.number += 1
          do { try context.save() } catch { result.conflicts += 1 }
          group.leave()
        }
      }
      group.notify(on: .main) {
        result.merged = result.held?.number ?? -1
        main.refreshAllObjects()
        result.number = result.held?.number ?? -1
      }
    }
    return (result, outcome)
  }

  // S3.3, S3.4
  @Test func overwritingLosesAnUpdateInSomeOrdersAndTheErrorPolicyInNone() throws {
    var sums: Set<Int64> = []
    for seed in 1...60 as ClosedRange<UInt64> {
      let (result, outcome) = try raise(RandomWalkPolicy(seed: seed), merging: .overwrite)
      #expect(outcome.ending == .finished)
      #expect(result.merged == result.number)
      sums.insert(result.number)
    }
    #expect(sums == [1, 2])
    var conflicts = 0
    for seed in 1...60 as ClosedRange<UInt64> {
      let (result, outcome) = try raise(RandomWalkPolicy(seed: seed), merging: .error)
      #expect(outcome.ending == .finished)
      #expect(result.number == Int64(2 - result.conflicts))
      conflicts += result.conflicts
    }
    #expect(conflicts > 0 && conflicts < 60)
  }

  // S1.3
  @Test func oneSeedGivesOneTrace() throws {
    let first = try raise(RandomWalkPolicy(seed: 5), merging: .overwrite, recordsTrace: true).1
    let second = try raise(RandomWalkPolicy(seed: 5), merging: .overwrite, recordsTrace: true).1
    #expect(first.trace.map(\.description) == second.trace.map(\.description))
    #expect(first.trace.contains { $0.step.point == "save.beforeCommit" })
  }

  // S1.3
  @Test func hashesOfObjectsDoNotDependOnWhereTheyLie() throws {
    func hashes() throws -> (hashes: [Int], notes: [Note]) {
      let stack = try TestStack(.memory)
      let result = Locked((hashes: [Int](), notes: [Note]()))
      _ = Simulation.run(policy: FIFOPolicy()) {
        let context = stack.container.newBackgroundContext()
        context.performAndWait {
          let notes = (0..<40).map { _ in Note(context: context) }
          result.withLock { $0 = (notes.map(\.hash), notes) }
        }
      }
      return result.withLock { $0 }
    }
    // The first ones are alive, so that the others lie elsewhere.
    let first = try hashes()
    let second = try hashes()
    withExtendedLifetime(first.notes) { #expect(first.hashes == second.hashes) }
    #expect(Set(first.hashes).count == 40)
  }
}
