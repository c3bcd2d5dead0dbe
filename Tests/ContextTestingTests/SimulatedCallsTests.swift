import CInterception
import ContextTesting
import CoreData
import Foundation
import Scheduling
import Synchronization
import Testing
import XCTest

/// Calls of Swift's tasks, of Dispatch, locks and clocks are steps of a simulation in a process that links the interception.
@Suite(.serialized) struct SimulatedCallsTests {
  /// The words of a body, in order.
  final class Log: Sendable {
    private let lines = Locked<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  private func run(
    seed: UInt64, _ body: @escaping @Sendable (Log) async -> Void
  ) -> (outcome: SimulationOutcome, log: [String]) {
    let log = Log()
    var options = Simulation.Options()
    options.interceptsCalls = true
    let outcome = Simulation.run(policy: RandomWalkPolicy(seed: seed), options) {
      Task {
        Simulation.keepOpen(true)
        await body(log)
        Simulation.keepOpen(false)
      }
    }
    return (outcome, log.all)
  }

  private actor Counter {
    private(set) var value = 0
    func add() { value += 1 }
  }

  private final class Both: Sendable { let value = Mutex(0) }

  @Sendable private static func everything(_ log: Log) async {
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<3 {
        group.addTask {
          await counter.add()
          await Task.yield()
          log.add("task \(number)")
        }
      }
    }
    await MainActor.run { log.add("main \(Thread.isMainThread)") }
    let queue = DispatchQueue(label: "queue")
    let group = DispatchGroup()
    for number in 0..<2 { queue.async(group: group) { log.add("block \(number)") } }
    DispatchQueue.global().async(group: group) { log.add("global") }
    DispatchQueue.main.async(group: group) { log.add("main block") }
    await withCheckedContinuation { done in group.notify(queue: queue) { done.resume() } }
    let lock = NSLock()
    let thread = Thread { lock.withLock { log.add("thread") } }
    thread.start()
    lock.withLock { log.add("no thread") }
    let condition = NSCondition()
    let isReady = Locked(false)
    DispatchQueue.global().async {
      condition.lock()
      isReady.withLock { $0 = true }
      condition.signal()
      condition.unlock()
    }
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        condition.lock()
        while !isReady.withLock({ $0 }) { condition.wait() }
        condition.unlock()
        done.resume()
      }
    }
    let operations = OperationQueue()
    operations.maxConcurrentOperationCount = 2
    for number in 0..<2 { operations.addOperation { log.add("operation \(number)") } }
    await withCheckedContinuation { done in operations.addBarrierBlock { done.resume() } }
    let both = Both()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          both.value.withLock { value in
            value += 1
            queue.sync {}
          }
        }
      }
    }
    log.add("both \(both.value.withLock { $0 })")
    log.add("\(UInt64.random(in: 0...UInt64.max))")
  }

  /// Runs jobs of an actor on a context's queue.
  private final class ContextExecutor: SerialExecutor {
    private let context: NSManagedObjectContext

    init(_ context: NSManagedObjectContext) { self.context = context }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      context.perform { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  private actor ContextActor {
    private let executor: ContextExecutor
    init(_ context: NSManagedObjectContext) { executor = ContextExecutor(context) }
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    func note(_ log: Log) { log.add("actor") }
  }

  // Only changed while it is made.
  nonisolated(unsafe) private static let model = {
    let number = NSAttributeDescription()
    number.name = "number"
    number.attributeType = .integer64AttributeType
    let entity = NSEntityDescription()
    entity.name = "Item"
    entity.managedObjectClassName = "NSManagedObject"
    entity.properties = [number]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()

  /// Contexts over a store, streams, pauses, cancellation, an actor with an executor of its own.
  @Sendable private static func contexts(_ log: Log) async {
    let container = NSPersistentContainer(name: "Calls", managedObjectModel: model)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, _ in }
    let main = container.viewContext
    await MainActor.run { main.automaticallyMergesChangesFromParent = true }
    let (numbers, feed) = AsyncStream<Int>.makeStream()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<2 {
        group.addTask {
          let context = container.newBackgroundContext()
          await context.perform {
            NSEntityDescription.insertNewObject(forEntityName: "Item", into: context).setValue(number, forKey: "number")
            try? context.save()
          }
          feed.yield(number)
        }
      }
      group.addTask {
        await container.performBackgroundTask { context in
          log.add("count \((try? context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))) ?? -1)")
        }
      }
    }
    feed.finish()
    for await number in numbers { log.add("number \(number)") }
    await ContextActor(container.newBackgroundContext()).note(log)
    let sleeping = Task { (try? await Task.sleep(for: .seconds(5))) == nil }
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { sleeping.cancel() }
    log.add("cancelled \(await sleeping.value)")
    await main.perform { log.add("main \(main.registeredObjects.count)") }
    for store in container.persistentStoreCoordinator.persistentStores {
      try? container.persistentStoreCoordinator.remove(store)
    }
  }

  private static func serveMain(for seconds: Double) { RunLoop.current.run(until: Date() + seconds) }

  /// Barriers, semaphores, timers, the run loop, child tasks and a recursive lock: the bodies above have none of them.
  @Sendable private static func waits(_ log: Log) async {
    async let first: Void = Task.sleep(for: .milliseconds(1))
    async let second: Void = Task.sleep(for: .milliseconds(1))
    _ = try? await (first, second)
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    let group = DispatchGroup()
    for number in 0..<3 {
      queue.async(group: group, flags: number == 1 ? .barrier : []) { log.add("read \(number)") }
    }
    let given = DispatchSemaphore(value: 0)
    queue.asyncAfter(deadline: .now() + 0.01, flags: .barrier) { given.signal() }
    DispatchQueue.global().async(group: group) {
      given.wait()
      log.add("given")
    }
    let ticks = Locked(0)
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticks"))
    timer.schedule(deadline: .now(), repeating: 0.01)
    group.enter()
    timer.setEventHandler {
      ticks.withLock { $0 += 1 }
      guard ticks.current == 3 else { return }
      timer.cancel()
      log.add("ticks")
      group.leave()
    }
    timer.resume()
    let lock = NSRecursiveLock()
    group.enter()
    Thread.detachNewThread {
      lock.withLock { lock.withLock { log.add("thread") } }
      group.leave()
    }
    await withCheckedContinuation { done in group.notify(queue: .main) { done.resume() } }
    await MainActor.run {
      DispatchQueue.global().async { DispatchQueue.main.async { log.add("served") } }
      serveMain(for: 0.5)
      log.add("main")
    }
    let waiting = Task {
      await withTaskCancellationHandler(operation: { await Task.yield() }, onCancel: { log.add("cancelled") })
    }
    DispatchQueue.global().async { waiting.cancel() }
    await waiting.value
    log.add("end")
  }

  /// CONTEXTBENCH_TRACE_PAIRS=100000 is for a night.
  private static let pairs = UInt64(ProcessInfo.processInfo.environment["CONTEXTBENCH_TRACE_PAIRS"] ?? "200") ?? 200

  /// Prints a number for all orders and words, which is the same after another build and in another folder.
  private func comparePairs(_ name: String, has words: [String], _ body: @escaping @Sendable (Log) async -> Void) {
    // The first time a process does more than later.
    _ = run(seed: 0, body)
    var orders: Set<UInt64> = []
    var digest: UInt64 = 0
    var different = 0
    for seed in 0..<Self.pairs {
      let first = run(seed: seed, body)
      let second = run(seed: seed, body)
      #expect(first.outcome.ending == .finished)
      let isSame = first.outcome.fingerprint == second.outcome.fingerprint && first.log == second.log
      #expect(isSame, "seed \(seed)")
      if !isSame { different += 1 }
      #expect(Set(words).isSubset(of: first.log), "\(first.log)")
      orders.insert(first.outcome.fingerprint)
      digest = first.log.joined(separator: "\n").utf8.reduce(digest &* 31 &+ first.outcome.fingerprint) {
        $0 &* 31 &+ UInt64($1)
      }
    }
    #expect(Double(orders.count) > 0.9 * Double(Self.pairs))
    print("\(name): \(Self.pairs) pairs, \(different) differ, \(orders.count) orders, digest \(digest)")
  }

  @Test func theSameSeedGivesTheSameTraceWithAStore() {
    comparePairs("store", has: ["actor", "number 1"], Self.contexts)
  }

  @Test func theSameSeedGivesTheSameTrace() { comparePairs("calls", has: ["main true", "both 2"], Self.everything) }

  @Test func theSameSeedGivesTheSameTraceOfWaits() {
    comparePairs("waits", has: ["read 1", "given", "ticks", "thread", "served", "main", "end"], Self.waits)
  }

  @Test func timePassesWhenNothingElseIsLeft() {
    let (outcome, log) = run(seed: 1) { log in
      let begin = ContinuousClock.now
      let date = Date()
      try? await Task.sleep(for: .seconds(3600))
      DispatchQueue.global().asyncAfter(deadline: .now() + 3600) { log.add("later") }
      usleep(10_000_000)
      let passed = begin.duration(to: .now)
      log.add("\(passed >= .seconds(3610) && passed < .seconds(3611)) \(Date().timeIntervalSince(date) >= 3610)")
    }
    #expect(outcome.ending == .finished)
    #expect(log == ["true true", "later"])
  }

  @Test func aPauseIsOverBeforeOtherWorkInSomeOrder() {
    let orders = Set(
      (0..<50).map { seed in
        run(seed: seed) { log in
          DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) { log.add("timer") }
          DispatchQueue(label: "work").async { log.add("work") }
        }.log
      })
    #expect(orders == [["timer", "work"], ["work", "timer"]])
  }

  @Test func noDeadlinePassesWhileOthersCanRun() {
    for seed in 0..<50 as Range<UInt64> {
      let (_, log) = run(seed: seed) { log in
        let semaphore = DispatchSemaphore(value: 0)
        let work = DispatchQueue(label: "work")
        work.async {}
        work.async { semaphore.signal() }
        await withCheckedContinuation { done in
          DispatchQueue.global().async {
            log.add(semaphore.wait(timeout: .now() + 0.001) == .success ? "in time" : "late")
            done.resume()
          }
        }
      }
      #expect(log == ["in time"])
    }
  }

  @Test func aBarrierIsAlone() {
    var together = 0
    for seed in 0..<50 as Range<UInt64> {
      let (outcome, log) = run(seed: seed) { log in
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let inside = Locked(0)
        let group = DispatchGroup()
        for number in 0..<6 {
          queue.async(group: group, flags: number == 3 ? .barrier : []) {
            let count = inside.withLock { count in
              count += 1
              return count
            }
            DispatchQueue.global().sync {}
            if count > 1 { log.add(number == 3 ? "barrier" : "together") }
            inside.withLock { $0 -= 1 }
          }
        }
        await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
      }
      #expect(outcome.ending == .finished)
      #expect(!log.contains("barrier"))
      if log.contains("together") { together += 1 }
    }
    #expect(together > 25)
  }

  @Test func anExpectationIsWaitedForOnMainAndElsewhere() {
    for seed in 0..<20 as Range<UInt64> {
      let (outcome, log) = run(seed: seed) { log in
        @Sendable func wait() -> Bool {
          let expectation = XCTestExpectation(description: "main")
          DispatchQueue.main.async { expectation.fulfill() }
          return XCTWaiter().wait(for: [expectation], timeout: 30) == .completed
        }
        let onMain = await MainActor.run { wait() }
        let elsewhere = await withCheckedContinuation { done in
          DispatchQueue.global().async { done.resume(returning: wait()) }
        }
        log.add("\(onMain) \(elsewhere)")
      }
      #expect(outcome.ending == .finished)
      #expect(log == ["true true"])
    }
  }

  /// The table of locks is limited, and free ones leave it.
  @Test func aLockIsHeldHoweverManyOthersWere() {
    let (outcome, log) = run(seed: 1) { log in
      let lock = NSLock()
      let isTaken = DispatchSemaphore(value: 0)
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) {
        lock.withLock {
          let others = (0..<10_000).map { _ in NSLock() }
          for other in others { other.withLock {} }
          isTaken.signal()
          usleep(1_000_000)
          log.add("released")
        }
      }
      DispatchQueue.global().async(group: group) {
        isTaken.wait()
        lock.withLock { log.add("taken") }
      }
      await withCheckedContinuation { done in group.notify(queue: .global()) { done.resume() } }
    }
    #expect(outcome.ending == .finished)
    #expect(log == ["released", "taken"])
  }

  @Test func whatIsNotSimulatedIsNamed() {
    let (outcome, _) = run(seed: 1) { _ in
      let source = DispatchSource.makeUserDataAddSource(queue: .main)
      source.activate()
    }
    #expect(outcome.ending == .notSimulated("dispatch_source_create, of another kind than a timer"))
    let (other, _) = run(seed: 1) { _ in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/true")
      try? process.run()
    }
    let names = ["connect, by Foundation: a child process or a socket", "posix_spawn, of another process"]
    // The first process that Foundation starts needs a socket before.
    #expect(names.contains { other.ending == .notSimulated($0) })
  }

  @Test func outsideOfASimulationNothingIsIntercepted() async throws {
    #expect(!contextbench_is_intercepted())
    let before = Date()
    #expect(before.timeIntervalSince1970 > 1_700_000_100)
    #expect(await Task { contextbench_is_intercepted() }.value == false)
  }
}
