import ContextTesting
import CoreData
import Foundation
import Races
import Testing

private let orders = ProcessInfo.processInfo.environment["CONTEXTBENCH_RACES_SPEED"].flatMap(Int.init)

/// Orders in a second: CONTEXTBENCH_RACES_SPEED is how many are tried, for results/races.
@Suite(.serialized, .enabled(if: orders != nil)) struct RacesSpeed {
  private actor Account {
    private(set) var balance = 0
    func set(_ new: Int) { balance = new }
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

  /// Counts the orders, of which each begins anew, and keeps the memory after each tenth.
  private final class Meter: @unchecked Sendable {
    // Sendable: one order runs at a time.
    var count = 0
    var memory: [String] = []

    func note() {
      count += 1
      guard count % max(1, (orders ?? 1) / 10) == 0 else { return }
      let words = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
      memory.append("\(words.count > 1 ? (Int(words[1]) ?? 0) * 4 / 1024 : 0)")
    }
  }

  private func measure(_ name: String, _ body: @escaping @Sendable () async throws -> Void) async throws {
    let meter = Meter()
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).swift").path
    let begin = ContinuousClock.now
    try await explore(schedules: orders ?? 1, seconds: 3_000, faults: [], file: path) {
      meter.note()
      try await body()
    }
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    print(
      "\(name): \(meter.count) orders in \(seconds) s, \(Int(Double(meter.count) / seconds)) a second; "
        + "MB after each tenth: \(meter.memory.joined(separator: " "))")
  }

  @Test func twoTasks() async throws {
    try await measure("two tasks") {
      let account = Account()
      @Sendable func deposit() async { for _ in 0..<4 { await account.set(await account.balance + 1) } }
      async let first: Void = deposit()
      async let second: Void = deposit()
      _ = await (first, second)
    }
  }

  @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType]) func twoTasksWithAContextEach(type: String) async throws {
    try await measure("two tasks with a context each on one \(type) store") {
      let container = NSPersistentContainer(name: "Speed", managedObjectModel: Self.model)
      let description = NSPersistentStoreDescription(url: temporaryStore())
      description.type = type
      container.persistentStoreDescriptions = [description]
      container.loadPersistentStores { _, _ in }
      @Sendable func add(_ number: Int) async throws {
        let context = container.newBackgroundContext()
        try await context.perform {
          NSEntityDescription.insertNewObject(forEntityName: "Item", into: context).setValue(number, forKey: "number")
          try context.save()
        }
      }
      async let first: Void = add(1)
      async let second: Void = add(2)
      _ = try await (first, second)
    }
  }
}
