extension NSPersistentStoreCoordinator {
  /// Writes the metadata set since the last save, where there is nothing else to save.
  final func saveMetadata() throws {
    for entry in stores.all where entry.sqlite.hasUnsavedMetadata { try turn.sync { try entry.sqlite.saveMetadata() } }
  }

  /// Writes a context's changes, in the writer's turn; other contexts learn of it in commit order.
  ///
  /// - Returns: the saved changes, and the changes by merge policies in the context on the way.
  /// - Throws: `PartialSave` when only some of the stores have them.
  final func save(_ context: NSManagedObjectContext) throws -> (record: SaveRecord, resolution: ObjectSets) {
    try turn.sync {
      let watched = ContextWatch.isOn ? ContextWatch.Save(beginning: context) : nil
      var save = try StoreSave(context, self)
      do {
        let record = try save.run()
        watched?.tell(record)
        observers.tell(record, except: context)
        return (record, save.resolution)
      } catch let partial as PartialSave {
        watched?.tell(partial.record)
        observers.tell(partial.record, except: context)
        throw partial
      }
    }
  }
}
