import Checking
import CoreData
import Measuring
import Scheduling

/// Everything mixed, for a while: threads with contexts of their own insert, edit, relate, delete, fetch, refresh, roll
/// back, nest blocks and push from children on one coordinator, while main reads and takes over what they save.
///
/// Every second client's context merges by itself what others save; the saves of the others are merged into the next
/// client's context by their notifications.
package final class SoakWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.
  package static let name = "soak"
  package static let summary =
    "Everything mixed on one coordinator for duration_s: no row lost, both sides of every relationship agree."
  package static let hasFloor = false

  private let session: CellSession
  private let duration: UInt64
  private let clients: [SoakClient]
  private let pool: WorkPool
  private let main: NSManagedObjectContext
  private var begin: UInt64 = 0
  private var observers: [any NSObjectProtocol] = []

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    let count = settings.integer("clients")
    duration = UInt64((settings.optionalNumber("duration_s") ?? 1) * 1e9)
    pool = WorkPool(label: "clients", width: count)
    main = session.strategy.mainContext
    let supply = SoakClient.Supply()
    clients = try (1...count).map { number in
      try SoakClient(
        session: session, supply: supply, name: "client \(number)", mergesAutomatically: number.isMultiple(of: 2))
    }
    for (number, client) in clients.enumerated() where !client.context.automaticallyMergesChangesFromParent {
      let next = clients[(number + 1) % count].context
      observers.append(
        session.environment.addObserver(
          forName: .NSManagedObjectContextDidSave, object: client.context
        ) { notification in
          let sent = Sent(notification: notification)
          next.perform { next.mergeChanges(fromContextDidSave: sent.notification) }
        })
    }
  }

  /// A notification on its way to another context, which only takes the IDs from it.
  private struct Sent: @unchecked Sendable {
    // Sendable: its objects are not touched but for their IDs.
    let notification: Notification
  }

  package func start() throws {
    session.startMeasuring()
    begin = MonotonicClock.now()
    let pageEveryTicks = 6
    session.heartbeat.start(hertz: session.settings.integer("tick_hz")) { [self] tick in
      session.sampleLog()
      if tick.isMultiple(of: pageEveryTicks) { readOnMain() }
    }
    let end = begin + duration
    for (number, client) in clients.enumerated() {
      pool.submit("client \(number + 1)") {
        while MonotonicClock.now() < end { client.step() }
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in finish() }
  }

  private func readOnMain() {
    main.performAndWait {
      do {
        for note in try main.fetch(Note.request()).prefix(20) { _ = note.title?.isEmpty }
      } catch {
        session.fail(error)
      }
    }
  }

  private func finish() {
    let durable = Double(MonotonicClock.now() - begin) / 1e9
    for observer in observers { session.environment.removeObserver(observer) }
    session.strategy.whenMainIsCurrent { [self] in
      let visible = Double(MonotonicClock.now() - begin) / 1e9
      session.stopMeasuring()
      session.setCompletion(untilDurable: durable, untilVisible: visible)
      session.setDuration(of: "soak", seconds: visible)
      let fresh = session.container.newBackgroundContext()
      session.environment.adopt(fresh, name: "fresh")
      // Not on main, since the clients entered main from their contexts.
      for context in [fresh] + clients.map(\.context) {
        pool.submit("look at both sides") { [self] in
          context.performAndWait {
            // What is registered was read at different times.
            context.refreshAllObjects()
            checkInverses(in: context)
          }
        }
      }
      pool.notifyWhenAllFinished(on: .main) { [session] in session.end() }
    }
  }

  /// Looks at both sides of every relationship, as the context shows them; on its queue.
  private func checkInverses(in context: NSManagedObjectContext) {
    do {
      let notes = try context.fetch(Note.request())
      let words = try context.fetch(NSFetchRequest<Word>(entityName: "Word"))
      // Gone meanwhile, and shown by a context that has not heard of it.
      for word in words where word.term != nil && !word.isDeleted {
        guard let note = word.note, note.title != nil, !note.isDeleted else { continue }
        if !note.words.contains(word) {
          report("Word", "word \(word.number) is not among the words of its note", context)
        }
      }
      for note in notes where note.title != nil && !note.isDeleted {
        for case let word as Word in note.words where word.term != nil && word.note !== note {
          report("Note", "word \(word.number) of note \(note.number) is in another one", context)
        }
      }
      session.countCheckedInverses(notes.count + words.count)
    } catch {
      session.fail(error)
    }
  }

  private func report(_ entity: String, _ seen: String, _ context: NSManagedObjectContext) {
    CellReports.report(
      Violation(
        kind: .asymmetricInverse, subject: "\(entity) in \(context.name ?? "a context")",
        expected: "both sides of a relationship agree", seen: seen))
  }
}
