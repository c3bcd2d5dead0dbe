import CoreData

extension Hazard {
  /// An import in a child of main, where each object is pushed to main and saved by main by itself, and main waits.
  static let savePerObject = Hazard(
    "save-per-object", "Main waits for an import in its child, which saves once an object.",
    careless: { stage in
      try stage.onMain { try importInChild(stage, objectsPerSave: 1) }
    },
    careful: { stage in
      // Main is free, and has a short push and save to do now and then.
      try importInChild(stage, objectsPerSave: 500)
    })

  /// With a save each, a multiple of main's limit; a whole number of portions.
  private static let importedObjects = 20_000

  private static func importInChild(_ stage: HazardStage, objectsPerSave: Int) throws {
    precondition(importedObjects.isMultiple(of: objectsPerSave), "each save has as many objects")
    let (main, round) = (stage.main, stage.round)
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = main
    stage.session.environment.adopt(child, name: "import")
    for first in stride(from: 0, to: importedObjects, by: objectsPerSave) {
      try child.performAndWait {
        for number in first..<first + objectsPerSave { insertWord(round * importedObjects + number, into: child) }
        try child.save()
      }
      try main.performAndWait { try main.save() }
    }
  }

  private static func insertWord(_ number: Int, into context: NSManagedObjectContext) {
    let word = Word(context: context)
    // Behind the words of the notebook.
    word.number = Int64(1_000_000 + number)
    word.term = "term"
    word.meaning = "meaning"
    word.level = 1
  }
}
