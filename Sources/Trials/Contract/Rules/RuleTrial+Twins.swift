import Cells
import Checking
import CoreData
import Scheduling

// S2, S4 to S8: what must make no difference. One trace runs in two stores, in the second one with levels, caches, faults, undo and
// merges that the rules give no say in the outcome; after each step both show the same, and answer the same.

extension RuleTrial {
  func twins() throws {
    var disguises = Set(some(Twin.Disguise.allCases, atMost: 4))
    // An early save is there for the observer early, and of another coordinator's saves only a new one hears.
    let observerEdits = disguises.isDisjoint(with: [.saved, .elsewhere]) && chance(1, of: 2)
    let ways: [Twin.Merging] = observerEdits ? [.automatic, .byHand, .byIDs] : Twin.Merging.allCases
    if disguises.contains(.inMemory) { disguises.subtract([.elsewhere, .history, .pinned]) }
    note("in disguise: \(disguises.map { "\($0)" }.sorted())")
    let plain = try Twin(self, [], .automatic, at: file)
    let other = try Twin(self, disguises, pick(ways) ?? .byHand, at: newURL())
    defer { for twin in [plain, other] { twin.end() } }
    for _ in 0..<(8 + draw(20)) {
      let step = drawStep(try picture(plain.context), observerEdits, savesOnly: disguises.contains(.saved))
      let answers = try [plain, other].map { try $0.run(step) }
      try require(answers[1], answers[0], .wrongValue, "\(step.words), in disguise")
      // Reading everything fills faults and members: the second context is seldom asked.
      if step.isSave ? chance(1, of: 2) : chance(1, of: 4) {
        try require(
          try picture(other.context).withoutDerived, try picture(plain.context).withoutDerived, .wrongValue,
          "after \(step.words), in disguise")
      }
      guard step.isSave else { continue }
      let files = try [plain, other].map { try $0.stored() }
      try require(files[1].withoutDerived, files[0].withoutDerived, .wrongValue, "in the second file")
      try require(
        try picture(other.observer).withoutDerived, try picture(plain.observer).withoutDerived, .staleRead,
        "in the second observer, after a save")
    }
  }

  // MARK: Steps

  /// Draws a step from the objects that there are.
  private func drawStep(_ picture: RulePicture, _ observerEdits: Bool, savesOnly: Bool) -> Twin.Step {
    func numbers(_ entities: String...) -> [Int] {
      picture.objects.filter { entities.contains($0.value["entity"] ?? "") }.keys.sorted()
    }
    let (items, boxes, tags) = (numbers("Item", "SpecialItem"), numbers("Box"), numbers("Tag"))
    guard let item = pick(items), let box = pick(boxes), let tag = pick(tags), chance(5, of: 6) else {
      return insertion(boxes, tags)
    }
    let owner = pick([item, box, tag]) ?? item
    switch draw(observerEdits ? 15 : 13) {
    case 0, 1: return assignment(owner, picture.objects[owner]?["entity"] ?? "Item", ofObserver: false)
    case 2: return setting("box", of: item, to: some([box], atMost: 1))
    case 3: return setting(pick(["shelf", "covered"]) ?? "shelf", of: item, to: some([box], atMost: 1))
    case 4: return setting("tags", of: item, to: some(tags, atMost: 4))
    case 5: return setting(pick(["items", "list", "shown"]) ?? "items", of: box, to: some(items, atMost: 5))
    case 6: return move(pick(boxes) ?? box, "list", item)
    case 7: return move(item, "tags", tag)
    case 8:
      return Twin.Step("delete \(owner)", deletes: true) { twin in
        guard let object = try twin.object(owner) else { return "none" }
        try twin.hide([object])
        twin.context.delete(object)
        return "done"
      }
    case 9, 10: return Twin.Step("save", isSave: true) { _ in "" }
    case 11: return savesOnly ? question() : Twin.Step("rollback", isRollback: true) { _ in "" }
    case 12: return question()
    case 13: return assignment(owner, picture.objects[owner]?["entity"] ?? "Item", ofObserver: true)
    default:
      return Twin.Step("rollback of the observer", isOfObserver: true) { twin in
        twin.observer.rollback()
        return ""
      }
    }
  }

  private func insertion(_ boxes: [Int], _ tags: [Int]) -> Twin.Step {
    let number = newNumber()
    let entity = ["Item", "SpecialItem", "Box", "Tag"][boxes.isEmpty ? 2 : tags.isEmpty ? 3 : draw(4)]
    let values = some(RuleModel.attributes(of: entity).filter { $0 != "label" }, atMost: 4).map {
      ($0, pick(RuleModel.values($0)) ?? nil)
    }
    let (box, shelf, chosen) = (pick(boxes), chance(1, of: 2) ? pick(boxes) : nil, some(tags, atMost: 3))
    let words = "insert \(entity) \(number) with \(values.map { "\($0) \(RulePicture.text($1))" })"
    let isItem = entity.hasSuffix("Item")
    return Twin.Step(isItem ? words + ", box \(box ?? 0), shelf \(shelf ?? 0), tags \(chosen)" : words) { twin in
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: twin.context)
      object.setValue(number, forKey: RuleModel.number)
      for (key, value) in values { object.setValue(value, forKey: key) }
      if isItem {
        object.setValue(try box.flatMap(twin.object), forKey: "box")
        object.setValue(try shelf.flatMap(twin.object), forKey: "shelf")
        object.setValue(NSOrderedSet(array: try chosen.compactMap(twin.object)), forKey: "tags")
      }
      return ""
    }
  }

  private func assignment(_ number: Int, _ entity: String, ofObserver: Bool) -> Twin.Step {
    let key = pick(RuleModel.attributes(of: entity).filter { $0 != "label" }) ?? RuleModel.number
    let value = pick(RuleModel.values(key)) ?? nil
    let words = "\(key) of \(number) = \(RulePicture.text(value))\(ofObserver ? " in the observer" : "")"
    return Twin.Step(words, isOfObserver: ofObserver) { twin in
      guard let object = try ofObserver ? twin.observed(number) : twin.object(number) else { return "none" }
      object.setValue(value, forKey: key)
      return "done"
    }
  }

  /// Sets a relationship as a whole.
  private func setting(_ key: String, of number: Int, to members: [Int]) -> Twin.Step {
    Twin.Step("\(key) of \(number) = \(members)") { twin in
      guard let object = try twin.object(number), let relationship = object.entity.relationshipsByName[key] else {
        return "none"
      }
      let objects = try members.compactMap(twin.object)
      if key == "shown" { try twin.hide(objects) }
      var value: Any? = objects.first
      if relationship.isToMany { value = relationship.isOrdered ? NSOrderedSet(array: objects) : Set(objects) }
      object.setValue(value, forKey: key)
      return "\(objects.count)"
    }
  }

  /// Adds a member to an ordered relationship at a drawn place, moves it there or takes it out.
  private func move(_ number: Int, _ key: String, _ member: Int) -> Twin.Step {
    let (place, isLast) = (draw(100), chance(1, of: 4))
    return Twin.Step("\(member) in \(key) of \(number) to place \(isLast ? "none" : "\(place)")") { twin in
      guard let object = try twin.object(number), let other = try twin.object(member) else { return "none" }
      let list = object.mutableOrderedSetValue(forKey: key)
      list.remove(other)
      if !isLast { list.insert(other, at: place % (list.count + 1)) }
      return "\(list.count)"
    }
  }

  /// A fetch, its count and its IDs.
  private func question() -> Twin.Step {
    let (entity, drawn) = (chance(1, of: 4) ? "SpecialItem" : "Item", predicate(depth: 2))
    // A context has derived values only after it has read a row.
    let predicate = "\(drawn)".contains("itemCount") ? NSPredicate(format: "rank > 0") : drawn
    let keys = some(
      ["name", "rank", "weight", "isNew", "madeAt", "price", "ratio", "box.title", "shelf.size"], atMost: 2)
    let descriptors = (keys + [RuleModel.number]).map { NSSortDescriptor(key: $0, ascending: chance(1, of: 2)) }
    let (offset, limit) = (draw(3), draw(6))
    return Twin.Step("\(entity) where \(predicate) by \(keys), from \(offset), at most \(limit)") { twin in
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      (request.predicate, request.sortDescriptors) = (predicate, descriptors)
      let count = try twin.context.count(for: request)
      (request.fetchOffset, request.fetchLimit) = (offset, limit)
      if twin.disguises.contains(.batched) {
        (request.fetchBatchSize, request.returnsObjectsAsFaults) = (2, false)
        request.relationshipKeyPathsForPrefetching = ["box", "tags.items"]
      }
      let objects = try twin.context.fetch(request)
      return "\(count) objects, \(objects.map(RulePicture.number))"
    }
  }
}

/// One of the two arrangements.
private final class Twin {
  enum Disguise: CaseIterable {
    /// Saves go through one context more, or two.
    case child, grandchild
    /// Each save is followed by a new context, of this coordinator or of another one.
    case renewed, elsewhere
    /// Each step is followed by making faults, by processing changes, or by an undo and a redo.
    case refreshed, processed, undone
    /// New objects have permanent IDs at once; objects are held, and not fetched again.
    case permanent, held
    /// Fetches have batches and read ahead; each step is saved.
    case batched, saved
    /// The store is in memory, or has a history; reads are of a query generation; there is no conflict for the policy.
    case inMemory, history, pinned, policy
  }

  /// How the observer hears of saves.
  enum Merging: CaseIterable { case automatic, byHand, byIDs, refresh, none }

  struct Step {
    let words: String
    var (deletes, isSave, isRollback, isOfObserver) = (false, false, false, false)
    /// Carries it out, in a block of the context that it is of.
    let run: (Twin) throws -> String

    init(
      _ words: String, deletes: Bool = false, isSave: Bool = false, isRollback: Bool = false,
      isOfObserver: Bool = false,
      _ run: @escaping (Twin) throws -> String
    ) {
      precondition(!words.isEmpty && !(isSave && isRollback), "a step has words, and one end")
      precondition(!isOfObserver || !(deletes || isSave || isRollback), "a step of the observer is none of the context")
      (self.words, self.deletes, self.isSave, self.run) = (words, deletes, isSave, run)
      (self.isRollback, self.isOfObserver) = (isRollback, isOfObserver)
    }
  }

  let trial: RuleTrial
  let disguises: Set<Disguise>
  private let merging: Merging
  private let coordinators: [NSPersistentStoreCoordinator]
  private var renewals = 0
  /// From the root on.
  private var levels: [NSManagedObjectContext] = []
  private(set) var observer: NSManagedObjectContext
  private var log: SaveLog?
  private var held: [Int: NSManagedObject] = [:]

  init(_ trial: RuleTrial, _ disguises: Set<Disguise>, _ merging: Merging, at url: URL) throws {
    (self.trial, self.disguises) = (trial, disguises)
    precondition(
      !disguises.contains(.inMemory) || disguises.isDisjoint(with: [.elsewhere, .history, .pinned]),
      "a store in memory has one coordinator, and neither history nor generations")
    let type = disguises.contains(.inMemory) ? NSInMemoryStoreType : NSSQLiteStoreType
    coordinators = try (0..<(disguises.contains(.elsewhere) ? 2 : 1)).map { _ in
      try trial.open(at: url, type: type, history: disguises.contains(.history))
    }
    // Saves of one coordinator do not reach contexts of another one.
    self.merging = coordinators.count > 1 ? .none : merging
    observer = trial.context(coordinators[0], merges: self.merging == .automatic)
    try renew()
  }

  var context: NSManagedObjectContext { levels[levels.count - 1] }

  func end() { log?.end() }

  /// Makes the contexts anew.
  private func renew() throws {
    log?.end()
    held = [:]
    let coordinator = coordinators[disguises.contains(.elsewhere) ? renewals % 2 : 0]
    let policy: NSMergePolicy = disguises.contains(.policy) ? trial.pick(RuleTrial.policies) ?? .error : .error
    levels = [trial.context(coordinator, policy)]
    // The other coordinator's row cache is older.
    if coordinators.count > 1 { levels[0].stalenessInterval = 0 }
    if disguises.contains(.pinned) { try levels[0].performAndWait { try levels[0].setQueryGenerationFrom(.current) } }
    for _ in 0..<(disguises.contains(.grandchild) ? 2 : disguises.contains(.child) ? 1 : 0) {
      levels.append(trial.context(in: context))
    }
    log = SaveLog(trial.session.environment, of: levels[0])
    renewals += 1
  }

  // MARK: Steps

  func run(_ step: Step) throws -> String {
    trial.note("\(step.words)\(disguises.isEmpty ? "" : ", in disguise")")
    if step.isOfObserver { return try observer.performAndWait { try step.run(self) } }
    if step.isSave {
      try save()
      return ""
    }
    return try context.performAndWait {
      let answer = try carryOut(step)
      if step.deletes || disguises.contains(.processed) { context.processPendingChanges() }
      if disguises.contains(.permanent) {
        let inserted = context.insertedObjects.sorted { RulePicture.number($0) < RulePicture.number($1) }
        try context.obtainPermanentIDs(for: inserted)
      }
      if disguises.contains(.refreshed) { context.refreshAllObjects() }
      if disguises.contains(.saved) { try saveLevels() }
      return answer
    }
  }

  private func carryOut(_ step: Step) throws -> String {
    if step.isRollback {
      context.rollback()
      held = [:]
      return ""
    }
    guard disguises.contains(.undone) else { return try step.run(self) }
    let answer = try trial.recordForUndo(context) { try step.run(self) }
    if context.undoManager?.canUndo ?? false {
      context.undoManager?.undo()
      context.processPendingChanges()
      context.undoManager?.redo()
      context.processPendingChanges()
    }
    return answer
  }

  private func saveLevels() throws {
    for level in levels.reversed() { try level.performAndWait { try level.save() } }
  }

  private func save() throws {
    try saveLevels()
    for notification in log?.removeAll() ?? [] { merge(notification) }
    if merging == .refresh { observer.performAndWait { observer.refreshAllObjects() } }
    if merging == .none {
      observer = trial.context(coordinators[0])
      observer.stalenessInterval = 0
    }
    // A merge that was enqueued comes first.
    observer.performAndWait {}
    if !disguises.isDisjoint(with: [.renewed, .elsewhere]) { try renew() }
  }

  private func merge(_ notification: Notification) {
    switch merging {
    case .automatic, .refresh, .none: break
    case .byHand: observer.performAndWait { observer.mergeChanges(fromContextDidSave: notification) }
    case .byIDs:
      var lists: [AnyHashable: Any] = [:]
      for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] {
        lists[key] = (notification.userInfo?[key] as? Set<NSManagedObject> ?? []).map(\.objectID)
      }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: lists, into: [observer])
    }
  }

  // MARK: Objects

  /// The object with a number, if the context has it; in a block of the context.
  func object(_ number: Int) throws -> NSManagedObject? {
    if disguises.contains(.held), let object = held[number], !object.isDeleted, object.managedObjectContext != nil {
      return object
    }
    let found = try Self.object(number, in: context)
    held[number] = found
    return found
  }

  /// The same of the observer, in a block of it.
  func observed(_ number: Int) throws -> NSManagedObject? { try Self.object(number, in: observer) }

  private static func object(_ number: Int, in context: NSManagedObjectContext) throws -> NSManagedObject? {
    for entity in RulePicture.entities {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "number == %ld", number)
      if let object = try context.fetch(request).first { return object }
    }
    return nil
  }

  /// Takes items out of every list without inverse: a row names one owner, and no delete rule leads there.
  func hide(_ objects: [NSManagedObject]) throws {
    for box in try trial.all("Box", context) {
      let shown = box.mutableSetValue(forKey: "shown")
      for object in objects where shown.contains(object) { shown.remove(object) }
    }
  }

  /// The picture of the store.
  func stored() throws -> RulePicture {
    disguises.contains(.inMemory)
      ? try trial.picture(trial.freshContext(coordinators[0])) : try trial.stored(coordinators[0])
  }
}
