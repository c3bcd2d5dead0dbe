import CoreData
import Foundation

// Races after reports of flaky tests, of kinds that tasks, queues and operations have; each report is named.

extension Race {
  /// The test yields, and takes that for the end of a task. After batonogov/pine#1543; the mend that hides it is after
  /// pointfreeco/swift-composable-architecture#1369.
  static let yields = Race(
    name: "yields in place of the end",
    body: { store, care in
      let context = try Stack.container(store).newBackgroundContext()
      let loading = Task {
        try await context.perform {
          context.make(["name": "row"])
          try context.save()
        }
      }
      switch care {
      case .careless: await Task.yield()
      case .hidden: for _ in 0..<20 { await Task.detached(priority: .background) { await Task.yield() }.value }
      case .mended: try await loading.value
      }
      let count = try await context.perform { try context.all().count }
      try await loading.value
      try expect(count == 1, "\(count) rows after the yield")
    }, hasHidden: true)

  /// A task may be through before it is cancelled. After saurabhav88/EnviousWispr#3035 and ggbond268/MacTools#380.
  static let cancelledEarly = Race(name: "cancelled before it begins") { store, care in
    let context = try Stack.container(store).newBackgroundContext()
    let (gate, opener) = AsyncStream<Void>.makeStream()
    let writing = Task {
      if care == .mended { for await _ in gate {} }
      try Task.checkCancellation()
      try await context.perform {
        context.make(["name": "row"])
        try context.save()
      }
    }
    writing.cancel()
    opener.finish()
    _ = await writing.result
    let count = try await context.perform { try context.all().count }
    try expect(count == 0, "a cancelled task saved \(count) rows")
  }

  /// A pause that swallows the cancellation, and a look at it that is too early. After duckduckgo/apple-browsers#3979.
  static let swallowed = Race(
    name: "switched on after it was switched off",
    body: { store, care in
      let context = try Stack.container(store).newBackgroundContext()
      let turningOn = Task {
        try? await Task.sleep(for: .milliseconds(50))
        if care != .careless, Task.isCancelled { return }
        try await context.perform {
          context.make(["name": "feature"])
          try context.save()
        }
      }
      let turningOff = Task {
        turningOn.cancel()
        if care == .mended { _ = await turningOn.result }
        try await context.perform {
          for item in try context.all() { context.delete(item) }
          try context.save()
        }
      }
      try await turningOn.value
      try await turningOff.value
      let count = try await context.perform { try context.all().count }
      try expect(count == 0, "the feature is on")
    }, hasHidden: true)

  /// Events are added by blocks of a queue, and read past it. After klaviyo/klaviyo-swift-sdk#434, with its mend.
  static let bufferAhead = Race(
    name: "a buffer that is read past its queue",
    body: { _, care in
      let buffer = EventBuffer()
      for event in 0..<3 { buffer.add(event) }
      if care == .hidden { try await Task.sleep(for: .milliseconds(100)) }
      let events = care == .mended ? buffer.eventsInTurn : buffer.events
      try expect(events == [0, 1, 2], "the buffer has \(events)")
    }, hasHidden: true)

  /// Who waits for a request to be held forgets the one that is held already. After kaishi00/hermes-conduit#94.
  static let forgotten = Race(name: "a waiter that forgets what it waits for") { store, care in
    let context = try Stack.container(store).newBackgroundContext()
    let gate = RequestGate()
    let request = Task {
      await gate.hold()
      return try await context.perform { try context.all().count }
    }
    await gate.waitUntilHeld(forgets: care != .mended)
    await gate.letAllGo()
    let count = try await request.value
    try expect(count == 0, "\(count) rows")
  }

  /// The cancellation comes before there is something to resume. After apple/swift-async-algorithms#80.
  static let nothingToResume = Race(
    name: "cancelled before there is something to resume",
    body: { _, care in
      let answer = Answer()
      let waiting = Task { try await answer.wait(care) }
      let closing = Task { waiting.cancel() }
      _ = await waiting.result
      await closing.value
    }, hasHidden: true)

  /// The time of a delayed save runs from when its task begins. After onevcat/Prowl#633, with its burst of yields.
  static let lateDeadline = Race(
    name: "a delay that begins late",
    body: { store, care in
      let context = try Stack.container(store).newBackgroundContext()
      let clock = ManualClock()
      let due = clock.now + 10
      let saving = Task {
        await clock.sleep(until: care == .mended ? due : clock.now + 10)
        try await context.perform {
          context.make(["name": "row"])
          try context.save()
        }
      }
      if care == .hidden { for _ in 0..<20 { await Task.yield() } }
      clock.advance(by: 10)
      try await saving.value
    }, hasHidden: true)

  /// An operation is finished before its completion block has run. After daltoniam/SwiftHTTP#185 and
  /// ProcedureKit/ProcedureKit#436.
  static let completionLater = Race(name: "finished before its completion block") { store, care in
    let context = try Stack.container(store).newBackgroundContext()
    let queue = OperationQueue()
    let reported = Shared(0)
    let saving = BlockOperation {
      context.performAndWait {
        context.make(["name": "row"])
        try? context.save()
      }
    }
    let report: @Sendable () -> Void = { reported.with { $0 += 1 } }
    if care == .mended {
      let reporting = BlockOperation(block: report)
      reporting.addDependency(saving)
      queue.addOperation(reporting)
    } else {
      saving.completionBlock = report
    }
    queue.addOperation(saving)
    try await onThread { queue.waitUntilAllOperationsAreFinished() }
    let count = reported.with { $0 }
    try expect(count == 1, "\(count) saves were reported")
  }

  /// Writes that come later are no barriers. After Tealium/tealium-swift#112.
  static let noBarrier = Race(name: "a later write without its barrier") { _, care in
    let queue = DispatchQueue(label: "values", attributes: .concurrent)
    let value = Shared(0)
    let group = DispatchGroup()
    for _ in 0..<3 {
      group.enter()
      queue.asyncAfter(deadline: .now() + 1, flags: care == .mended ? .barrier : []) {
        let before = value.with { $0 }
        value.with { $0 = before + 1 }
        group.leave()
      }
    }
    await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
    let sum = value.with { $0 }
    try expect(sum == 3, "\(sum) of 3 writes are kept")
  }
}

private final class EventBuffer: Sendable {
  private let queue = DispatchQueue(label: "events", attributes: .concurrent)
  private let kept = Shared<[Int]>([])

  func add(_ event: Int) { queue.async(flags: .barrier) { [kept] in kept.with { $0.append(event) } } }

  var events: [Int] { kept.with { $0 } }

  var eventsInTurn: [Int] { queue.sync { events } }
}

/// Holds requests until they may continue.
private actor RequestGate {
  private var held: [CheckedContinuation<Void, Never>] = []
  private var watchers: [CheckedContinuation<Void, Never>] = []

  func hold() async {
    await withCheckedContinuation { request in
      held.append(request)
      for watcher in watchers { watcher.resume() }
      watchers = []
    }
  }

  func waitUntilHeld(forgets: Bool) async {
    guard held.isEmpty else {
      if forgets { held = [] }
      return
    }
    await withCheckedContinuation { watchers.append($0) }
  }

  func letAllGo() {
    for request in held { request.resume() }
    held = []
  }
}

/// Is waited for until it is cancelled.
private final class Answer: Sendable {
  private enum State {
    case none
    case awaited(CheckedContinuation<Void, any Error>)
    case cancelled
  }

  private let state = Shared(State.none)

  func wait(_ care: Care) async throws {
    if care == .hidden { try Task.checkCancellation() }
    try await withTaskCancellationHandler {
      if care == .hidden { try Task.checkCancellation() }
      try await withCheckedThrowingContinuation { waiting in
        let isCancelled = state.with { state in
          if care == .mended, case .cancelled = state { return true }
          state = .awaited(waiting)
          return false
        }
        if isCancelled { waiting.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let before = state.with { state in
        defer { state = .cancelled }
        return state
      }
      if case .awaited(let waiting) = before { waiting.resume(throwing: CancellationError()) }
    }
  }
}

/// A clock that a test moves.
private final class ManualClock: Sendable {
  private struct State {
    var now = 0
    var sleepers: [(due: Int, waiting: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Shared(State())

  var now: Int { state.with { $0.now } }

  func sleep(until due: Int) async {
    await withCheckedContinuation { waiting in
      let isOver = state.with { state in
        guard state.now < due else { return true }
        state.sleepers.append((due, waiting))
        return false
      }
      if isOver { waiting.resume() }
    }
  }

  func advance(by time: Int) {
    let over = state.with { state in
      state.now += time
      let over = state.sleepers.filter { $0.due <= state.now }
      state.sleepers.removeAll { $0.due <= state.now }
      return over
    }
    for sleeper in over { sleeper.waiting.resume() }
  }
}
