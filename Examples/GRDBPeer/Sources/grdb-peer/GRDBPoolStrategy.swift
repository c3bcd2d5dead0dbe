import CoreData
import GRDB
import HarnessKit

/// GRDB's own arrangement: a pool with one writer beside readers, and what main shows observed.
///
/// It has no contexts that anything is written in. ``PeerWorkload`` knows it and uses its ``pool``; a shipped workload writes
/// nothing through it, and no cell of that is green.
final class GRDBPoolStrategy: Strategy {
  static let name = "grdb-pool"
  static let summary = "No Core Data: a DatabasePool, one writer beside readers, with a ValueObservation to main."
  static let options = ["inserts": "records", "responses": "main"]
  static let keys = [inserts.key, responses.key]

  /// How rows are inserted.
  enum Inserts: String, CaseIterable {
    /// By records that are `Codable`, as GRDB's guide begins.
    case records
    /// By prepared statements, as it advises where time counts.
    case statements
  }

  static let inserts = Setting<Inserts>(
    "inserts", default: .records, isOption: true, isOfStrategies: true,
    "How GRDB inserts rows: by Codable records, or by prepared statements.")

  /// Where the row of a response is read.
  enum Responses: String, CaseIterable {
    /// On main, as objects of Core Data have to be.
    case main
    /// On the thread of the client, which hands values to main.
    case beside
  }

  static let responses = Setting<Responses>(
    "responses", default: .main, isOption: true, isOfStrategies: true,
    "Where GRDB reads the row of a response: on main, or beside it.")

  /// On the file of the cell, in which the tables of notes and words are GRDB's.
  let pool: DatabasePool
  /// Of the idle container: the harness asks for it.
  let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment

  init(_ environment: StrategyEnvironment) throws {
    self.environment = environment
    mainContext = environment.container.viewContext
    environment.adopt(mainContext, name: "main")
    guard let file = environment.container.persistentStoreDescriptions.first?.url else {
      preconditionFailure("a cell without a file: grdb-pool needs a store on disk")
    }
    pool = try DatabasePool(path: file.path)
    let synchronous = environment.settings[Keys.synchronous].rawValue
    try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(synchronous)") }
    try pool.write(NotebookTables.create)
  }

  func makeReader(named name: String) -> NSManagedObjectContext {
    let context = environment.container.newBackgroundContext()
    environment.adopt(context, name: name)
    return context
  }

  func makeWriter(named name: String) -> any StrategyWriter { NoWriter() }

  /// Does nothing: the harness's warm-up goes through contexts, and has nothing to warm here.
  private final class NoWriter: StrategyWriter {
    func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) {}
  }
}
