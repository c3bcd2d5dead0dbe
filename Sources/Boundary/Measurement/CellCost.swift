/// The costs of a cell by exact counts: in a simulation nothing varies, so that the same code and data give the same numbers.
package enum CellCost: String, CaseIterable, Codable, CodingKeyRepresentable, Sendable {
  case statements
  case sqliteSteps = "SQLite steps"
  case rowsRead = "rows read"
  case rowsWritten = "rows written"
  case pagesRead = "pages read"
  case bytesRead = "bytes read"
  case pagesWritten = "pages written"
  case bytesWritten = "bytes written"
  case syncs
  case faults = "faults fired"
  case uses = "uses of objects"
  case allocations
  case notifications
  case mainHops = "hops to main"
  case mainSteps = "steps of main"
  case steps
  case blocks = "blocks sent to queues"
  case turnsTaken = "turns taken"
  case turnsWaited = "turns waited for"
  case stepsWaited = "steps waited"
  case stepsHeld = "steps that turns were held"
  case wakeUps = "wake-ups"

  /// One of it, in words.
  package var meaning: String {
    switch self {
    case .statements: "a statement that SQLite began, those of triggers among them"
    case .sqliteSteps: "a step of SQLite's virtual machine"
    case .rowsRead: "a row that a statement gave"
    case .rowsWritten: "a row that was inserted, updated or deleted"
    case .pagesRead: "a page that SQLite read from the file or its log"
    case .bytesRead: "a byte that it read from them"
    case .pagesWritten: "a page that it wrote into them"
    case .bytesWritten: "a byte that it wrote into them"
    case .syncs: "a request to the system to put what was written on the disk"
    case .faults: "a fault that was filled, or found without a row"
    case .uses: "a use of an object or a context, at which its queue was looked at"
    case .allocations: "a piece of memory that was asked of jemalloc; left out where another allocator is linked"
    case .notifications: "a notification that a context posted"
    case .mainHops: "a block that ran on the main queue"
    case .mainSteps: "a step of the main thread"
    case .steps: "a step of any thread that others can notice"
    case .blocks: "a block that was sent to a private queue"
    case .turnsTaken: "an entry into a private queue by a thread that then runs its block"
    case .turnsWaited: "a turn, or a block of main, that a thread had to wait for"
    case .stepsWaited: "a step that others took while a thread waited so"
    case .stepsHeld: "a step that was taken while a thread was inside of a private queue, each such thread by itself"
    case .wakeUps: "a change from one thread to another"
    }
  }

  /// Whether another version of SQLite may have another count.
  package var isOfSQLite: Bool {
    switch self {
    case .statements, .sqliteSteps, .rowsRead, .rowsWritten, .pagesRead, .bytesRead, .pagesWritten, .bytesWritten,
      .syncs:
      true
    default: false
    }
  }

  /// Up to which share more of it is the same: whether a table of objects, which are found by their places, has to grow follows
  /// from places that the system draws.
  package var toleratedShare: Double { self == .allocations ? 0.01 : 0 }

  /// Whether another compiler, or another kind of build, may have another count.
  package var isOfBuild: Bool { self == .allocations }
}
