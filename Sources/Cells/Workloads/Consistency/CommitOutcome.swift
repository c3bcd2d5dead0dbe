import CoreData

/// The outcome of a unit of work.
enum CommitOutcome: Equatable {
  /// It is in the file.
  case durable
  /// Nothing of it is there, nor will be.
  case refused(code: Int)
  /// It may be there: it was pushed and not saved, or the save broke off.
  case unknown(code: Int)

  /// The outcome of a unit, by the error of its save.
  init(_ error: any Error, wasPushed: Bool) {
    let code = (error as NSError).code
    self = !wasPushed && Self.isRefusal(code) ? .refused(code: code) : .unknown(code: code)
  }

  /// Whether a save with this error has left nothing behind for certain: it was refused before the transaction was
  /// committed.
  static func isRefusal(_ code: Int) -> Bool {
    switch code {
    case NSManagedObjectMergeError, NSManagedObjectConstraintMergeError: true
    case 1550...1680: true
    default: false
    }
  }
}
