import Checking
import CoreData
import Scheduling

/// One thread of a soak: does one operation after the other.
///
/// Concurrency: used by one thread at a time.
protocol SoakClient: AnyObject, Sendable {
  /// Its history and latencies.
  var recorder: WorkerRecorder { get }
  /// The contexts that are checked in the end.
  var contexts: [NSManagedObjectContext] { get }

  /// Does one operation.
  func perform(_ operation: SoakOperation)
}

/// One step of a client of a soak.
enum SoakOperation: String, CaseIterable, Sendable {
  case insert, edit, relate, delete, fetch, refresh
  case rollBack = "roll-back"
  case nest, push

  /// How often each is drawn where a scenario says nothing.
  static let defaultWeights: [String: Int] = [
    "insert": 5, "edit": 5, "relate": 3, "delete": 3, "fetch": 6, "refresh": 2, "roll-back": 1, "nest": 2, "push": 3,
  ]
}
