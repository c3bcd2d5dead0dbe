import Boundary
import Checking
import CoreData
import Scenarios
import Scheduling

/// The process that `crash-recovery` kills: clients save through the strategy, one save after the other, for ever.
enum CrashSaver {
  /// The value where other requests name their workload.
  static let workloadName = "crash-recovery saver"

  /// Saves until the process is killed.
  static func run(_ request: CellRequest, _ type: any Strategy.Type) -> Never {
    let meter = MainThreadMeter()
    SerialQueue.main.async { begin(request, type, meter, saves: .max) { $0.send() } }
    MainLoop.run()
  }

  /// Saves of each client in a simulation.
  private static let simulatedSaves = 3

  /// Saves in a simulated process of that name; `hear` gets its messages at once.
  static func start(
    _ request: CellRequest, _ type: any Strategy.Type, as name: String,
    _ hear: @escaping @Sendable (CrashMessage) -> Void
  ) -> SimulatedProcess {
    SimulatedProcess.start(name) {
      begin(request, type, MainThreadMeter(isSimulated: true), saves: simulatedSaves, hear)
    }
  }

  /// On the main thread.
  private static func begin(
    _ request: CellRequest, _ type: any Strategy.Type, _ meter: MainThreadMeter, saves: Int,
    _ say: @escaping @Sendable (CrashMessage) -> Void
  ) {
    do {
      let pool = WorkPool(label: "clients", width: request.settings[Keys.clients])
      let environment = StrategyEnvironment(
        container: try NotebookStore.open(in: request.directory, request.settings, for: type),
        settings: request.settings, meter: meter)
      let strategy = try type.init(environment)
      for number in clients(of: request) {
        let writer = try strategy.makeWriter(named: "client \(number + 1)")
        pool.submit("client \(number + 1)") { save(Int64(number), writer, saves, say) }
      }
      pool.notifyWhenAllFinished(on: .main) { withExtendedLifetime(strategy) {} }
    } catch {
      CellExit.fail("\(error)")
    }
  }

  /// Numbers of a process's clients: each process of those that save at the same time has as many.
  static func clients(of request: CellRequest) -> Range<Int> {
    let count = request.settings[Keys.clients]
    return request.share.index * count..<(request.share.index + 1) * count
  }

  private static func save(
    _ number: Int64, _ writer: any StrategyWriter, _ saves: Int, _ say: (CrashMessage) -> Void
  ) {
    let chain = SaveChain(client: number)
    var isFirst = true
    for _ in 0..<saves {
      do {
        try saveOnce(chain, writer) { message in
          if message.kind != .found || isFirst { say(message) }
          isFirst = false
        }
      } catch {
        CellExit.fail("a save was refused: \(error)")
      }
    }
  }

  /// Does one save of a chain, after the last one that the store has; reports the save found, begun and acknowledged.
  static func saveOnce(_ chain: SaveChain, _ writer: any StrategyWriter, _ say: (CrashMessage) -> Void) throws {
    var save: Int64 = 0
    try writer.write { context in
      let marker = try note(chain.marker, in: context) ?? insert(chain.marker, into: context)
      say(CrashMessage(.found, client: chain.client, save: marker.revision))
      save = marker.revision + 1
      say(CrashMessage(.begun, client: chain.client, save: save))
      marker.revision = save
      marker.title = SaveChain.title(of: save)
      try change(chain, save, in: context)
    } reached: { stage in
      if stage == .durable { say(CrashMessage(.acknowledged, client: chain.client, save: save)) }
    }
  }

  /// Inserts the save's note with its words, and deletes the oldest one with its own.
  private static func change(_ chain: SaveChain, _ save: Int64, in context: NSManagedObjectContext) throws {
    precondition(save > 0, "the saves of a chain count from 1")
    let note = insert(chain.note(of: save), into: context)
    note.title = SaveChain.title(of: save)
    note.revision = 1
    for number in chain.words(of: save) {
      let word = Word(context: context)
      word.fill(WordRow(number: number, term: "term \(number)", meaning: "meaning", level: 1))
      word.note = note
    }
    guard save > SaveChain.keptNotes else { return }
    if let oldest = try self.note(chain.note(of: save - SaveChain.keptNotes), in: context) { context.delete(oldest) }
  }

  private static func note(_ number: Int64, in context: NSManagedObjectContext) throws -> Note? {
    let request = Note.request()
    request.predicate = NSPredicate(format: "number == %ld", Int(number))
    return try context.fetch(request).first
  }

  private static func insert(_ number: Int64, into context: NSManagedObjectContext) -> Note {
    let note = Note(context: context)
    let now = Date()
    note.fill(
      NoteRow(
        number: number, uuid: UUID(), title: SaveChain.title(of: 0), body: "body", language: "ko-en", createdAt: now,
        modifiedAt: now, isPinned: false))
    note.revision = 0
    return note
  }
}
