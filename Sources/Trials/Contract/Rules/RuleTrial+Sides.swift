import Cells
import Checking
import CoreData

// S2.6, S3.4, S5.2, S8.1: both sides of a relationship say the same after a change of either side, whatever the context has read of
// those that take part: the owner, the member that it had, the one that it gets, and the owner that this one leaves.

extension RuleTrial {
  /// An object's part in a change.
  private enum Part: CaseIterable { case owner, old, new, rival }
  /// How much of an object a context has read.
  private enum Known: CaseIterable { case id, row, values, all }
  /// A change of one side of a relationship.
  private enum Change: CaseIterable {
    case set, setOther, empty, exchange, add, touch, deleteOld, deleteNew, deleteRival
  }

  /// Four objects, by their parts: the owner has the old member, and its rival the new one.
  private struct Quartet {
    let ids: [Part: NSManagedObjectID]
    let numbers: [Part: Int]

    var parts: String { numbers.sorted { $0.value < $1.value }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") }
  }

  private static let sided = [
    ("Box", "items"), ("Item", "box"), ("Box", "list"), ("Item", "shelf"), ("Item", "tags"), ("Tag", "items"),
    ("Box", "cover"), ("Item", "covered"),
  ]

  func sides() throws {
    for (entity, name) in shuffled(Self.sided).prefix(2) { try changeSides(entity, name) }
    for (place, policy) in shuffled(Self.policies.filter { $0.mergeType != .errorMergePolicyType }).enumerated() {
      // The last two are one-to-one.
      guard let (entity, name) = pick(place == 0 ? Array(Self.sided.suffix(2)) : Self.sided) else { return }
      try changeSidesTwice(entity, name, policy)
    }
    for _ in 0..<2 { try deleteMoved() }
    try forgetFriends()
    for (entity, name) in shuffled(Self.sided).prefix(2) + [("Box", "cover")] { try receiveUnderChanges(entity, name) }
    try bePartners()
    try dropPairs()
  }

  // MARK: One context

  /// Parts known in each degree, a hundred of the 256 ways, each in a change of its own.
  private func changeSides(_ entity: String, _ name: String) throws {
    let degrees = Known.allCases
    let known = shuffled(Array(0..<256)).prefix(100).map { number in
      Part.allCases.indices.map { degrees[number >> (2 * $0) & 3] }
    }
    let isInMemory = chance(1, of: 2)
    let coordinator = try open(at: newURL(), type: isInMemory ? NSInMemoryStoreType : NSSQLiteStoreType)
    note("\(entity).\(name), whatever is known\(isInMemory ? ", in memory" : "")")
    var links = RuleLinks(RuleModel.shared)
    let quartets = try makeQuartets(known.count, entity, name, &links, coordinator)
    let root = context(coordinator)
    let editor = chance(1, of: 3) ? context(in: root) : root
    try editor.performAndWait {
      let parts = try zip(quartets, known).map { try read($0, $1, editor) }
      let held = parts.flatMap(\.values)
      for ((quartet, known), objects) in shuffled(Array(zip(zip(quartets, known), parts))) {
        let change = pick(Change.allCases) ?? .set
        note("\(quartet.parts): \(change), of which are known \(known)")
        carryOut(change, name, objects)
        record(change, name, quartet, &links)
        if [.deleteOld, .deleteNew, .deleteRival].contains(change) { editor.processPendingChanges() }
        if chance(1, of: 2) {
          try requireSides(shuffled(Array(objects.values)).filter { !$0.isDeleted }, links, "after \(change)")
        }
      }
      editor.processPendingChanges()
      try requireSides(held.filter { !$0.isDeleted }, links, "after all changes of \(name)")
      try save(editor)
      try requireSides(held.filter { $0.managedObjectContext != nil }, links, "after the save of \(name)")
    }
    if editor !== root { try root.performAndWait { try save(root) } }
    let fresh = freshContext(coordinator)
    try fresh.performAndWait {
      let objects = try RulePicture.entities.flatMap { try all($0, fresh) }
      try require(
        objects.map(RulePicture.number).sorted(), links.entities.keys.sorted(), .lostRecord,
        "the objects in the file, after changes of \(name)")
      try requireSides(objects, links, "in the file")
    }
    try close(coordinator)
  }

  private func makeQuartets(
    _ count: Int, _ entity: String, _ name: String, _ links: inout RuleLinks,
    _ coordinator: NSPersistentStoreCoordinator
  ) throws -> [Quartet] {
    precondition(count > 0, "there are some of them")
    let maker = context(coordinator)
    return try maker.performAndWait {
      let made = (0..<count).map { _ in
        let kinds = Part.allCases.map { part in
          part == .owner || part == .rival ? entity : Self.destination(entity, name)
        }
        let objects = zip(Part.allCases, kinds).map { part, kind in
          let object = NSEntityDescription.insertNewObject(forEntityName: kind, into: maker)
          object.setValue(newNumber(), forKey: RuleModel.number)
          links.insert(RulePicture.number(object), kind)
          return (part, object)
        }
        return Dictionary(uniqueKeysWithValues: objects)
      }
      for objects in made {
        for (owner, member) in [(Part.owner, Part.old), (.rival, .new)] {
          guard let owner = objects[owner], let member = objects[member] else { continue }
          set([member], name, of: owner)
          links.set(name, of: RulePicture.number(owner), to: [RulePicture.number(member)])
        }
      }
      try save(maker)
      return made.map { Quartet(ids: $0.mapValues(\.objectID), numbers: $0.mapValues(RulePicture.number)) }
    }
  }

  private static func destination(_ entity: String, _ name: String) -> String {
    let relationship = RuleModel.shared.entitiesByName[entity]?.relationshipsByName[name]
    guard let destination = relationship?.destinationEntity?.name else {
      preconditionFailure("\(name) is a relationship of \(entity)")
    }
    return destination
  }

  /// Reads as much of each object as is to be known; in a block of the context.
  private func read(
    _ quartet: Quartet, _ known: [Known], _ context: NSManagedObjectContext
  ) throws -> [Part: NSManagedObject] {
    precondition(known.count == Part.allCases.count, "each part is known in some degree")
    var objects: [Part: NSManagedObject] = [:]
    for (part, known) in shuffled(Array(zip(Part.allCases, known))) {
      guard let id = quartet.ids[part] else { continue }
      let object = context.object(with: id)
      objects[part] = object
      switch known {
      case .id: break
      case .row:
        let request = NSFetchRequest<NSManagedObject>(entityName: object.entity.name ?? "")
        request.predicate = NSPredicate(format: "SELF == %@", object)
        _ = try context.fetch(request)
      case .values, .all:
        _ = object.value(forKey: RuleModel.number)
        for name in object.entity.relationshipsByName.keys.sorted() where known == .all {
          let value = object.value(forKey: name)
          _ = (value as? NSSet)?.count ?? (value as? NSOrderedSet)?.count
        }
      }
    }
    return objects
  }

  /// Changes one side; in a block of the context.
  private func carryOut(_ change: Change, _ name: String, _ objects: [Part: NSManagedObject]) {
    guard let owner = objects[.owner], let old = objects[.old], let new = objects[.new], let rival = objects[.rival],
      let relationship = owner.entity.relationshipsByName[name], let inverse = relationship.inverseRelationship
    else { preconditionFailure("all parts of \(name) take part, and both of its sides") }
    switch change {
    case .set: set([new], name, of: owner)
    case .setOther: set([owner], inverse.name, of: new)
    case .empty: set([], name, of: owner)
    case .exchange:
      set([new], name, of: owner)
      set([old], name, of: rival)
    case .add where relationship.isOrdered: owner.mutableOrderedSetValue(forKey: name).add(new)
    case .add where relationship.isToMany: owner.mutableSetValue(forKey: name).add(new)
    case .add: set([new], name, of: owner)
    case .touch:
      for object in [old, new] {
        let key = ["rank", "size", "weight"].first { object.entity.attributesByName[$0] != nil }
        object.setValue(newNumber(), forKey: key ?? "rank")
      }
    case .deleteOld: old.managedObjectContext?.delete(old)
    case .deleteNew: new.managedObjectContext?.delete(new)
    case .deleteRival: rival.managedObjectContext?.delete(rival)
    }
  }

  func set(_ members: [NSManagedObject], _ name: String, of object: NSManagedObject) {
    guard let relationship = object.entity.relationshipsByName[name] else {
      preconditionFailure("\(name) is a relationship of \(object.entity.name ?? "")")
    }
    guard relationship.isToMany else { return object.setValue(members.first, forKey: name) }
    object.setValue(relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: name)
  }

  /// The same change of the reference.
  private func record(_ change: Change, _ name: String, _ quartet: Quartet, _ links: inout RuleLinks) {
    guard let owner = quartet.numbers[.owner], let old = quartet.numbers[.old], let new = quartet.numbers[.new],
      let rival = quartet.numbers[.rival],
      let inverse = RuleModel.shared.entitiesByName[links.kind(of: owner) ?? ""]?.relationshipsByName[name]?
        .inverseRelationship
    else { preconditionFailure("all parts of \(name) have numbers") }
    switch change {
    case .set: links.set(name, of: owner, to: [new])
    case .setOther: links.set(inverse.name, of: new, to: [owner])
    case .empty: links.set(name, of: owner, to: [])
    case .exchange:
      links.set(name, of: owner, to: [new])
      links.set(name, of: rival, to: [old])
    case .add:
      let isToMany = inverse.inverseRelationship?.isToMany ?? false
      links.set(name, of: owner, to: isToMany ? [old, new] : [new])
    case .touch: break
    case .deleteOld: links.delete([old])
    case .deleteNew: links.delete([new])
    case .deleteRival: links.delete([rival])
    }
  }

  /// Every relationship of the objects leads where the reference says; in a block of their context.
  private func requireSides(_ objects: [NSManagedObject], _ links: RuleLinks, _ what: String) throws {
    for object in objects {
      let number = RulePicture.number(object)
      for (name, relationship) in object.entity.relationshipsByName where name != "shown" {
        try require(
          RulePicture.members(of: object, relationship), links.members(name, of: number), .asymmetricInverse,
          "\(name) of \(object.entity.name ?? "") \(number), \(what)")
      }
    }
  }

  // MARK: Two contexts

  /// Both contexts change sides of the same relationships, and one hears of the other's saves, now or later: whichever wins, both
  /// sides say the same in the file and in the context that decided, which then has what is in the file. The one that decides
  /// deletes some in the end, by whichever rules.
  private func changeSidesTwice(_ entity: String, _ name: String, _ policy: NSMergePolicy) throws {
    let model = try drawRules()
    let coordinator = try open(model, at: newURL())
    note("\(entity).\(name) is changed by both, policy \(policy.mergeType.rawValue)")
    var links = RuleLinks(model)
    let quartets = try makeQuartets(24, entity, name, &links, coordinator)
    let (mine, theirs) = (context(coordinator, policy), context(coordinator))
    let saves = SaveLog(session.environment, of: theirs)
    defer { saves.end() }
    let held = try [mine, theirs].map { place in
      try place.performAndWait {
        try quartets.map { try read($0, Part.allCases.map { _ in pick(Known.allCases) ?? .id }, place) }
      }
    }
    let (rounds, deletes, mergesLast) = (1 + draw(3), chance(1, of: 2), chance(1, of: 2))
    for round in 1...rounds {
      mine.performAndWait { changeSome(quartets, held[0], name, alsoDeletes: false) }
      try theirs.performAndWait {
        changeSome(quartets, held[1], name, alsoDeletes: false, touches: round == rounds)
        try save(theirs)
      }
      guard round < rounds || mergesLast else { continue }
      note("merge")
      mine.performAndWait { for save in saves.removeAll() { mine.mergeChanges(fromContextDidSave: save) } }
      try requireBothSides(mine, links, "after merge \(round) of changes of \(name)")
    }
    try mine.performAndWait {
      if deletes { changeSome(quartets, held[0], name, alsoDeletes: true) }
      try save(mine)
      note("merge")
      for save in saves.removeAll() { mine.mergeChanges(fromContextDidSave: save) }
    }
    try require(
      try picture(mine).withoutDerived, try stored(coordinator).withoutDerived, .asymmetricInverse,
      "in the context that decided about \(name)")
    withExtendedLifetime(held) {}
    try close(coordinator)
  }

  /// Others save, and a merge, refreshes or fetches bring it under unsaved changes: both sides say the same at once.
  private func receiveUnderChanges(_ entity: String, _ name: String) throws {
    let coordinator = try open(at: newURL())
    var links = RuleLinks(RuleModel.shared)
    let quartets = try makeQuartets(24, entity, name, &links, coordinator)
    let (mine, theirs) = (context(coordinator, .mergeByPropertyObjectTrump), context(coordinator))
    let changes: [Change] = [.set, .setOther, .empty, .exchange, .add]
    let held = try [mine, theirs].map { place in
      try place.performAndWait {
        try quartets.flatMap { quartet in
          let parts = try read(quartet, Part.allCases.map { _ in pick(Known.allCases) ?? .id }, place)
          let change = pick(changes) ?? .set
          note("\(quartet.parts): \(change) in \(place.name ?? "")")
          carryOut(change, name, parts)
          return Array(parts.values)
        }
      }
    }
    let saves = SaveLog(session.environment, of: theirs)
    defer { saves.end() }
    try theirs.performAndWait { try save(theirs) }
    let way = draw(3)
    note("\(entity).\(name): \(["merge", "refresh", "fetch and refresh"][way]) under unsaved changes")
    try mine.performAndWait {
      switch way {
      case 0: for save in saves.removeAll() { mine.mergeChanges(fromContextDidSave: save) }
      case 1: for object in held[0] { mine.refresh(object, mergeChanges: true) }
      default:
        for entity in RulePicture.entities {
          let request = NSFetchRequest<NSManagedObject>(entityName: entity)
          request.shouldRefreshRefetchedObjects = true
          _ = try mine.fetch(request)
        }
      }
      let seen = try RulePicture(mine)
      for number in seen.objects.keys.sorted() {
        try require(
          links.problem(of: number, in: seen), nil, .asymmetricInverse,
          "both sides of \(number), where others' \(name) has come under unsaved changes")
      }
    }
    withExtendedLifetime(held) {}
    try close(coordinator)
  }

  /// The model with drawn rules of its relationships.
  func drawRules() throws -> NSManagedObjectModel {
    guard let model = RuleModel.shared.copy() as? NSManagedObjectModel else {
      preconditionFailure("the copy of a model is a model")
    }
    for entity in model.entities where entity.superentity == nil {
      for (_, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key }) {
        relationship.deleteRule = chance(1, of: 2) ? .cascadeDeleteRule : .nullifyDeleteRule
      }
    }
    return model
  }

  /// Draws changes of most quartets, of which all parts are there; in a block of the context.
  private func changeSome(
    _ quartets: [Quartet], _ held: [[Part: NSManagedObject]], _ name: String, alsoDeletes: Bool, touches: Bool = false
  ) {
    precondition(quartets.count == held.count, "the objects of each quartet are held")
    let kept: [Change] = [.set, .setOther, .empty, .exchange, .add, .touch]
    let likely = touches ? kept + kept.map { _ in .touch } : kept
    for (quartet, objects) in zip(quartets, held) where chance(5, of: 6) {
      let changes = alsoDeletes ? some([.deleteOld, .deleteNew, .deleteRival], atMost: 3) : [pick(likely) ?? .set]
      for change in changes {
        note("\(quartet.parts): \(change) in \(objects[.owner]?.managedObjectContext?.name ?? "")")
        carryOut(change, name, objects)
        if alsoDeletes, chance(1, of: 2) { objects[.owner]?.managedObjectContext?.processPendingChanges() }
      }
    }
  }

  private func requireBothSides(_ context: NSManagedObjectContext, _ links: RuleLinks, _ what: String) throws {
    let picture = try picture(context)
    for number in picture.objects.keys.sorted() {
      try require(
        links.problem(of: number, in: picture), nil, .asymmetricInverse, "the other side of \(number), \(what)")
    }
  }
}
