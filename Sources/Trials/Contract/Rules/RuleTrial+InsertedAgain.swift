import Checking
import CoreData

// S2.1, S8.3: an object of which the deletion was saved is inserted again, and has its attributes still.

extension RuleTrial {
  /// Objects of which a context has saved the deletion are inserted again: new ones with the attributes that they had, faults or not.
  func insertAgain(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    precondition(writer.persistentStoreCoordinator === coordinator, "the rows are in the file of the writer")
    let numbers = try writer.performAndWait {
      let objects =
        ["Item", "Tag", "SpecialItem"].map { insert($0, writer) } + [insertPlain(writer, rank: newNumber())]
      try save(writer)
      return objects.map(RulePicture.number)
    }
    func attributes(_ object: NSManagedObject) -> [String: String] {
      let names = object.entity.attributesByName.filter { !$0.value.isTransient && !RuleModel.derived.contains($0.key) }
      return RulePicture.properties(of: object).filter { names[$0.key] != nil }
    }
    func chosen(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
      try ["Item", "Tag", "Plain"].flatMap { try all($0, context) }.filter { numbers.contains(RulePicture.number($0)) }
    }
    let (owner, reader) = (context(coordinator), context(coordinator))
    let old = try reader.performAndWait { try chosen(reader).map(attributes) }
    try owner.performAndWait {
      let objects = try chosen(owner)
      for object in objects where chance(2, of: 3) { owner.refresh(object, mergeChanges: false) }
      note("\(numbers) are deleted, \(objects.count(where: \.isFault)) of them faults, and inserted again")
      for object in objects { owner.delete(object) }
      try save(owner)
      for object in objects { owner.insert(object) }
      if chance(1, of: 2) {
        try require(objects.map(attributes), old, .lostUpdate, "attributes of objects that are inserted again")
      }
      try save(owner)
    }
    let fresh = freshContext(coordinator)
    let seen = try fresh.performAndWait { try chosen(fresh).map(attributes) }
    try require(seen, old, .lostUpdate, "attributes in the file of objects that are inserted again")
  }
}
