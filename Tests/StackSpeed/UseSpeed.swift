import CoreData
import HarnessKit
import Measuring

/// The time of one use of an object: nanoseconds a call, over 10,000 objects a round.
struct UseSpeed {
  private static let count = 10_000

  let directory: URL

  func measure(rounds: Int) throws {
    let container = try NotebookStore.open(in: directory.path)
    let notebook = VocabularyNotebook(notes: Self.count, wordsPerNote: 0, seed: 1)
    let writer = container.newBackgroundContext()
    // The writer keeps its objects, and with them the rows in the coordinator's cache.
    let (held, ids) = try writer.performAndWait {
      notebook.insert(notes: 1..<Self.count + 1, into: writer)
      let objects = writer.insertedObjects
      try writer.save()
      return (objects, objects.map(\.objectID))
    }
    var registered = Series("registered object by ID", "ns")
    var fault = Series("fault from the row cache, with the first read", "ns")
    var read = Series("read of an attribute", "ns")
    for _ in 0...rounds {
      let context = container.newBackgroundContext()
      context.performAndWait {
        let objects = ids.map { context.object(with: $0) }
        var sum: Int64 = 0
        fault.add(perCall { for object in objects { sum &+= (object as? Note)?.number ?? 0 } })
        let notes = objects.compactMap { $0 as? Note }
        read.add(perCall { for note in notes { sum &+= note.number } })
        var found = 0
        withExtendedLifetime(notes) {
          registered.add(perCall { for id in ids where context.registeredObject(for: id) != nil { found += 1 } })
        }
        precondition(found == Self.count && sum != 0, "every object is registered and read")
      }
    }
    withExtendedLifetime(held) {}
    for series in [registered, fault, read] { series.report() }
  }

  private func perCall(_ body: () -> Void) -> Double { seconds(body) * 1e9 / Double(Self.count) }
}
