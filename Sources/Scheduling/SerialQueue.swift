import Dispatch
import Foundation

/// A queue that runs one block at a time: the main queue, a private one, or the confinement to one thread.
///
/// A thread *holds* a queue while the queue is anywhere on its stack of ``sync(_:)`` calls and dequeued blocks; the
/// main thread always holds the main queue. `sync` on a held queue runs inline.
package final class SerialQueue: Sendable {
  private enum Kind {
    case main
    case dispatch(DispatchQueue)
    case thread(ThreadRecord, generation: UInt64)
  }

  /// Who holds the queue; the graph's lock guards it.
  private final class Ownership: @unchecked Sendable {
    // Sendable: only touched under the graph's lock.
    var thread: ThreadRecord?
  }

  private let kind: Kind
  private let ownership = Ownership()
  private let label: Locked<String>

  /// The main queue.
  package static let main = {
    dispatchMain.setSpecific(key: mainMark, value: ())
    return SerialQueue(kind: .main, label: "main queue")
  }()

  // Named, since the compiler takes closures passed to `DispatchQueue.main` itself for `@MainActor` ones.
  private static let dispatchMain = DispatchQueue.main

  /// Found in blocks of the main queue that did not come through here, such as `@MainActor` code off the main thread.
  private static let mainMark = DispatchSpecificKey<Void>()

  /// A private queue.
  package convenience init(label: String) {
    self.init(kind: .dispatch(DispatchQueue(label: label)), label: label)
  }

  private init(kind: Kind, label: String) {
    self.kind = kind
    self.label = Locked(label)
  }

  /// Confinement to the calling thread: nothing can be enqueued; only this thread holds it.
  package static func confinedToCurrentThread(label: String) -> SerialQueue {
    let thread = ThreadRecord.current
    return SerialQueue(kind: .thread(thread, generation: thread.generation), label: label)
  }

  /// Name for messages.
  package var name: String { label.withLock { $0 } }

  /// Changes the name used in messages.
  package func rename(_ name: String) { label.withLock { $0 = name } }

  /// Whether blocks can be enqueued: false for a confinement.
  package var acceptsBlocks: Bool {
    if case .thread = kind { false } else { true }
  }

  /// Names the queue as long as it lives, for ``ThreadRecord/isInside(_:)``.
  package var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

  package var isMain: Bool {
    if case .main = kind { true } else { false }
  }

  /// Whether the calling thread holds this queue.
  @inline(__always)
  package var isHeld: Bool {
    let thread = ThreadRecord.current
    switch kind {
    case .main: return thread.isMain || isMainServedHere(by: thread)
    case .dispatch: return thread.held.contains { $0 === self }
    case .thread(let owner, let generation): return owner === thread && owner.generation == generation
    }
  }

  /// Whether a main-queue block is on the calling thread's stack although it is not the main thread: so it is on Linux
  /// in an `async` main, after `dispatchMain()` and under test runners.
  @inline(never)
  private func isMainServedHere(by thread: ThreadRecord) -> Bool {
    thread.held.contains { $0 === self } || DispatchQueue.getSpecific(key: Self.mainMark) != nil
  }

  /// Enqueues `block` and returns.
  ///
  /// - Precondition: the queue accepts blocks.
  package func async(_ block: @escaping @Sendable () -> Void) {
    switch kind {
    case .main: Self.dispatchMain.async { self.holdingMain(block) }
    case .dispatch(let queue): queue.async { self.holding(block) }
    case .thread: preconditionFailure("\(name) is confined to a thread and cannot be sent blocks")
    }
  }

  /// Runs `block` in this queue's turn before it returns: inline when the calling thread holds the queue, on the main
  /// thread for the main queue, else on the calling thread.
  ///
  /// - Precondition: the queue accepts blocks, or the calling thread is the one it is confined to.
  package func sync<Result>(_ block: () throws -> Result) rethrows -> Result {
    if isHeld { return try block() }
    let thread = ThreadRecord.current
    switch kind {
    case .main:
      WaitForGraph.beginWait(thread, for: self)
      defer { WaitForGraph.endWait(thread) }
      return try Self.dispatchMain.sync { try holdingMain(block) }
    case .dispatch(let queue):
      WaitForGraph.beginWait(thread, for: self)
      return try queue.sync { try holding(block) }
    case .thread:
      preconditionFailure("\(name) is confined to another thread; this one cannot enter it")
    }
  }

  private func holdingMain<Result>(_ block: () throws -> Result) rethrows -> Result {
    try ThreadRecord.current.isMain ? block() : holding(block)
  }

  private func holding<Result>(_ block: () throws -> Result) rethrows -> Result {
    let thread = ThreadRecord.current
    WaitForGraph.update {
      thread.waitsFor = nil
      ownership.thread = thread
    }
    thread.enter(self)
    defer {
      thread.leave()
      WaitForGraph.update { ownership.thread = nil }
    }
    return try block()
  }
}

extension SerialQueue: WaitTarget {
  var waitName: String { name }

  func isStuck(_ walk: inout WaitForGraph.Walk) -> Bool {
    if case .main = kind { return walk.isStuck(ownership.thread ?? .main) }
    guard let owner = ownership.thread else { return false }
    return walk.isStuck(owner)
  }
}
