import CoreData
import Scheduling
import Testing

/// Members that any thread may use at any time.
@Suite struct ThreadSafetyTests {
  private static let threads = 8
  private static let rounds = 100

  // S1.1
  @Test func modelsIDsAndTheCoordinatorServeEveryThreadAtOnce() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...20, words: ["a"])
    let coordinator = stack.container.persistentStoreCoordinator
    let wrong = Locked<[String]>([])
    let pool = WorkPool(label: "users", width: Self.threads)
    for thread in 0..<Self.threads {
      pool.submit("user \(thread)") {
        for round in 0..<Self.rounds {
          let id = ids[(thread + round) % ids.count]
          let back = coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation())
          let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
          context.persistentStoreCoordinator = coordinator
          let number: Int64? = context.performAndWait {
            if round % 10 == 0 {
              context.insertNote(Int64(1_000 + thread * Self.rounds + round))
              do { try context.save() } catch { wrong.withLock { $0.append("\(error)") } }
            }
            return (try? context.existingObject(with: id) as? Note)?.number
          }
          let isRight =
            back == id && back?.hash == id.hash && Set([id, id]).count == 1 && id.entity.name == "Note"
            && coordinator.managedObjectModel.entitiesByName["Note"] === id.entity
            && coordinator.persistentStores.first?.identifier == id.uriRepresentation().host
            && number.map { ids.indices.contains(Int($0) - 1) && ids[Int($0) - 1] == id } == true
          if !isRight { wrong.withLock { $0.append("\(id), number \(number.map(String.init) ?? "none")") } }
        }
      }
    }
    pool.waitUntilAllFinished()
    #expect(wrong.withLock { $0 } == [])
    #expect(
      try stack.sql("SELECT count(*) FROM ZNOTE") == ["\(20 + Self.threads * Self.rounds / 10)"])
  }

  /// They share the rows of objects with unchanged values.
  @Test func childrenOfOneParentSaveBesideEachOther() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1, words: ["a"])[0]
    let parent = stack.context("parent")
    let wrong = Locked<[String]>([])
    let pool = WorkPool(label: "children", width: 2)
    for name in ["first", "second"] {
      let child = stack.child(of: parent, name)
      pool.submit(name) {
        for round in 0..<Self.rounds {
          child.performAndWait {
            do {
              // Its relationship changes, its values do not.
              let word = Word(context: child)
              word.term = "\(name) \(round)"
              word.note = try child.existingObject(with: id) as? Note
              try child.save()
              child.reset()
            } catch {
              wrong.withLock { $0.append("\(error)") }
            }
          }
        }
      }
    }
    pool.waitUntilAllFinished()
    #expect(wrong.withLock { $0 } == [])
    try parent.performAndWait { try parent.save() }
    #expect(try stack.sql("SELECT count(*) FROM ZWORD WHERE ZNOTE = 1") == ["\(1 + 2 * Self.rounds)"])
  }
}
