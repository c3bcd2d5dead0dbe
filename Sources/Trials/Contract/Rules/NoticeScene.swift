import CoreData

/// Plain objects of a context, all of them held, and their unsaved changes.
struct NoticeScene {
  private(set) var alive: [NSManagedObject] = []
  private var dead: [NSManagedObject] = []
  private var fresh: Set<ObjectIdentifier> = []
  private var gone: Set<ObjectIdentifier> = []

  var lists: NoticeLists {
    let updated = alive.filter { !fresh.contains(ObjectIdentifier($0)) && $0.hasPersistentChangedValues }
    return NoticeLists(
      inserted: fresh, updated: Set(updated.map { ObjectIdentifier($0) }), deleted: gone)
  }

  /// Nothing of it is to be saved.
  var saved: NoticeScene {
    var scene = self
    (scene.fresh, scene.gone) = ([], [])
    return scene
  }

  @discardableResult
  mutating func insert(_ trial: RuleTrial, _ context: NSManagedObjectContext) -> ObjectIdentifier {
    let object = trial.insertPlain(context)
    alive.append(object)
    fresh.insert(ObjectIdentifier(object))
    return ObjectIdentifier(object)
  }

  mutating func delete(_ object: NSManagedObject) {
    precondition(alive.contains { $0 === object }, "an object is deleted once")
    alive.removeAll { $0 === object }
    dead.append(object)
    if fresh.remove(ObjectIdentifier(object)) == nil { gone.insert(ObjectIdentifier(object)) }
  }
}
