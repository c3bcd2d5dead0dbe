import CoreData

/// Mistakes in the notifications of a save.
extension Hazard {
  /// A batch update goes past every context, without a notification.
  static let untoldBatchUpdate = Hazard(
    "untold-batch-update", "Rows are changed by a batch update, and no context is notified.",
    careless: { stage in
      let context = try stage.makeContext("editor")
      try context.performAndWait {
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.predicate = NSPredicate(format: "number == %ld", stage.noteNumber)
        update.propertiesToUpdate = ["isPinned": true]
        _ = try context.execute(update)
      }
    },
    careful: { stage in
      let context = try stage.makeContext("editor")
      try context.performAndWait {
        try stage.note(in: context).isPinned = true
        try context.save()
        try context.parent?.performAndWait { try context.parent?.save() }
      }
    })

  /// The notification of a save is posted a second time, for an observer that came late.
  static let repostedNotification = Hazard(
    "reposted-notification", "The notification of a save is posted again for those who missed it.",
    careless: { stage in try save(stage, reposts: true) },
    careful: { stage in try save(stage, reposts: false) })

  private static func save(_ stage: HazardStage, reposts: Bool) throws {
    let context = try stage.makeContext("editor")
    try context.performAndWait {
      let note = try stage.note(in: context)
      note.revision += 1
      try context.save()
      guard reposts else { return }
      NotificationCenter.default.post(
        name: .NSManagedObjectContextDidSave, object: context, userInfo: [NSUpdatedObjectsKey: Set([note])])
    }
  }

  /// A notification is made up before the save, which then is refused.
  static let inventedNotification = Hazard(
    "invented-notification", "A notification is posted for a save before it is made, and the save is refused.",
    careless: { stage in try editWithoutTitle(stage, tellsFirst: true) },
    careful: { stage in try editWithoutTitle(stage, tellsFirst: false) })

  private static func editWithoutTitle(_ stage: HazardStage, tellsFirst: Bool) throws {
    let context = try stage.makeContext("editor")
    // Held, so that no later context is at its place in memory and passes for it.
    stage.keep(context)
    try context.performAndWait {
      let note = try stage.note(in: context)
      note.title = nil
      if tellsFirst {
        NotificationCenter.default.post(
          name: .NSManagedObjectContextDidSave, object: context, userInfo: [NSUpdatedObjectsKey: Set([note])])
      }
      do {
        try context.save()
      } catch let error as NSError where error.code == NSValidationMissingMandatoryPropertyError {
        context.rollback()
      }
    }
  }

  /// An app posts notifications of saves by itself: with an object that its context has released, with IDs of no save,
  /// with IDs of other objects, and without IDs.
  static let forgedNotification = Hazard(
    "forged-notification", "Notifications of saves are posted by hand, and are of no save.",
    careless: { stage in try save(stage, forges: true) },
    careful: { stage in try save(stage, forges: false) })

  private static func save(_ stage: HazardStage, forges: Bool) throws {
    let context = try stage.makeContext("editor")
    // Held, so that no later context is at its place in memory and passes for it.
    stage.keep(context)
    try context.performAndWait {
      let note = try stage.note(in: context)
      note.revision += 1
      try context.save()
      guard forges else { return }
      func post(_ name: Notification.Name, _ information: [String: Any] = [:]) {
        NotificationCenter.default.post(name: name, object: context, userInfo: information)
      }
      post(.NSManagedObjectContextDidSaveObjectIDs, [NSUpdatedObjectIDsKey: Set([note.objectID])])
      post(.NSManagedObjectContextWillSave)
      post(.NSManagedObjectContextDidSave, [NSUpdatedObjectsKey: Set([note])])
      post(.NSManagedObjectContextDidSaveObjectIDs, [NSDeletedObjectIDsKey: Set([note.objectID])])
      post(.NSManagedObjectContextWillSave)
      post(.NSManagedObjectContextDidSave, [NSUpdatedObjectsKey: Set([note])])
      context.reset()
      post(.NSManagedObjectContextWillSave)
      post(.NSManagedObjectContextDidSave, [NSUpdatedObjectsKey: Set([note])])
      post(.NSManagedObjectContextDidSaveObjectIDs, [NSUpdatedObjectIDsKey: Set([note.objectID])])
    }
  }
}
