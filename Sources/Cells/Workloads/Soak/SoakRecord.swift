import Checking
import CoreData

/// Records the changes of a soak's client and the outcome of their save.
struct SoakRecord {
  /// The errors of a save when another client was faster or the file failed: a row changed, a target is gone,
  /// the file is locked or cannot be written.
  private static let expectedCodes = [
    NSManagedObjectMergeError, NSPersistentStoreSaveError, NSManagedObjectReferentialIntegrityError,
  ]

  /// A missing target of a relationship, or several errors.
  private static let validationCodes = NSManagedObjectValidationError...NSValidationStringPatternMatchingError

  let session: CellSession
  let supply: SoakSupply
  let recorder: WorkerRecorder

  /// Whether a save may fail with this code; with any other the cell ends.
  static func isExpected(_ code: Int) -> Bool { expectedCodes.contains(code) || validationCodes.contains(code) }

  /// Makes changes, saves them, and records the outcome; false where the save was refused.
  func commit(_ change: () throws -> SoakChanges, _ save: () throws -> Void) rethrows -> Bool {
    let changes = try recorder.history.recordingUnit {
      let changes = try change()
      changes.record(.invoke, in: recorder)
      return changes
    }
    do {
      try save()
    } catch {
      refuse(changes, error)
      return false
    }
    changes.record(.ok, in: recorder)
    session.countAcknowledged(changes.objectCount)
    count(changes)
    return true
  }

  /// Counts the changes that came to the file.
  func count(_ changes: SoakChanges) {
    supply.count(inserted: changes.inserted.count, deleted: changes.deleted.count)
  }

  private func refuse(_ changes: SoakChanges, _ error: any Error) {
    let code = (error as NSError).code
    guard Self.isExpected(code) else { session.fail(error) }
    recorder.recordFailure(of: "save", in: "soak")
    recorder.history.record(.fail, .save, value: Int64(code))
    changes.record(.fail, in: recorder)
  }
}
