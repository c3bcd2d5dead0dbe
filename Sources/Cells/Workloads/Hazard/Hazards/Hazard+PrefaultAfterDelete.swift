import CoreData
import Scheduling

extension Hazard {
  /// Main hears of a save only after a later one has deleted its rows; it merges both, and reads the objects that the first one
  /// inserted.
  static let prefaultAfterDelete = Hazard(
    "prefault-after-delete", "Main reads what a save inserted, and a later save has deleted it.",
    careless: { stage in
      try mergeLate(stage) { main, id in _ = (main.object(with: id) as? Word)?.term?.isEmpty }
    },
    careful: { stage in
      try mergeLate(stage) { main, id in
        do {
          _ = (try main.existingObject(with: id) as? Word)?.term?.isEmpty
        } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
          // Gone meanwhile: there is nothing to show.
        }
      }
    })

  /// Words that are inserted in each round, of which the last stays.
  private static let insertedWords = 3

  private static func mergeLate(
    _ stage: HazardStage, _ prefault: @escaping @Sendable (NSManagedObjectContext, NSManagedObjectID) throws -> Void
  ) throws {
    let main = stage.main
    let saves = try collectSaves(stage) { writer in
      // Behind the words of the notebook.
      let first = stage.firstWord + stage.round * insertedWords
      try writer.write { context in
        let note = try stage.note(in: context)
        for number in first..<first + insertedWords {
          let word = Word(context: context)
          word.fill(WordRow(number: Int64(number), term: "term \(number)", meaning: "meaning", level: 1))
          word.note = note
        }
      } reached: { _ in
      }
      try writer.write { context in
        let request = NSFetchRequest<Word>(entityName: "Word")
        request.predicate = NSPredicate(format: "number IN %@", Array(first..<first + insertedWords - 1))
        for word in try context.fetch(request) { context.delete(word) }
      } reached: { _ in
      }
    }
    // Both saves are over before main looks at the first of them.
    try stage.onMain {
      for save in saves {
        main.mergeChanges(fromContextDidSave: save.value)
        let inserted = save.value.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
        for id in inserted.map(\.objectID) where id.entity.name == "Word" { try prefault(main, id) }
      }
    }
  }

  /// The objects in notifications of the writer's saves, but not of main's own.
  private static func collectSaves(
    _ stage: HazardStage, _ write: (any StrategyWriter) throws -> Void
  ) throws -> [Handed<Notification>] {
    let saves = Locked<[Handed<Notification>]>([])
    let main = ObjectIdentifier(stage.main)
    let environment = stage.session.environment
    let observer = environment.addObserver(forName: .NSManagedObjectContextDidSave, object: nil) { notification in
      guard let context = notification.object as? NSManagedObjectContext, ObjectIdentifier(context) != main else {
        return
      }
      let save = Handed(notification)
      saves.withLock { $0.append(save) }
    }
    defer { environment.removeObserver(observer) }
    try write(try stage.session.strategy.makeWriter(named: "writer"))
    return saves.withLock { $0 }
  }
}
