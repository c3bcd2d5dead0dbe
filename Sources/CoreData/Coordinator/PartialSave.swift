import RowStore

/// A save to several stores that failed after some commits: these stay.
struct PartialSave: Error {
  /// The saved part.
  let record: SaveRecord
  /// Why the rest was not.
  let error: NSError

  init(_ record: SaveRecord, _ underlying: any Error, lacking stores: [NSPersistentStore]) {
    self.record = record
    let names = stores.map(\.sqlite.place.label).joined(separator: ", ")
    error = NSError.coreData(
      NSPersistentStoreIncompleteSaveError,
      "The save is only in some of its stores; the changes of \(names) are still unsaved: "
        + (underlying as NSError).localizedDescription,
      underlying: underlying, userInfo: [NSAffectedStoresErrorKey: stores])
  }
}
