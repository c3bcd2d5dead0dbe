import Checking
import CoreData

// S5.1, S3.6, S2.4: the lists of a save have each object once, as what it is to the store: inserted, updated or deleted, whichever of its
// steps were processed, and reported, before the save, and whichever are processed by it.

extension RuleTrial {
  /// The IDs that a save posts are those of the objects that it posts, list for list.
  func requireIDs(_ notices: [NoticeLog.Notice], _ what: String) throws {
    func ids(_ name: String) -> [String: Set<NSManagedObjectID>] { notices.first { $0.name == name }?.ids ?? [:] }
    for key in ["inserted", "updated", "deleted"] {
      try require(
        ids("did-save IDs")[key] ?? [], ids("did-save")[key] ?? [], .wrongNotification, "the \(key) IDs of \(what)")
    }
  }

  /// Saves of a few steps, some of them processed before the save, others by it.
  func listMixtures(_ coordinator: NSPersistentStoreCoordinator) throws {
    let root = context(coordinator)
    let owner = chance(1, of: 3) ? context(in: root) : root
    let log = NoticeLog(session.environment, owner)
    defer { log.end() }
    var mixture = SaveMixture()
    try owner.performAndWait {
      for _ in 0..<4 { mixture.insert(insertPlain(owner, rank: newNumber())) }
      try save(owner)
      mixture.save()
      for _ in 0..<(4 + draw(4)) {
        mix(owner, &mixture, "processed")
        owner.processPendingChanges()
        if chance(1, of: 4) {
          mix(owner, &mixture, "processed next")
          owner.processPendingChanges()
        }
        mix(owner, &mixture, "left to the save")
        _ = log.removeAll()
        try save(owner)
        let notices = log.removeAll()
        let posted = notices.filter { $0.name == "did-save" }
        try require(posted.map(\.lists), [mixture.lists], .wrongNotification, "the lists of a save of a mixture")
        try requireIDs(notices, "a save of a mixture")
        mixture.save()
      }
      try require(
        try all("Plain", owner).filter { mixture.isOf($0) }.count, mixture.saved.count, .lostRecord,
        "objects after saves of mixtures")
    }
    owner.performAndWait { withExtendedLifetime(mixture) {} }
  }

  /// A few steps of one event; in a block of the context.
  private func mix(_ context: NSManagedObjectContext, _ mixture: inout SaveMixture, _ when: String) {
    // Those that the context does not have any more: their deletion was saved, or they came and went in an earlier event.
    var lost = mixture.gone.filter { $0.managedObjectContext == nil }
    for _ in 0..<draw(4) {
      let way = draw(8)
      let object = pick(way < 3 ? mixture.new : mixture.saved)
      switch way {
      case 0, 1, 3, 4:
        guard let object else { continue }
        note("\(when): rank of \(RulePicture.number(object))")
        object.setValue(newNumber(), forKey: "rank")
        mixture.change(object)
      case 2, 5:
        guard let object else { continue }
        note("\(when): delete \(RulePicture.number(object))")
        mixture.delete(object)
        context.delete(object)
      case 6:
        guard let again = pick(lost) else { continue }
        lost.removeAll { $0 === again }
        context.insert(again)
        again.setValuesForKeys([RuleModel.number: newNumber(), "rank": newNumber()])
        note("\(when): insert \(RulePicture.number(again)), which was gone")
        mixture.insert(again)
      default:
        note("\(when):")
        mixture.insert(insertPlain(context, rank: newNumber()))
      }
    }
  }
}

/// Objects of one context, all of them held, and what each is to the next save.
private struct SaveMixture {
  private(set) var new: [NSManagedObject] = []
  private(set) var saved: [NSManagedObject] = []
  private(set) var gone: [NSManagedObject] = []
  private var known: Set<ObjectIdentifier> = []
  private var updated: Set<ObjectIdentifier> = []
  private var deleted: Set<ObjectIdentifier> = []

  var lists: NoticeLists {
    precondition(updated.isDisjoint(with: deleted), "what is deleted is not updated as well")
    return NoticeLists(inserted: Set(new.map { ObjectIdentifier($0) }), updated: updated, deleted: deleted)
  }

  func isOf(_ object: NSManagedObject) -> Bool { known.contains(ObjectIdentifier(object)) }

  mutating func insert(_ object: NSManagedObject) {
    precondition(!(new + saved).contains { $0 === object }, "an object is inserted once")
    gone.removeAll { $0 === object }
    new.append(object)
    known.insert(ObjectIdentifier(object))
  }

  mutating func change(_ object: NSManagedObject) {
    if saved.contains(where: { $0 === object }) { updated.insert(ObjectIdentifier(object)) }
  }

  mutating func delete(_ object: NSManagedObject) {
    precondition((new + saved).contains { $0 === object }, "what is deleted is there")
    updated.remove(ObjectIdentifier(object))
    if saved.contains(where: { $0 === object }) { deleted.insert(ObjectIdentifier(object)) }
    for list in [\SaveMixture.new, \.saved] { self[keyPath: list].removeAll { $0 === object } }
    gone.append(object)
  }

  mutating func save() {
    saved += new
    (new, updated, deleted) = ([], [], [])
  }
}
