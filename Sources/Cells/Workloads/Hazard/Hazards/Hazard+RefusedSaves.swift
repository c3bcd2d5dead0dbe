import Checking
import CoreData

/// Mistakes with saves that are refused.
extension Hazard {
  /// Two contexts add words to one note, which makes both of them change the note; the second save is refused.
  static let touchedRelationship = Hazard(
    "touched-relationship",
    "Two contexts add to one relationship under the error policy, and a refused save is dropped.",
    careless: { stage in try addWords(stage, policy: .error) },
    careful: { stage in try addWords(stage, policy: .mergeByPropertyObjectTrump) })

  private static func addWords(_ stage: HazardStage, policy: NSMergePolicy) throws {
    let contexts = [try stage.makeContext("first"), try stage.makeContext("second")]
    let notes = try contexts.map { context in
      context.mergePolicy = policy
      return try context.performAndWait {
        let note = try stage.note(in: context)
        _ = note.words.count
        return Handed(note)
      }
    }
    for (index, context) in contexts.enumerated() {
      let number = Int64(stage.firstWord + 2 * stage.round + index)
      context.performAndWait {
        let word = Word(context: context)
        word.fill(WordRow(number: number, term: "term", meaning: "meaning", level: 1))
        word.note = notes[index].value
        save(context, inserting: NotebookModel.EntityNumber.word, number, stage)
      }
      // Objects are released on their own queue.
      stage.keep(context)
      context.performAndWait { stage.keep(notes[index].value) }
    }
  }

  /// Saves an insert and records its outcome; a refused one is dropped.
  private static func save(
    _ context: NSManagedObjectContext, inserting entity: UInt16, _ number: Int64, _ stage: HazardStage,
    rollsBack: Bool = true
  ) {
    let history = stage.recorder.history
    history.record(.invoke, .insert, entity: entity, key: number)
    do {
      try context.save()
      history.record(.ok, .insert, entity: entity, key: number)
    } catch {
      history.record(.fail, .save, value: Int64((error as NSError).code))
      history.record(.fail, .insert, entity: entity, key: number)
      if rollsBack { context.rollback() }
    }
  }

  /// An insert that a constraint refuses stays in a context that is used on, and every later save of it is refused.
  static let poisonedContext = Hazard(
    "poisoned-context", "An insert that a constraint refuses stays in its context, whose later saves all fail.",
    schema: accountSchema,
    careless: { stage in try insertAccounts(stage, rollsBack: false) },
    careful: { stage in try insertAccounts(stage, rollsBack: true) })

  /// Inserts after the one with a taken key; each with a save of its own.
  private static let laterInserts = 3

  private static func insertAccounts(_ stage: HazardStage, rollsBack: Bool) throws {
    let context = stage.session.container.newBackgroundContext()
    stage.session.environment.adopt(context, name: "accounts")
    let first = Int64(stage.round * (laterInserts + 1)) + 1
    context.performAndWait {
      func insert(_ number: Int64) {
        NSEntityDescription.insertNewObject(forEntityName: "Account", into: context).setValue(number, forKey: "number")
        save(context, inserting: 1, number, stage, rollsBack: rollsBack)
      }
      insert(first)
      NSEntityDescription.insertNewObject(forEntityName: "Account", into: context).setValue(first, forKey: "number")
      do {
        try context.save()
      } catch {
        if rollsBack { context.rollback() }
      }
      for number in first + 1...first + Int64(laterInserts) { insert(number) }
    }
  }

  private static let accountSchema: WorkloadSchema = {
    let account = NSEntityDescription()
    account.name = "Account"
    let number = NSAttributeDescription()
    number.name = "number"
    number.attributeType = .integer64AttributeType
    account.properties = [number]
    account.uniquenessConstraints = [["number"]]
    let model = NSManagedObjectModel()
    model.entities = [account]
    let layout = StoreLayout(entities: [
      EntityLayout(number: 1, name: "Account", table: "ZACCOUNT", keyColumn: "ZNUMBER")
    ])
    return WorkloadSchema(model: model, layout: layout)
  }()

  /// One bad row makes the whole batch of an import fail; the error is printed, and the batch reported as imported.
  static let swallowedError = Hazard(
    "swallowed-error", "The save of an import's batch fails, the error is swallowed, and the rows count as imported.",
    careless: { stage in try importWords(stage, swallowsErrors: true) },
    careful: { stage in try importWords(stage, swallowsErrors: false) })

  private static let batchSize: Int64 = 10

  private static func importWords(_ stage: HazardStage, swallowsErrors: Bool) throws {
    let context = try stage.makeContext("import")
    let history = stage.recorder.history
    let entity = NotebookModel.EntityNumber.word
    let first = Int64(stage.firstWord) + Int64(stage.round) * batchSize
    let words = first..<first + batchSize
    func insert(_ number: Int64, isBad: Bool) throws {
      let word = Word(context: context)
      word.fill(WordRow(number: number, term: "term", meaning: "meaning", level: 1))
      if isBad { word.term = nil }
      word.note = try stage.note(in: context)
    }
    try context.performAndWait {
      history.record(.invoke, .insert, entity: entity, key: first, count: batchSize)
      for number in words { try insert(number, isBad: number == first) }
      do {
        try context.save()
        history.record(.ok, .insert, entity: entity, key: first, count: batchSize)
      } catch {
        context.rollback()
        history.record(swallowsErrors ? .ok : .fail, .insert, entity: entity, key: first, count: batchSize)
        guard !swallowsErrors else { return }
        // One by one, so that only the bad row is left out.
        for number in words where number != first {
          try insert(number, isBad: false)
          save(context, inserting: entity, number, stage)
        }
      }
    }
  }
}
