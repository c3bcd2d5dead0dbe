import SQLite
import Scheduling
import Testing

@testable import CoreData

/// Random saves of large values that fail, are resolved, undone and tried again; then the files are those of the rows.
@Suite("S6.4, S3.1 External binary data, at random") struct ExternalDataModelTests {
  /// Steps of one run.
  private static let steps = 150

  /// Two contexts and a writer past them; data and their expected values always change together.
  private struct Run {
    let stack: TestStack
    let contexts: [NSManagedObjectContext]
    var random: SeededRandom
    var nextName = 0

    init(seed: UInt64) throws {
      stack = try Album.stack()
      contexts = [stack.context("one"), stack.context("two")]
      random = SeededRandom(seed: seed)
      for context in contexts { context.undoManager = UndoManager() }
    }

    mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    /// Data and their description; small, large, or none.
    mutating func values() -> (data: Data?, note: String) {
      switch draw(6) {
      case 0: (nil, "-")
      case 1:
        { (Data(repeating: 1, count: $0), "\($0)") }(draw(100) + 1)
      default:
        { (Album.value($0), "\(Album.large + $0)") }(draw(200))
      }
    }

    mutating func step() throws {
      let context = contexts[draw(contexts.count)]
      let dice = draw(100)
      let (data, note) = values()
      let policy = NSMergePolicyType(rawValue: UInt(draw(5))) ?? .errorMergePolicyType
      let (failing, position) = (draw(3) == 0 ? draw(8) + 1 : 0, draw(12))
      nextName += 1
      let name = "\(nextName)"
      try context.performAndWait {
        let pictures = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Picture"))
          .sorted { ($0.value(forKey: "name") as? String ?? "") < ($1.value(forKey: "name") as? String ?? "") }
        let picture = pictures.isEmpty ? nil : pictures[position % pictures.count]
        switch dice {
        case 0..<15:
          context.insert("Picture", ["name": name, "note": note]).setValue(data, forKey: "data")
        case 15..<40:
          picture?.setValue(data, forKey: "data")
          picture?.setValue(note, forKey: "note")
        case 40..<44: picture?.setValue(name, forKey: "name")
        case 44..<50: if let picture { context.delete(picture) }
        case 50..<55: context.undo()
        case 55..<58: context.redo()
        case 58..<60: context.rollback()
        case 60..<63: context.refreshAllObjects()
        case 63..<65: context.reset()
        case 65..<70: try batch(context, dice, name, data, note)
        default:
          context.mergePolicy = NSMergePolicy(merge: policy)
          try stack.withWriter { $0.connection.faults = FaultPlan(failing: failing) }
          _ = try? context.save()
          try stack.withWriter { $0.connection.faults = nil }
        }
        context.processPendingChanges()
        for object in context.registeredObjects where !object.isFault && !object.isDeleted {
          expect(object.value(forKey: "data") as? Data, object.value(forKey: "note") as? String)
        }
      }
    }

    private func batch(
      _ context: NSManagedObjectContext, _ dice: Int, _ name: String, _ data: Data?, _ note: String
    ) throws {
      let some = NSPredicate(format: "name ENDSWITH %@", String(name.suffix(1)))
      let request: NSPersistentStoreRequest
      switch dice {
      case 65:
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Picture")
        fetch.predicate = some
        request = NSBatchDeleteRequest(fetchRequest: fetch)
      case 66, 67:
        let update = NSBatchUpdateRequest(entityName: "Picture")
        update.predicate = some
        update.propertiesToUpdate = ["data": data ?? NSNull(), "note": note]
        request = update
      default:
        request = NSBatchInsertRequest(
          entityName: "Picture", objects: [["name": name, "data": data ?? NSNull(), "note": note]])
      }
      _ = try context.execute(request)
    }

    func expect(_ data: Data?, _ note: String?) {
      #expect(data.map { "\($0.count)" } ?? "-" == note ?? "-")
    }
  }

  @Test(arguments: UInt64(1)...8) func filesAreThoseOfRows(_ seed: UInt64) throws {
    var run = try Run(seed: seed)
    for _ in 0..<Self.steps { try run.step() }
    for context in run.contexts {
      context.performAndWait {
        context.undoManager?.removeAllActions()
        context.reset()
      }
    }
    try run.stack.expectFilesAreThoseOfRows(nil, "seed \(seed)")
    let reader = try TestStack(model: Album.model(), url: run.stack.url).context()
    try reader.performAndWait {
      for picture in try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Picture")) {
        run.expect(picture.value(forKey: "data") as? Data, picture.value(forKey: "note") as? String)
      }
    }
  }
}
