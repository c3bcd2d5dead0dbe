import Checking
import CoreData
import Measuring
import Scenarios
import Scheduling

/// The course that the consistency workloads have in common: rows made beforehand, then clients beside main's ticks, then
/// a last look by main once it is current.
///
/// With several processes the clients are spread over them. Their units of work are refused across processes as across
/// contexts; each process's main hears of the saves of the others by messages, and has heard of all of them before its
/// last look.
final class ConsistencyRun: @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by one client at a time.

  /// Rows of each save of the preload.
  private static let preloadBatch: Int64 = 500

  let session: CellSession
  let entity: String
  /// This process's clients.
  let clients: [KeyedClient]
  /// How many clients all processes have together.
  let clientCount: Int
  let operations: Int
  private let pool: WorkPool
  private var begin: UInt64 = 0

  init(_ session: CellSession, entity: String) throws {
    self.session = session
    self.entity = entity
    clientCount = session.settings[Keys.clients]
    let own = session.share.part(of: clientCount)
    clients = try own.map { try KeyedClient(session, number: $0 + 1) }
    precondition(own.upperBound <= clientCount, "a process has some of all clients")
    operations = session.settings[Keys.operationsPerClient]
    pool = WorkPool(label: "clients", width: max(1, own.count))
  }

  /// Inserts `rows` rows, in the first of the cell's processes, then has each client do its `operations` steps; `onTick`
  /// runs on main with every tick of the heartbeat while they work, `last` on main once it has taken over everything.
  func start(
    rows: Int64, opening: Int64?, step: @escaping @Sendable (_ client: KeyedClient, _ index: Int) -> Void,
    onTick: @escaping @Sendable () -> Void, last: @escaping @Sendable () -> Void
  ) throws {
    precondition(rows >= 0, "the store is filled with some rows, or none")
    let begin: @Sendable () -> Void = { [self] in
      session.meet { [self] in session.strategy.whenMainIsCurrent { [self] in work(step, onTick, last) } }
    }
    guard session.share.isFirst else { return begin() }
    let loader = try KeyedClient(session, number: 0)
    let preload = WorkPool(label: "preload", width: 1)
    preload.submit("preload") { [self] in
      for first in stride(from: 1, through: rows, by: Int64.Stride(Self.preloadBatch)) {
        insert(first..<min(first + Self.preloadBatch, rows + 1), opening: opening, by: loader)
      }
    }
    preload.notifyWhenAllFinished(on: .main, begin)
  }

  private func insert(_ keys: Range<Int64>, opening: Int64?, by loader: KeyedClient) {
    precondition(!keys.isEmpty && keys.lowerBound > 0, "rows count from 1")
    func record(_ type: OperationType) {
      loader.history.record(
        type, .insert, entity: KeyedSchema.entityNumber, key: keys.lowerBound, count: Int64(keys.count),
        value: opening ?? 0)
    }
    record(.invoke)
    let fate = loader.commit { context in
      for key in keys { _ = KeyedRow.insert(entity, number: key, value: opening, into: context) }
    }
    record(fate.type)
    if fate == .durable { session.countAcknowledged(keys.count) }
  }

  private func work(
    _ step: @escaping @Sendable (KeyedClient, Int) -> Void, _ onTick: @escaping @Sendable () -> Void,
    _ last: @escaping @Sendable () -> Void
  ) {
    session.startMeasuring()
    session.heartbeat.start(hertz: session.settings[Keys.tickHertz]) { [session] _ in
      session.sampleLog()
      onTick()
    }
    begin = MonotonicClock.now()
    for client in clients {
      pool.submit("client \(client.number)") { [session, clientCount, operations, begin] in
        var arrivals = Arrivals(session.settings, client: client.number - 1, of: clientCount, begin: begin)
        for index in 0..<operations {
          let due = arrivals?.waitForNext()
          let start = OperationStart.now(due: due)
          step(client, index)
          if due != nil { client.recorder.record("step", in: "clients", since: start) }
          client.think()
        }
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      session.meet { [self] in finish(last) }
    }
  }

  /// Lets main merge the saves that have arrived, and read a last time.
  private func finish(_ last: @escaping @Sendable () -> Void) {
    let durable = Double(MonotonicClock.now() - begin) / 1e9
    session.main.history.record(.invoke, .drained)
    session.strategy.whenMainIsCurrent { [self] in
      session.main.history.record(.ok, .drained)
      let visible = Double(MonotonicClock.now() - begin) / 1e9
      last()
      session.stopMeasuring()
      session.setCompletion(untilDurable: durable, untilVisible: visible)
      session.setDuration(of: "clients", seconds: visible)
      session.end()
    }
  }

  /// Runs `body` with main's context in a block of it, and ends the cell when it throws. On the main thread.
  func onMain(_ body: (NSManagedObjectContext) throws -> Void) {
    let main = session.strategy.mainContext
    main.performAndWait {
      do {
        try body(main)
      } catch {
        session.fail(error)
      }
    }
  }
}
