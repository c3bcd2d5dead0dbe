import CRuntime
import Foundation
import Synchronization

/// The state of one thread in the wait-for graph: what it holds and waits for.
///
/// Records are recycled when their thread ends and never freed, so that the graph may follow them at any time.
package final class ThreadRecord: @unchecked Sendable {
  // Sendable: `innermost` belongs to the record's own thread; the other variables to the wait-for graph's lock.

  /// True for the main thread's record, which always holds the main queue.
  package let isMain: Bool
  /// Raised each time the record goes to a new thread; written under the graph's lock by the record's own thread.
  private(set) var generation: UInt64 = 0
  /// Number of the thread, in the order in which threads first came here.
  private(set) var number = 0
  /// Address of the queue the thread is directly inside of; the main queue's for the main thread outside of all.
  @exclusivity(unchecked)
  @usableFromInline var innermost: UnsafeRawPointer?
  /// Uses that ``isInside(_:)`` was asked about; written by the thread itself.
  @usableFromInline let uses = Atomic<Int>(0)
  /// Queues that the thread is inside of, once lock orders were looked for; only touched by the thread itself.
  @exclusivity(unchecked)
  var orders: OrderTrace?
  /// The task of a simulation that runs on the thread; written by the thread itself under the graph's lock, so that it may read it
  /// without.
  @exclusivity(unchecked)
  private(set) var task: SimulatedTask?
  /// The task that the thread runs, where the order of a live process is noted; only touched by the thread itself.
  @exclusivity(unchecked)
  var noted: LiveOrder.Task?
  /// Entries into queues, inline ones not counted; written by the thread itself.
  private let entries = Atomic<Int>(0)
  /// The target of the thread's wait; only touched under the graph's lock.
  var waitsFor: (any WaitTarget)?
  /// The thread's work, for messages; written by the thread itself under the graph's lock, so that it may read it without.
  var activity: String?

  init(isMain: Bool) {
    self.isMain = isMain
    Self.all.withLock { $0.append(self) }
  }

  private static let all = Locked<[ThreadRecord]>([])

  /// Every record that was made, also those that no thread has now.
  static var everyone: [ThreadRecord] { all.current }

  // MARK: Confinement

  /// The thread enters a queue; the address of the one it was directly inside of before.
  @inline(__always)
  func enter(_ queue: SerialQueue) -> UnsafeRawPointer? {
    entries.store(entries.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    defer { innermost = queue.address }
    return innermost
  }

  /// Leaves the queue that the thread entered last; the thread is directly inside of `outer` again.
  @inline(__always)
  func leave(_ queue: SerialQueue, to outer: UnsafeRawPointer?) {
    innermost = outer
    if orders != nil { orders?.leave(queue) }
  }

  /// Entries into queues by all threads together.
  static var countedEntries: Int { all.withLock { $0.reduce(0) { $0 + $1.entries.load(ordering: .relaxed) } } }

  /// Address of the subject of the thread's innermost block; only touched by the thread itself.
  @exclusivity(unchecked)
  private var subject: UnsafeRawPointer?

  /// The subject of the calling thread's innermost block; nil outside of blocks that have one.
  package static var subject: UnsafeRawPointer? { Reference.current.with { $0.subject } }

  /// Sets the calling thread's subject from now on; returns the one before.
  package static func replaceSubject(_ new: UnsafeRawPointer?) -> UnsafeRawPointer? {
    Reference.current.with { record in
      defer { record.subject = new }
      return record.subject
    }
  }

  /// Where the thread collects objects still to be released; only touched by the thread itself.
  @exclusivity(unchecked)
  private var releases: UnsafeMutableRawPointer?

  /// Where the calling thread collects objects still to be released; nil while it does not.
  package static var releases: UnsafeMutableRawPointer? {
    get { Reference.current.with { $0.releases } }
    set { Reference.current.with { $0.releases = newValue } }
  }

  /// Whether the calling thread is directly inside the queue at `address`; false does not say that it does not hold it
  /// further out. Counts the question.
  ///
  /// Takes no reference: it is asked on each use of an object.
  @inlinable @inline(__always)
  package static func isInside(_ address: UnsafeRawPointer) -> Bool {
    guard let raw = contextbench_get_thread_record() else { return false }
    return Unmanaged<ThreadRecord>.fromOpaque(raw)._withUnsafeGuaranteedRef { record in
      record.uses.store(record.uses.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
      return record.innermost == address
    }
  }

  /// How often ``isInside(_:)`` was asked by all threads together.
  package static var countedUses: Int {
    all.withLock { $0.reduce(0) { $0 + $1.uses.load(ordering: .relaxed) } }
  }

  /// A record without a reference counted: records are never freed.
  struct Reference {
    private let unmanaged: Unmanaged<ThreadRecord>

    init(_ record: ThreadRecord) { unmanaged = .passUnretained(record) }

    private init(raw: UnsafeMutableRawPointer) { unmanaged = .fromOpaque(raw) }

    /// The record of the calling thread.
    @inline(__always)
    static var current: Reference {
      if let raw = contextbench_get_thread_record() { return Reference(raw: raw) }
      return Reference(adopt())
    }

    /// Names the record, as in an ``OwnerWord``; never 0.
    @inline(__always)
    var address: UInt { UInt(bitPattern: unmanaged.toOpaque()) }

    var record: ThreadRecord { unmanaged.takeUnretainedValue() }

    @inline(__always)
    func with<Result>(_ body: (ThreadRecord) -> Result) -> Result { unmanaged._withUnsafeGuaranteedRef(body) }
  }

  /// The record of the calling thread.
  @inline(__always)
  package static var current: ThreadRecord { Reference.current.record }

  /// Name of the thread for messages: "main thread", or its work and its number; in a simulation the name of its task, whatever
  /// thread that got. Another thread's only under the graph's lock.
  package var name: String {
    if isMain { return "main thread" }
    if let task { return task.name }
    if let activity { return "thread \(number) (\(activity))" }
    return "thread \(number)"
  }

  /// The same for the calling thread's own steps: where the order of a live process is noted, the name of the task that it would
  /// be.
  var stepName: String { task?.name ?? LiveOrder.task(of: self)?.name ?? name }

  /// Makes the thread the given task of a simulation, and as new: values of a thread belong to a task.
  func begin(_ new: SimulatedTask) {
    orders = nil
    new.thread = self
    WaitForGraph.update {
      task = new
      generation += 1
    }
  }

  /// Ends the task, with its values.
  func endTask() {
    task?.values = [:]
    WaitForGraph.update { task = nil }
  }

  /// The main thread's record.
  static let main = ThreadRecord(isMain: true)

  private static let free = Locked<[ThreadRecord]>([])

  /// The calling thread's return addresses, innermost first, as far as they have names.
  package static var backtrace: [String] { Thread.callStackSymbols }

  /// The same without names.
  package static var returnAddresses: [UInt] { Thread.callStackReturnAddresses.map(\.uintValue) }

  private static let threadCount = Atomic<Int>(0)

  /// Tells when a thread with a record ends.
  private static let endOfThread: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { raw in
      guard let raw else { return }
      let record = Unmanaged<ThreadRecord>.fromOpaque(raw).takeUnretainedValue()
      contextbench_set_thread_record(nil)
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
    record.orders = nil
    record.subject = nil
    record.task = nil
    record.noted = nil
    if record.isMain { record.innermost = SerialQueue.processMain.address }
    // Retained for ever: see the type's comment.
    let raw = Unmanaged.passRetained(record).toOpaque()
    pthread_setspecific(endOfThread, raw)
    contextbench_set_thread_record(raw)
    return record
  }
}
