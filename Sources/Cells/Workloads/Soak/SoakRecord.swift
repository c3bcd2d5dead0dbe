import Checking
import CoreData

/// What a client of a soak records of its changes, and how it takes what a save says.
struct SoakRecord {
  /// What a save may say when somebody else was faster or something went wrong beneath: a row changed, what is referred
  /// to is gone, the file is locked or cannot be written.
  private static let expectedCodes = [
    NSManagedObjectMergeError, NSPersistentStoreSaveError, NSManagedObjectReferentialIntegrityError,
  ]

  /// What is referred to is gone, or several things are wrong.
  private static let validationCodes = NSManagedObjectValidationError...NSValidationStringPatternMatchingError

  let session: CellSession
  let supply: SoakSupply
  let recorder: WorkerRecorder

  /// Records what a save makes of changes; false where it was refused.
  func commit(_ changes: SoakChanges, _ save: () throws -> Void) -> Bool {
    invoke(changes)
    do {
      try save()
    } catch {
      refuse(changes, error, isUnknown: false)
      return false
    }
    acknowledge(changes)
    return true
  }

  /// Records that changes are about to be saved.
  func invoke(_ changes: SoakChanges) { changes.record(.invoke, in: recorder.history) }

  /// Records that changes are in the file.
  func acknowledge(_ changes: SoakChanges) {
    changes.record(.ok, in: recorder.history)
    supply.count(inserted: changes.inserted.count, deleted: changes.deleted.count)
    session.countAcknowledged(changes.objectCount)
  }

  /// Records that nobody knows what becomes of changes: only a parent has them so far.
  func leaveOpen(_ changes: SoakChanges) { changes.record(.info, in: recorder.history) }

  /// Records what was refused, or is under way with an unknown end; an error that no save should give ends the cell.
  func refuse(_ changes: SoakChanges, _ error: any Error, isUnknown: Bool) {
    let code = (error as NSError).code
    guard Self.expectedCodes.contains(code) || Self.validationCodes.contains(code) else { session.fail(error) }
    recorder.recordFailure(of: "save", in: "soak")
    recorder.history.record(.fail, .save, value: Int64(code))
    changes.record(isUnknown ? .info : .fail, in: recorder.history)
  }
}
