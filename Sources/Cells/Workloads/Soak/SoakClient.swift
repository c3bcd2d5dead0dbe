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
