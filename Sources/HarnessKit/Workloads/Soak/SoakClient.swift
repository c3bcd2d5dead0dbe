import Checking
import CoreData

/// One thread of a soak: does one operation after the other.
///
/// Concurrency: used by one thread at a time.
protocol SoakClient: AnyObject, Sendable {
  /// Its history and latencies.
  var recorder: WorkerRecorder { get }
  /// The contexts that are looked at in the end.
  var contexts: [NSManagedObjectContext] { get }

  /// Does one operation.
  func perform(_ operation: SoakOperation)
}

/// How a soak's clients take what a save says.
enum SoakOutcome {
  /// What a save may say when somebody else was faster or something went wrong beneath: a row changed, what is referred
  /// to is gone, the file is locked or cannot be written.
  private static let expectedCodes = [
    NSManagedObjectMergeError, NSPersistentStoreSaveError, NSManagedObjectReferentialIntegrityError,
  ]

  /// What is referred to is gone, or several things are wrong.
  private static let validationCodes = NSManagedObjectValidationError...NSValidationStringPatternMatchingError

  /// Records what was acknowledged.
  static func acknowledge(
    _ changes: SoakChanges, _ supply: SoakSupply, _ recorder: WorkerRecorder, _ session: CellSession
  ) {
    changes.record(.ok, in: recorder.history)
    supply.count(inserted: changes.inserted.count, deleted: changes.deleted.count)
    session.countAcknowledged(changes.objectCount)
  }

  /// Records what was refused, or is under way with an unknown end; an error that no save should give ends the cell.
  static func refuse(
    _ changes: SoakChanges, _ error: any Error, isUnknown: Bool, _ recorder: WorkerRecorder, _ session: CellSession
  ) {
    let code = (error as NSError).code
    guard expectedCodes.contains(code) || validationCodes.contains(code) else { session.fail(error) }
    recorder.recordFailure(of: "save", in: "soak")
    recorder.history.record(.fail, .save, value: Int64(code))
    changes.record(isUnknown ? .info : .fail, in: recorder.history)
  }
}
