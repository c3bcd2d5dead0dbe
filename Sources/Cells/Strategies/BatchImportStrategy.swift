import CoreData
import Scenarios
import Scheduling

/// A unit that only inserts rows of one entity, without relationships, is one batch insert request; any other is a save.
///
/// A request cannot set relationships, and several would be several transactions. Contexts learn nothing of a request: main
/// merges the IDs that it gives, or follows the store's persistent history.
package final class BatchImportStrategy: Strategy {
  package static let name = "batch-import"
  package static let summary =
    "Units of new rows without relationships are batch insert requests, and others saves; main merges IDs or history."
  package static let options = ["batch_rows": "dictionaries", "batch_merge": "ids", "reset_after_save": "true"]
  package static let keys = [Keys.batchRows.key, Keys.batchMerge.key, Keys.historyPurgeEvery.key]

  package static func deliversSaves(_ settings: ScenarioSettings) -> Bool { true }
  package static func followsHistory(_ settings: ScenarioSettings) -> Bool { settings[Keys.batchMerge] == .history }

  package let mainContext: NSManagedObjectContext
  private let environment: StrategyEnvironment
  private let follower: HistoryFollower?

  package init(_ environment: StrategyEnvironment) throws {
    self.environment = environment
    mainContext = environment.container.viewContext
    environment.adopt(mainContext, name: "main")
    follower =
      Self.followsHistory(environment.settings) ? try HistoryFollower(into: mainContext, environment) : nil
  }

  package func makeWriter(named name: String) -> any StrategyWriter {
    let merges: MergedIDs? = follower == nil ? MergedIDs(main: mainContext, environment: environment) : nil
    return BatchWriter(context: makeReader(named: name), merges: merges, environment)
  }

  package func makeReader(named name: String) -> NSManagedObjectContext {
    environment.newBackgroundContext(named: name)
  }

  package func whenMainIsCurrent(_ body: @escaping @Sendable () -> Void) {
    if let follower { follower.whenMainIsCurrent(body) } else { mainContext.perform(body) }
  }

  /// Brings the written objects to main, by their IDs.
  private struct MergedIDs: Sendable {
    let main: NSManagedObjectContext
    let environment: StrategyEnvironment

    func merge(_ save: RemoteSave) {
      environment.deliver { [self] in
        main.perform { [self] in
          environment.measure(.merge) {
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: save.identifiers, into: [main])
          }
        }
      }
    }
  }

  /// Writes a unit by a request where that can be done, and by a save where not.
  private final class BatchWriter: StrategyWriter {
    private let context: NSManagedObjectContext
    private let merges: MergedIDs?
    private let observation: SaveObservation?
    private let setsObjects: Bool
    private let resetsAfterSave: Bool

    init(context: NSManagedObjectContext, merges: MergedIDs?, _ environment: StrategyEnvironment) {
      self.context = context
      self.merges = merges
      observation = merges.map { merges in
        SaveObservation(of: context, environment) { merges.merge(RemoteSave($0)) }
      }
      setsObjects = environment.settings[Keys.batchRows] == .objects
      resetsAfterSave = environment.settings[Keys.resetAfterSave]
    }

    func write(_ edit: (NSManagedObjectContext) throws -> Void, reached: (WriteStage) -> Void) throws {
      let unit = UnitOfWork(context: context, resetsAfterSave: resetsAfterSave)
      try context.performAndWait {
        try unit.run(edit, reached: reached) { [self] in
          guard let rows = BatchRows(context) else { return try context.save() }
          let ids = try rows.insert(into: context, settingObjects: setsObjects)
          // The objects were drafts of the rows.
          context.reset()
          merges?.merge(RemoteSave(inserted: ids.map { $0.uriRepresentation() }, updated: [], deleted: []))
        }
      }
    }
  }
}

/// The new objects of a context, where a batch insert request can write all that is unsaved there.
private struct BatchRows {
  private let entity: NSEntityDescription
  private let objects: [NSManagedObject]
  private let attributes: [String]

  /// Nil where it cannot.
  init?(_ context: NSManagedObjectContext) {
    guard context.updatedObjects.isEmpty, context.deletedObjects.isEmpty else { return nil }
    let objects = Array(context.insertedObjects)
    guard let entity = objects.first?.entity else { return nil }
    let relationships = Array(entity.relationshipsByName.keys)
    // A dictionary without a value gives the default.
    let defaulted = entity.attributesByName.values.filter { $0.defaultValue != nil }.map(\.name)
    for object in objects {
      // The client that asked for a permanent ID may have handed it on.
      guard object.entity == entity, object.objectID.isTemporaryID,
        !relationships.contains(where: { object.hasObjects(of: $0) }),
        !defaulted.contains(where: { object.value(forKey: $0) == nil })
      else { return nil }
    }
    self.entity = entity
    self.objects = objects
    attributes = entity.attributesByName.values.filter { !$0.isTransient }.map(\.name)
  }

  /// Writes them as one transaction; a request does not validate.
  func insert(into context: NSManagedObjectContext, settingObjects: Bool) throws -> [NSManagedObjectID] {
    precondition(!objects.isEmpty, "a request inserts at least one row")
    for object in objects { try object.validateForInsert() }
    let request = settingObjects ? requestSettingObjects : NSBatchInsertRequest(entity: entity, objects: dictionaries)
    request.resultType = .objectIDs
    let result = try context.execute(request) as? NSBatchInsertResult
    return result?.result as? [NSManagedObjectID] ?? []
  }

  private var dictionaries: [[String: Any]] {
    objects.map { object in
      var values: [String: Any] = [:]
      for name in attributes { values[name] = object.value(forKey: name) }
      return values
    }
  }

  private var requestSettingObjects: NSBatchInsertRequest {
    var rest = objects[...]
    return NSBatchInsertRequest(entity: entity) { [attributes] (row: NSManagedObject) in
      guard let object = rest.popFirst() else { return true }
      for name in attributes { row.setValue(object.value(forKey: name), forKey: name) }
      return false
    }
  }
}

extension NSManagedObject {
  fileprivate func hasObjects(of relationship: String) -> Bool {
    switch value(forKey: relationship) {
    case nil: false
    case let set as NSSet: set.count > 0
    case let list as NSOrderedSet: list.count > 0
    default: true
    }
  }
}

extension Keys {
  /// How the rows of a batch insert request are given.
  package enum BatchRows: String, CaseIterable, Sendable {
    case dictionaries
    case objects
  }

  /// How main hears of batch insert requests and saves.
  package enum BatchMerge: String, CaseIterable, Sendable {
    case ids
    case history
  }

  package static let batchRows = Setting<BatchRows>(
    "batch_rows", default: .dictionaries, isOption: true, isOfStrategies: true,
    "How the rows of a batch insert request are given: as dictionaries, or by a handler that sets an object's attributes."
  )
  package static let batchMerge = Setting<BatchMerge>(
    "batch_merge", default: .ids, isOption: true, isOfStrategies: true,
    "How main hears of batch insert requests and saves: by the IDs of their objects, or by the store's persistent history."
  )
}
