import Cells
import Checking
import CoreData

// S3.3, S3.4, S5.2: two contexts change objects and relationships of every kind; a save meets the other's save of the same
// objects and no others; property by property the policy decides, or a merge before the save has brought the other's below. Each
// policy meets each kind of property, changed by either, both or neither, beside each other such change, and each deletion.

extension RuleTrial {
  func policies() throws {
    let first = try open()
    let second = chance(2, of: 3) ? first : try open()
    let maker = context(first)
    try maker.performAndWait {
      populate(maker, items: 6)
      try save(maker)
    }
    for _ in 0..<(2 + draw(3)) { try meet(first, second) }
    try decideEachPair()
  }

  /// The changes that a context is to save, by the numbers of its objects.
  private struct RuleChanges {
    var changed: [Int: [String: String]] = [:]
    var deleted: Set<Int> = []
    var inserted: Set<Int> = []

    var touched: Set<Int> { deleted.union(changed.keys) }

    /// In a block of the context.
    init(_ context: NSManagedObjectContext) {
      for object in context.updatedObjects {
        let texts = RulePicture.properties(of: object)
        let keys = object.changedValues().keys.filter { object.entity.propertiesByName[$0]?.isTransient == false }
        if !keys.isEmpty { changed[RulePicture.number(object)] = texts.filter { keys.contains($0.key) } }
      }
      inserted = Set(context.insertedObjects.map(RulePicture.number))
      deleted = Set(
        context.deletedObjects.map {
          ($0.committedValues(forKeys: [RuleModel.number])[RuleModel.number] as? NSNumber)?.intValue ?? -1
        })
    }
  }

  private func meet(_ first: NSPersistentStoreCoordinator, _ second: NSPersistentStoreCoordinator) throws {
    let policy = pick([.error] + Self.policies) ?? .error
    let way = draw(4)
    let merges = way > 1 && first === second
    let (mine, other) = (context(first, merges: merges && way == 3, policy), context(second))
    CellReports.allowInaccessibleFaults(in: [mine.name ?? ""])
    let saves = SaveLog(session.environment, of: other)
    defer { saves.end() }
    precondition(!merges || first === second, "saves of one coordinator are merged")
    let before = try stored(first)
    note("here:")
    let (held, own) = try mine.performAndWait {
      let held = try RulePicture.entities.flatMap { try all($0, mine) }
      _ = try RulePicture(mine)
      for _ in 0..<(1 + draw(3)) { try changeSomething(mine) }
      mine.processPendingChanges()
      return (held, RuleChanges(mine))
    }
    let theirs = try changeElsewhere(other)
    let stored = try stored(first)
    if merges, let save = saves.removeLast() {
      note("merged")
      mine.performAndWait { if way == 2 { mine.mergeChanges(fromContextDidSave: save) } }
    }
    let error = mine.performAndWait { AnythingClient.error { try mine.save() } }
    defer { mine.performAndWait { withExtendedLifetime(held) {} } }
    let isLed = leads(own, to: theirs.deleted)
    if let error {
      let isMet = policy.mergeType == .errorMergePolicyType && !own.touched.isDisjoint(with: theirs.touched)
      guard isLed || isMet && (!merges || !own.touched.isDisjoint(with: theirs.deleted)) else { throw error }
      return try require(try self.stored(first), stored, .dirtyRead, "in the file after a save that was refused")
    }
    if policy.mergeType == .errorMergePolicyType, !merges, let number = own.touched.intersection(theirs.touched).min() {
      try report(.lostUpdate, "a save that meets a newer row of \(number)", expected: "refused", seen: "saved")
    }
    let file = try requireShown(mine, own, first)
    // Others lose members by the deletions of either.
    guard own.deleted.isEmpty, theirs.deleted.isEmpty else { return }
    let decision: NSMergePolicyType = merges ? .mergeByPropertyObjectTrumpMergePolicyType : policy.mergeType
    for (number, old) in before.objects.sorted(by: { $0.key < $1.key }) {
      try check(
        file.objects[number] ?? [:], of: number, old, own, stored.objects[number] ?? [:],
        isMet: theirs.changed[number] != nil, decision)
    }
  }

  private func changeElsewhere(_ other: NSManagedObjectContext) throws -> RuleChanges {
    note("there:")
    return try other.performAndWait {
      for _ in 0..<(1 + draw(3)) { try changeSomething(other) }
      other.processPendingChanges()
      let theirs = RuleChanges(other)
      try save(other)
      return theirs
    }
  }

  /// A context shows its own save, and after a refresh everything.
  private func requireShown(
    _ mine: NSManagedObjectContext, _ own: RuleChanges, _ coordinator: NSPersistentStoreCoordinator
  ) throws -> RulePicture {
    precondition(
      mine.persistentStoreCoordinator === coordinator, "what is shown is held against the context's own file")
    let (file, shown) = (try stored(coordinator), try picture(mine))
    let saved = Set(own.changed.keys).union(own.inserted)
    try require(
      shown.part(saved).withoutDerived, file.part(saved).withoutDerived, .staleRead, "in a context after its save")
    mine.performAndWait { mine.refreshAllObjects() }
    try require(try picture(mine), file, .staleRead, "in a context after its save and a refresh")
    return file
  }

  /// Whether a relationship that was changed leads to one of the objects.
  private func leads(_ changes: RuleChanges, to gone: Set<Int>) -> Bool {
    changes.changed.values.contains { texts in
      texts.contains { $0.value.hasPrefix("[") && !gone.isDisjoint(with: RulePicture.numbers($0.value)) }
    } || !changes.inserted.isEmpty && !gone.isEmpty
  }

  /// Attributes and to-one relationships of a row, each by the policy.
  private func check(
    _ row: [String: String], of number: Int, _ old: [String: String], _ own: RuleChanges, _ stored: [String: String],
    isMet: Bool, _ policy: NSMergePolicyType
  ) throws {
    let mine = own.changed[number] ?? [:]
    let names = RuleModel.attributes(of: old["entity"] ?? "") + (old["box"] == nil ? [] : ["box"])
    for name in names where name != "label" {
      let isTheirs = stored[name] != old[name]
      let expected: String? =
        switch policy {
        case _ where !isMet || mine.isEmpty: mine[name] ?? stored[name]
        case .rollbackMergePolicyType: stored[name]
        case .overwriteMergePolicyType: mine[name] ?? old[name]
        case .mergeByPropertyStoreTrumpMergePolicyType: isTheirs ? stored[name] : mine[name] ?? stored[name]
        default: mine[name] ?? stored[name]
        }
      try require(row[name], expected, .wrongWinner, "\(name) of \(number) after two contexts changed it")
    }
  }

  // MARK: Each pair

  /// Every policy and deletion, and under each every pair of kinds of properties in every pair of hands.
  private func decideEachPair() throws {
    let url = newURL()
    let first = try open(DecidedModel.shared, at: url)
    let second = chance(1, of: 2) ? first : try open(DecidedModel.shared, at: url)
    for policy in Self.policies {
      for deletion in Hands.all {
        // Who deletes a thing changes nothing of it: of so few combinations half are enough.
        var rows = Hands.pairs(turn: draw(5), mask: draw(4)).filter { _ in deletion == 0 || chance(1, of: 2) }
        while !rows.isEmpty {
          let part = Array(rows.prefix(policy.mergeType == .errorMergePolicyType ? 1 : 1 + draw(16)))
          rows.removeFirst(part.count)
          try decide(part, policy, deletion, first, second)
        }
      }
    }
  }

  /// Some things are changed and deleted by hands of both sides, and saved: each is in the file, and here, as the policy says.
  private func decide(
    _ rows: [[Int]], _ policy: NSMergePolicy, _ deletion: Int, _ first: NSPersistentStoreCoordinator,
    _ second: NSPersistentStoreCoordinator
  ) throws {
    precondition(rows.allSatisfy { $0.count == DecidedModel.kinds.count }, "each kind is in some hands")
    precondition(Hands.all ~= deletion && !rows.isEmpty, "some things are deleted by some hands, or by none")
    let (mine, other) = (context(first, policy), context(second))
    CellReports.allowInaccessibleFaults(in: [mine.name ?? ""])
    let numbers = try other.performAndWait { () -> [Int] in
      let numbers = rows.map { _ in DecidedModel.insert(self, other) }
      try save(other)
      return numbers
    }
    note("\(DecidedModel.kinds) of \(numbers) by \(rows), deleted by \(deletion): 1 is here, 2 there, 3 both")
    let things = try mine.performAndWait { () -> [NSManagedObject] in
      let things = try DecidedModel.things(numbers, mine)
      // Of a fault nothing was read that a conflict could be about.
      for thing in things { _ = RulePicture.properties(of: thing) }
      try DecidedModel.change(things, rows, deletion, side: 1)
      if chance(1, of: 2) { mine.processPendingChanges() }
      return things
    }
    try other.performAndWait {
      try DecidedModel.change(try DecidedModel.things(numbers, other), rows, deletion, side: 2)
      try save(other)
    }
    let before = try DecidedModel.texts(numbers, freshContext(first))
    let error = mine.performAndWait { AnythingClient.error { try mine.save() } }
    let file = try DecidedModel.texts(numbers, freshContext(first))
    let what = "by policy \(policy.mergeType.rawValue), deleted by \(deletion)"
    let isRefused = policy.mergeType == .errorMergePolicyType && rows.contains { Hands.areBoth($0, deletion) }
    try require(
      error?.code, isRefused ? NSManagedObjectMergeError : nil, isRefused ? .lostUpdate : .failedSave,
      "the error of a save of \(rows) \(what)")
    if isRefused { return try require(file, before, .dirtyRead, "things after a save that was refused, \(what)") }
    for (number, row) in zip(numbers, rows) {
      let expected = Self.decided(number, row, policy.mergeType, deletion)
      try require(file[number] != nil, expected != nil, .lostRecord, "whether \(number), by \(row), is there, \(what)")
      for key in DecidedModel.kinds {
        guard let texts = expected?[key], !texts.contains(file[number]?[key] ?? "") else { continue }
        try report(
          .wrongWinner, "\(key) of \(number), by \(row), \(what)", expected: texts.joined(separator: " or "),
          seen: file[number]?[key] ?? "nothing")
      }
    }
    // This context has not read again what it has not changed.
    let saved = zip(numbers, rows).filter { deletion == 0 && Hands.changes($1, 1, deletion) }.map(\.0)
    try require(
      try DecidedModel.texts(saved, mine), file.filter { saved.contains($0.key) }, .staleRead,
      "things in a context after its save, \(what)")
    mine.performAndWait { mine.refreshAllObjects() }
    try require(
      try DecidedModel.texts(numbers, mine), file, .staleRead,
      "things in a context after its save and a refresh, \(what)")
    mine.performAndWait { withExtendedLifetime(things) {} }
  }

  /// The texts that each property of a thing may have after the save; nil where it is gone.
  private static func decided(
    _ number: Int, _ row: [Int], _ policy: NSMergePolicyType, _ deletion: Int
  ) -> [String: [String]]? {
    let isMet = Hands.areBoth(row, deletion)
    let keepsStore = policy == .mergeByPropertyStoreTrumpMergePolicyType || policy == .rollbackMergePolicyType
    if deletion == 3 || deletion > 0 && (!isMet || keepsStore != (deletion == 1)) { return nil }
    // Of who is inserted again everything is new, and its former members have left it.
    let isBack = deletion == 2
    return Dictionary(
      uniqueKeysWithValues: zip(DecidedModel.kinds, row).map { kind, hands in
        let theirs = deletion != 2 && hands & 2 != 0
        let ours = deletion != 1 && hands & 1 != 0 && !(isMet && policy == .rollbackMergePolicyType)
        let isToMany = kind == "friends" || kind == "steps"
        // Members are no part of a snapshot: each that came or went is a change of its own.
        guard !isToMany else { return (kind, DecidedModel.members(kind, number, ours, theirs, isBack: isBack)) }
        let winner: Int =
          switch policy {
          case .mergeByPropertyStoreTrumpMergePolicyType: theirs && isMet ? 2 : ours ? 1 : theirs ? 2 : 0
          case .overwriteMergePolicyType: ours ? 1 : theirs && !isMet ? 2 : 0
          default: ours ? 1 : theirs ? 2 : 0
          }
        return (kind, [DecidedModel.text(kind, number, winner)])
      })
  }
}

/// Who changed, or deleted, something: 0 none, 1 ours, 2 theirs, 3 both.
private enum Hands {
  static let all = 0..<4

  /// For five kinds: in the sixteen rows each two columns have each two values once. They are the lines of a plane over the field of
  /// four elements.
  static func pairs(turn: Int, mask: Int) -> [[Int]] {
    precondition(all ~= mask, "a mask exchanges the four values")
    precondition(0..<5 ~= turn, "a turn begins at one of the five kinds")
    let (double, triple) = ([0, 2, 3, 1], [0, 3, 1, 2])
    return all.flatMap { a in
      all.map { b in
        let row = [a, b, a ^ b, a ^ double[b], a ^ triple[b]]
        return (0..<5).map { row[($0 + turn) % 5] ^ mask }
      }
    }
  }

  /// Whether a side changes a thing and does not delete it.
  static func changes(_ row: [Int], _ side: Int, _ deletion: Int) -> Bool {
    precondition(row.allSatisfy(all.contains), "each kind is in the hands of sides that there are")
    return deletion & side == 0 && row.contains { $0 & side != 0 }
  }

  /// Whether both sides change or delete it.
  static func areBoth(_ row: [Int], _ deletion: Int) -> Bool {
    [1, 2].allSatisfy { deletion & $0 != 0 || changes(row, $0, deletion) }
  }
}

/// Things with a property of each kind. Each has three targets of its own: the first one's, ours and theirs.
private enum DecidedModel {
  static let kinds = ["rank", "photo", "home", "friends", "steps"]
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let (thing, target) = (ModelParts.entity("Thing"), ModelParts.entity("Target"))
    let photo = ModelParts.attribute("photo", .binaryDataAttributeType, isOptional: true)
    photo.allowsExternalBinaryDataStorage = true
    thing.properties += [ModelParts.attribute("rank", .integer64AttributeType, isOptional: true), photo]
    ModelParts.connect(
      ModelParts.one("home", target), of: thing, ModelParts.many("things", thing, .nullifyDeleteRule), of: target)
    for (name, inverse) in [("friends", "fans"), ("steps", "walkers")] {
      let members = ModelParts.many(name, target, .nullifyDeleteRule)
      members.isOrdered = name == "steps"
      ModelParts.connect(
        members, of: thing, ModelParts.many(inverse, thing, .nullifyDeleteRule), of: target)
    }
    let model = NSManagedObjectModel()
    precondition(Set(thing.properties.map(\.name)).isSuperset(of: kinds), "each kind is a property of a thing")
    model.entities = [thing, target]
    return model
  }

  /// A thing and its targets; in a block of the context.
  static func insert(_ trial: RuleTrial, _ context: NSManagedObjectContext) -> Int {
    let objects = ["Thing", "Target", "Target", "Target"].map { entity in
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      object.setValue(trial.newNumber(), forKey: RuleModel.number)
      return object
    }
    for kind in kinds { set(kind, of: objects[0], 0, objects[1]) }
    return RulePicture.number(objects[0])
  }

  /// Things in the order of their numbers; in a block of the context.
  static func things(_ numbers: [Int], _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    request.predicate = NSPredicate(format: "\(RuleModel.number) IN %@", argumentArray: [numbers])
    request.sortDescriptors = [NSSortDescriptor(key: RuleModel.number, ascending: true)]
    return try context.fetch(request)
  }

  static func texts(_ numbers: [Int], _ reader: NSManagedObjectContext) throws -> [Int: [String: String]] {
    try reader.performAndWait {
      let things = try things(numbers, reader)
      return Dictionary(uniqueKeysWithValues: things.map { (RulePicture.number($0), RulePicture.properties(of: $0)) })
    }
  }

  /// One side's part; in a block of the context.
  static func change(_ things: [NSManagedObject], _ rows: [[Int]], _ deletion: Int, side: Int) throws {
    for (thing, row) in zip(things, rows) {
      guard deletion & side == 0, let context = thing.managedObjectContext else {
        thing.managedObjectContext?.delete(thing)
        continue
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Target")
      request.predicate = NSPredicate(format: "\(RuleModel.number) == %ld", RulePicture.number(thing) + 1 + side)
      guard let target = try context.fetch(request).first else { preconditionFailure("a thing has its targets") }
      for (kind, hands) in zip(kinds, row) where hands & side != 0 { set(kind, of: thing, side, target) }
    }
  }

  private static func set(_ kind: String, of thing: NSManagedObject, _ side: Int, _ target: NSManagedObject) {
    switch kind {
    case "rank": thing.setValue(side, forKey: kind)
    case "photo": thing.setValue(photo(side), forKey: kind)
    case "home": thing.setValue(target, forKey: kind)
    case "friends": thing.setValue(Set([target]), forKey: kind)
    default: thing.mutableOrderedSetValue(forKey: kind).insert(target, at: 0)
    }
  }

  private static func photo(_ side: Int) -> Data? { side == 0 ? nil : Data(repeating: UInt8(side), count: 120_000) }

  static func text(_ kind: String, _ number: Int, _ side: Int) -> String {
    switch kind {
    case "rank": "\(side)"
    case "photo": RulePicture.text(photo(side))
    default: "[\(number + 1 + side)]"
    }
  }

  /// The first target leaves friends when another one comes, and no steps; of two who come to be first either may be.
  static func members(_ kind: String, _ number: Int, _ ours: Bool, _ theirs: Bool, isBack: Bool) -> [String] {
    precondition(kind == "friends" || kind == "steps", "only friends and steps have many members")
    let new = (ours ? [number + 2] : []) + (theirs ? [number + 3] : [])
    let old = isBack || kind == "friends" && !new.isEmpty ? [] : [number + 1]
    guard kind == "steps", new.count == 2 else { return ["\(new + old)"] }
    return ["\(new + old)", "\(new.reversed() + old)"]
  }
}
