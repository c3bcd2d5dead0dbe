import SQLite
import Scheduling
import Testing

@testable import CoreData

/// Notifications of commits, by any process.
@Suite("S5.4 Remote changes", .serialized, .timeLimit(.minutes(2)))
struct RemoteChangeTests {
  /// The tokens in notifications of one coordinator.
  private final class Listener: Sendable {
    let tokens: AsyncStream<NSPersistentHistoryToken?>
    private let observation: ObservationToken

    // Sendable: only given back.
    private struct ObservationToken: @unchecked Sendable {
      let value: any NSObjectProtocol
    }

    init(_ stack: TestStack) {
      let (stream, continuation) = AsyncStream.makeStream(of: NSPersistentHistoryToken?.self)
      tokens = stream
      let coordinator = stack.container.persistentStoreCoordinator
      let (uuid, url) = (coordinator.persistentStores[0].identifier, stack.url)
      observation = ObservationToken(
        value: NotificationCenter.default.addObserver(
          forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { notification in
          #expect(notification.userInfo?[NSStoreUUIDKey] as? String == uuid)
          #expect(notification.userInfo?[NSPersistentStoreURLKey] as? URL == url)
          continuation.yield(notification.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
        })
    }

    deinit { NotificationCenter.default.removeObserver(observation.value) }

    /// The first notification that `isWanted` says so of.
    func wait(where isWanted: (NSPersistentHistoryToken?) -> Bool = { _ in true }) async {
      for await token in tokens where isWanted(token) { return }
    }
  }

  private func stack(history: Bool = true, url: URL? = nil) throws -> TestStack {
    try TestStack(
      .file, url: url,
      options: [
        NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber,
        NSPersistentHistoryTrackingKey: history as NSNumber,
      ])
  }

  @Test func aSaveOfAnotherCoordinatorIsPosted() async throws {
    let stack = try stack()
    let listener = Listener(stack)
    let other = try TestStack.withHistory(url: stack.url)
    try other.seed(1...1)
    let token = try other.token()
    await listener.wait { $0 == token }
  }

  // S10.1: its history was deleted, and is no longer kept.
  @Test func aStoreThatKeepsItsHistoryNoMoreIsPosted() async throws {
    let first = try TestStack.withHistory(.file)
    try first.seed(1...1)
    _ = try first.history(.deleteHistory(before: Date.distantFuture))
    let stack = try stack(history: false, url: first.url)
    let listener = Listener(stack)
    try stack.seed(2...2)
    await listener.wait()
  }

  @Test func anOwnSaveIsPosted() async throws {
    let stack = try stack()
    let listener = Listener(stack)
    try stack.seed(1...1)
    await listener.wait { $0 != nil }
  }

  /// A connection that is no store's commits as another process does: only the file says so.
  @Test func aCommitPastEveryStoreIsPosted() async throws {
    let stack = try stack(history: false)
    try stack.seed(1...1)
    let listener = Listener(stack)
    try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = 'other'")
    await listener.wait { $0 == nil }
  }

  @Test func theLastOfManyIsPosted() async throws {
    let stack = try stack()
    let listener = Listener(stack)
    let other = try TestStack.withHistory(url: stack.url)
    for number in 1...100 { try other.seed(Int64(number)...Int64(number)) }
    let token = try other.token()
    await listener.wait { $0 == token }
  }

  @Test func nothingIsPostedOfAStoreThatWasRemoved() async throws {
    let (stack, kept) = (try stack(), try self.stack())
    let (listener, keptListener) = (Listener(stack), Listener(kept))
    let other = try TestStack.withHistory(url: stack.url)
    let coordinator = stack.container.persistentStoreCoordinator
    try coordinator.remove(coordinator.persistentStores[0])
    try other.seed(1...1)
    try kept.seed(1...1)
    await keptListener.wait()
    withExtendedLifetime(listener) {}
  }

  // Sendable: only the task that has the simulation's baton touches it.
  private final class Posted: @unchecked Sendable {
    var tokens: [NSPersistentHistoryToken?] = []
    var stacks: [TestStack] = []
    var observation: (any NSObjectProtocol)?
  }

  /// Posting is a step among others, and the last save's comes in every order.
  @Test func inASimulationTheLastSaveIsPosted() throws {
    var counts: Set<Int> = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let writer = try TestStack.withHistory(.file)
      let posted = Posted()
      let outcome = Simulation.run(policy: RandomWalkPolicy(seed: seed)) {
        do {
          let stack = try stack(url: writer.url)
          posted.stacks.append(stack)
          posted.observation = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: stack.container.persistentStoreCoordinator, queue: nil
          ) { posted.tokens.append($0.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken) }
          for number in 1...3 as ClosedRange<Int64> {
            let context = writer.context()
            context.perform {
              context.insertNote(number)
              do { try context.save() } catch { Issue.record(error) }
            }
          }
        } catch {
          Issue.record(error)
        }
      }
      #expect(outcome.ending == .finished)
      #expect(try posted.tokens.last == writer.token())
      counts.insert(posted.tokens.count)
      if let observation = posted.observation { NotificationCenter.default.removeObserver(observation) }
    }
    #expect(counts.count > 1)
  }

  /// First come, first served: a commit is posted in the order in which the stores were opened, in every process.
  @Test func inASimulationStoresHearInTheirOrder() throws {
    let writer = try TestStack.withHistory(.file)
    let order = Locked<[Int]>([])
    let posted = Posted()
    let observations = Locked<[Listening]>([])
    let outcome = Simulation.run(policy: FIFOPolicy()) {
      do {
        for number in 0..<8 {
          let stack = try stack(url: writer.url)
          posted.stacks.append(stack)
          let observation = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: stack.container.persistentStoreCoordinator, queue: nil
          ) { _ in order.withLock { $0.append(number) } }
          observations.withLock { $0.append(Listening(observation: observation)) }
        }
        try writer.seed(1...1)
      } catch {
        Issue.record(error)
      }
    }
    #expect(outcome.ending == .finished)
    #expect(order.withLock { $0 } == Array(0..<8))
    for listening in observations.withLock({ $0 }) { NotificationCenter.default.removeObserver(listening.observation) }
  }

  // Sendable: only given back.
  private struct Listening: @unchecked Sendable {
    let observation: any NSObjectProtocol
  }
}
