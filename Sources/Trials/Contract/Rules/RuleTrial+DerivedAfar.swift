import Cells
import Checking
import CoreData

// S5.2, S6.11, S7.5: who merges a save of another coordinator has the derived values with it, where he had others before; and a
// controller lists new and changed objects by what the store derives of them, at the save of its own context.

extension RuleTrial {
  /// Saves change what values are derived from; a context of another coordinator, that has read them, merges each.
  func deriveAfar(_ coordinator: NSPersistentStoreCoordinator) throws {
    let far = try open(DerivingModel.shared, at: coordinator.persistentStores[0].url, history: true)
    let (writer, reader) = (context(coordinator), context(far))
    let made = try writer.performAndWait {
      let crate = insertNumbered(pick(["Crate", "BigCrate"]) ?? "Crate", writer)
      let parts = (0..<3).map { _ in insertNumbered(pick(["Part", "BigPart"]) ?? "Part", writer) }
      for part in parts { part.setValue(crate, forKey: "crate") }
      crate.setValue(Set(some(parts, atMost: 3)), forKey: "friends")
      try save(writer)
      return [crate] + parts
    }
    let ids = writer.performAndWait { made.map { $0.objectID.uriRepresentation() } }
    let held = try reader.performAndWait {
      try ids.compactMap { far.managedObjectID(forURIRepresentation: $0) }.map(reader.existingObject)
    }
    precondition(held.count == made.count, "the other coordinator has every row")
    try requireDerived(of: held, reader, "before anything is merged")
    let saves = SaveLog(session.environment, of: writer)
    defer { saves.end() }
    for _ in 0..<4 {
      try writer.performAndWait {
        // A part alone now and then: the crate is in no list of such a save.
        let object = chance(1, of: 3) ? made[0] : made[1 + draw(3)]
        deriveFrom(object)
        object.setValue(newNumber(), forKey: "size")
        try save(writer)
      }
      for save in saves.removeAll() { reader.performAndWait { reader.mergeChanges(fromContextDidSave: save) } }
      try requireDerived(of: held, reader, "in a context of another coordinator that has merged the save")
    }
  }

  /// The derived values of some objects are what a loop derives of the objects that their context has.
  private func requireDerived(
    of objects: [NSManagedObject], _ reader: NSManagedObjectContext, _ what: String
  ) throws {
    try reader.performAndWait {
      for object in objects {
        for (key, expected) in DerivingModel.derived(object) {
          try require(
            RulePicture.text(object.value(forKey: key)), RulePicture.text(expected), .staleRead,
            "\(key) of \(object.entity.name ?? "") \(RulePicture.number(object)) \(what)")
        }
      }
    }
  }

  /// Controllers of the context that saves, by conditions on what is derived of the objects themselves.
  func listByDerived(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    try owner.performAndWait {
      let followers = try ["upper != nil", "canon BEGINSWITH 'a' OR canon BEGINSWITH 'c'", "copied >= 0"].map {
        format in
        let request = NSFetchRequest<NSManagedObject>(entityName: "Crate")
        request.predicate = NSPredicate(format: format)
        let key = pick(["upper", "copied", RuleModel.number]) ?? RuleModel.number
        request.sortDescriptors = [key, RuleModel.number].map { NSSortDescriptor(key: $0, ascending: true) }
        return try ControllerFollower(owner, request)
      }
      defer { for follower in followers { follower.end() } }
      for _ in 0..<4 {
        let crates = try all("Crate", owner)
        guard let crate = chance(1, of: 2) ? insertNumbered("Crate", owner) : pick(crates) else { continue }
        crate.setValue(pick(["alpha", "Beta", "caf\u{e9}"]), forKey: "text")
        crate.setValue(draw(9), forKey: "size")
        try save(owner)
        for follower in followers {
          try require(
            try follower.problemNow(), nil, .controllerDivergence,
            "a controller by what is derived of the objects that its context saves")
        }
      }
    }
  }
}
