import Checking
import CoreData

extension Hazard {
  /// The store is closed and opened anew, as at a log-out, while a child's save has reached its parent and not the file.
  static let storeReset = Hazard(
    "store-reset", "The store is reset while a child's save is on its way to it.",
    careless: { stage in try saveAroundReset(stage, resetsBetween: true) },
    careful: { stage in try saveAroundReset(stage, resetsBetween: false) })

  private static func saveAroundReset(_ stage: HazardStage, resetsBetween: Bool) throws {
    let root = stage.session.container.newBackgroundContext()
    stage.session.environment.adopt(root, name: "root")
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = root
    stage.session.environment.adopt(child, name: "child")
    let history = stage.recorder.history
    let entity = NotebookModel.EntityNumber.note
    let number = 3_000_000 + Int64(stage.round)
    try child.performAndWait {
      let note = Note(context: child)
      let now = Date()
      note.fill(
        NoteRow(
          number: number, uuid: UUID(), title: "note", body: "body", language: "ko-en", createdAt: now, modifiedAt: now,
          isPinned: false))
      history.record(.invoke, .insert, entity: entity, key: number)
      try child.save()
    }
    if resetsBetween { try resetStore(stage) }
    root.performAndWait {
      do {
        try root.save()
        history.record(.ok, .insert, entity: entity, key: number)
      } catch {
        history.record(.fail, .save, value: Int64((error as NSError).code))
        history.record(.fail, .insert, entity: entity, key: number)
        root.rollback()
      }
    }
    if resetsBetween { try openStore(stage) } else { try resetStore(stage); try openStore(stage) }
  }

  private static func resetStore(_ stage: HazardStage) throws {
    let coordinator = stage.session.container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  private static func openStore(_ stage: HazardStage) throws {
    let container = stage.session.container
    guard let description = container.persistentStoreDescriptions.first else {
      preconditionFailure("a cell's container has one description")
    }
    _ = try container.persistentStoreCoordinator.addPersistentStore(
      ofType: description.type, configurationName: description.configuration, at: description.url,
      options: description.options)
  }
}
