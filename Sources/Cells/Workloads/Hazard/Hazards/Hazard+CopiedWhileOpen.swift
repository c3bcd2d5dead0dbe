import Checking
import CoreData

extension Hazard {
  /// A backup takes the store's file while the store is open: saves since the last checkpoint are in the log.
  static let copiedWhileOpen = Hazard(
    "copied-while-open", "A backup copies a store's file while the store is open.", schema: KeyedSchema.counter,
    careless: { stage in try backUp(stage, closesFirst: false) },
    careful: { stage in try backUp(stage, closesFirst: true) })

  private static func backUp(_ stage: HazardStage, closesFirst: Bool) throws {
    let path = "\(stage.session.directory)/backed-up-\(stage.round).sqlite"
    let keys: Range<Int64> = 1..<11
    try copy(path, closesFirst: closesFirst) {
      let store = try LifecycleStore(path, stage.session.environment)
      try store.insert(keys, value: 1)
      return store
    }
    stage.session.count(\.copiesRead)
    for violation in LifecycleRules.copy(path + "-copy", "backup", has: keys) { CellReports.report(violation) }
  }

  private static func copy(_ path: String, closesFirst: Bool, _ open: () throws -> LifecycleStore) throws {
    let take = { try FileManager.default.copyItem(atPath: path, toPath: path + "-copy") }
    guard !closesFirst else {
      // The store is removed from its coordinator when it is copied.
      do { try open().close() }
      return try take()
    }
    let store = try open()
    try take()
    try store.close()
  }
}
