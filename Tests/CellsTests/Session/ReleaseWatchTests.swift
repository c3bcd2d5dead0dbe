import CoreData
import Scheduling
import Testing

@testable import Cells

@Suite struct ReleaseWatchTests {
  private let store: TestStore

  init() throws { store = try TestStore() }

  @Test func aContextIsKnownButNotHeld() throws {
    let environment = try store.makeEnvironment()
    var context: NSManagedObjectContext? = environment.container.newBackgroundContext()
    environment.adopt(try #require(context), name: "held")
    do { environment.adopt(environment.container.newBackgroundContext(), name: "released") }
    #expect(environment.releases.contextCount == 2)
    #expect(environment.releases.livingContexts == ["held"])
    context = nil
    #expect(environment.releases.livingContexts.isEmpty)
    #expect(environment.releases.contextCount == 2)
  }

  @Test func theFaultsOfAContextOutliveIt() throws {
    let environment = try store.makeEnvironment()
    for number in 0..<2_500 {
      let context = environment.container.newBackgroundContext()
      environment.adopt(context, name: "\(number)")
      context.performAndWait {
        _ = #expect(throws: (any Error).self) {
          try context.existingObject(with: try unknown(in: environment.container))
        }
      }
    }
    #expect(environment.releases.firedFaults == 2_500)
    #expect(environment.releases.contextCount == 2_500)
  }

  /// An ID of the store that no row has.
  private func unknown(in container: NSPersistentContainer) throws -> NSManagedObjectID {
    let coordinator = container.persistentStoreCoordinator
    let store = try #require(coordinator.persistentStores.first)
    let url = try #require(URL(string: "x-coredata://\(store.identifier ?? "")/Note/p77"))
    return try #require(coordinator.managedObjectID(forURIRepresentation: url))
  }

  @Test func anObserverThatWasNotRemovedIsFound() throws {
    let environment = try store.makeEnvironment()
    let name = Notification.Name("ReleaseWatchTests \(UUID())")
    let removed = environment.addObserver(forName: name, object: nil) { _ in }
    environment.removeObserver(removed)
    let kept = environment.addObserver(forName: name, object: nil) { _ in }
    #expect(environment.releases.observerCount == 2)
    #expect(environment.releases.livingObservers == [name.rawValue])
    environment.removeObserver(kept)
    #expect(environment.releases.livingObservers.isEmpty)
  }

  @Test(arguments: StrategyRegistry.all.map { $0.name })
  func aStrategyLetsItsContextsAndObserversGo(name: String) throws {
    let type = try #require(StrategyRegistry.strategy(named: name))
    var environment: StrategyEnvironment? = try store.makeEnvironment(["merge": "async"])
    let releases = try #require(environment?.releases)
    do {
      let strategy = try type.init(try #require(environment))
      _ = try strategy.makeReader(named: "reader")
      _ = try strategy.makeWriter(named: "writer")
    }
    environment = nil
    #expect(releases.contextCount > 0)
    // A strategy's thread may hold objects of its last block until it is done with it.
    let moments = 1_000
    for _ in 0..<moments where !releases.livingContexts.isEmpty { _ = Latch(label: "a moment").wait(atMost: 0.01) }
    #expect(releases.livingContexts.isEmpty)
    #expect(releases.livingObservers.isEmpty)
  }
}
