import Foundation
import Synchronization

/// What one thread holds and waits for.
///
/// Records are recycled when their thread ends and never freed, so that the graph may follow them at any time.
package final class ThreadRecord: @unchecked Sendable {
  // Sendable: `held` belongs to the record's own thread; the other variables to the wait-for graph's lock.

  /// True for the main thread's record, which always holds the main queue.
  package let isMain: Bool
  /// Raised each time the record goes to a new thread; written under the graph's lock by the record's own thread.
  private(set) var generation: UInt64 = 0
  /// Number of the thread, in the order in which threads first came here.
  private(set) var number = 0
  /// Queues this thread is inside of, outermost first; only touched by the thread itself.
  var held: ContiguousArray<SerialQueue> = []
  /// What the thread waits for; only touched under the graph's lock.
  var waitsFor: (any WaitTarget)?
  /// What the thread runs, for messages; written by the thread itself under the graph's lock, so that it may read it
  /// without.
  var activity: String?

  init(isMain: Bool) { self.isMain = isMain }

  /// The record of the calling thread.
  @inline(__always)
  package static var current: ThreadRecord {
    if let raw = pthread_getspecific(key) {
      return Unmanaged<ThreadRecord>.fromOpaque(raw).takeUnretainedValue()
    }
    return adopt()
  }

  /// Name of the thread for messages: "main thread", or what it runs and its number; another thread's only under the
  /// graph's lock.
  package var name: String {
    if isMain { return "main thread" }
    if let activity { return "thread \(number) (\(activity))" }
    return "thread \(number)"
  }

  /// The main thread's record.
  static let main = ThreadRecord(isMain: true)

  private static let free = Locked<[ThreadRecord]>([])

  /// The calling thread's return addresses, innermost first, as far as they have names.
  package static var backtrace: [String] { Thread.callStackSymbols }

  private static let threadCount = Atomic<Int>(0)

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { raw in
      guard let raw else { return }
      let record = Unmanaged<ThreadRecord>.fromOpaque(raw).takeUnretainedValue()
      guard !record.isMain else { return }
      ThreadRecord.free.withLock { $0.append(record) }
    }
    return key
  }()

  @inline(never)
  private static func adopt() -> ThreadRecord {
    let record = Thread.isMainThread ? main : free.withLock { $0.popLast() } ?? ThreadRecord(isMain: false)
    WaitForGraph.update {
      record.generation += 1
      record.number = threadCount.add(1, ordering: .relaxed).newValue
      record.activity = nil
    }
    // Retained for ever: see the type's comment.
    pthread_setspecific(key, Unmanaged.passRetained(record).toOpaque())
    return record
  }
}
