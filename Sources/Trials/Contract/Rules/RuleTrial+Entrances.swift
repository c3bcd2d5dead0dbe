import Checking
import CoreData
import Scheduling

// S1.3, S4.5, S5.3: a context that merges by itself shows another one's save, or its parent's, whichever way a thread comes into it
// right afterwards: in the same turn of main, in another context's block, from a thread of its own, or after the queue's turn.

extension RuleTrial {
  /// Where the other context saves, and where the look begins.
  private enum Place: CaseIterable { case thread, main, block, mainBlock }

  /// A way into the context.
  private enum Entrance: CaseIterable {
    case wait
    /// Inside each other, or with an error, a fetch or a save before the look.
    case waitTwice, waitAfterError, waitAfterFetch, waitAfterSave
    /// A block that is enqueued in the place, and waited for outside.
    case perform
    /// A turn of main without a block of the context.
    case turn
  }

  /// Contexts of which others merge, and of which the blocks are places.
  private struct Houses {
    let writer: NSManagedObjectContext
    let other: NSManagedObjectContext
    let onMain: NSManagedObjectContext
  }

  func entrances() throws {
    let coordinator = try open()
    let maker = context(coordinator)
    let id = try maker.performAndWait {
      let object = insertPlain(maker, rank: 0)
      try save(maker)
      return object.objectID
    }
    for writer in [context(coordinator), mainContext(coordinator)] {
      let isOfMain = writer.concurrencyType == .mainQueueConcurrencyType
      let houses = Houses(writer: writer, other: context(coordinator), onMain: mainContext(coordinator))
      for kind in 0..<(isOfMain ? 3 : 4) {
        let receiver =
          kind < 2
          ? kind == 0 ? context(coordinator, merges: true) : mainContext(coordinator, merges: true)
          : kind == 2 ? context(in: writer, merges: true) : mainContext(in: writer, merges: true)
        note("\(receiver.name ?? "") merges saves of \(writer.name ?? "")")
        let held = try receiver.performAndWait { try receiver.existingObject(with: id) }
        for place in shuffled(Place.allCases) {
          // A context of main cannot save in a block of its own while main waits.
          for isElsewhere in isOfMain ? [false] : [false, true] {
            let isPlain = chance(1, of: 3)
            let entrance = isPlain ? .wait : pick(Entrance.allCases) ?? .wait
            try come(entrance, place, isElsewhere: isElsewhere, into: receiver, id, houses)
          }
        }
        try come(.wait, .main, isElsewhere: false, into: receiver, id, houses)
        receiver.performAndWait {
          withExtendedLifetime(held) {}
          receiver.reset()
        }
      }
      for context in [houses.writer, houses.onMain] { context.performAndWait { context.reset() } }
    }
  }

  /// Another context saves in a place, and a look follows.
  private func come(
    _ entrance: Entrance, _ place: Place, isElsewhere: Bool, into receiver: NSManagedObjectContext,
    _ id: NSManagedObjectID, _ houses: Houses
  ) throws {
    precondition(receiver.automaticallyMergesChangesFromParent, "what is looked for is merged by itself")
    let (rank, writer) = (newNumber(), houses.writer)
    let (seen, isDone, failure) = (Locked<Int?>(nil), Latch(label: "a look"), Locked<NSError?>(nil))
    note(
      "rank \(rank) is saved\(isElsewhere ? " by a thread of its own" : "") in \(place), and looked for by \(entrance)")
    let look: @Sendable () -> Void = {
      let rank = (receiver.registeredObject(for: id)?.value(forKey: "rank") as? NSNumber)?.intValue
      seen.withLock { $0 = rank }
      isDone.open()
    }
    let write: @Sendable () -> Void = {
      do {
        try writer.existingObject(with: id).setValue(rank, forKey: "rank")
        try writer.save()
      } catch { failure.withLock { $0 = error as NSError } }
    }
    var isSaved = true
    try go(to: place, houses) {
      if isElsewhere {
        let saved = Latch(label: "a save by a thread of its own")
        writer.perform {
          write()
          saved.open()
        }
        isSaved = saved.wait(atMost: 20)
      } else {
        writer.performAndWait(write)
      }
      try enter(receiver, by: entrance, look)
    }
    try require(isSaved, true, .hang, "whether a context saves while \(place) waits for it")
    if let error = failure.withLock({ $0 }) { throw error }
    if entrance == .turn, receiver.concurrencyType == .mainQueueConcurrencyType { SerialQueue.main.sync(look) }
    if entrance == .turn, receiver.concurrencyType != .mainQueueConcurrencyType { receiver.performAndWait(look) }
    try require(isDone.wait(atMost: 20), true, .hang, "whether a block runs that is to look")
    try require(
      seen.withLock { $0 }, rank, .staleRead,
      "a realised rank after a save in \(place)\(isElsewhere ? " by another thread" : ""), looked for by \(entrance)")
  }

  /// Runs a body in a place.
  private func go(to place: Place, _ houses: Houses, _ body: () throws -> Void) throws {
    switch place {
    case .thread: try body()
    case .main: try SerialQueue.main.sync(body)
    case .block: try houses.other.performAndWait(body)
    case .mainBlock: try houses.onMain.performAndWait(body)
    }
  }

  /// Comes into the context to look, or enqueues a block that does; nothing where the look needs no block of it.
  private func enter(
    _ receiver: NSManagedObjectContext, by entrance: Entrance, _ look: @escaping @Sendable () -> Void
  ) throws {
    switch entrance {
    case .wait: receiver.performAndWait(look)
    case .waitTwice: receiver.performAndWait { receiver.performAndWait(look) }
    case .waitAfterError:
      try? receiver.performAndWait { throw NSError(domain: "entrances", code: 1) }
      receiver.performAndWait(look)
    case .waitAfterFetch:
      try receiver.performAndWait {
        _ = try receiver.fetch(NSFetchRequest<NSManagedObject>(entityName: "Plain"))
        look()
      }
    case .waitAfterSave:
      try receiver.performAndWait {
        try receiver.save()
        look()
      }
    case .perform: receiver.perform(look)
    case .turn: break
    }
  }
}
