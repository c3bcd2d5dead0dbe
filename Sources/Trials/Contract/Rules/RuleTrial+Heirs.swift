import Cells
import Checking
import CoreData

// S3.5, S5.2: a new object that gives way to another one of the same unique value leaves it everything that it has: values by the policy,
// members of every kind of relationship, saved before or new, and who leads to it. Both sides, the file, and all contexts say so.

extension RuleTrial {
  func heirs() throws {
    let coordinator = try open(HeirModel.shared)
    let second = chance(1, of: 3) ? try open(HeirModel.shared) : coordinator
    let policy = pick(Self.policies.filter { $0.mergeType != .errorMergePolicyType }) ?? .overwrite
    let (owner, other) = (context(coordinator, policy), context(second))
    let third = context(coordinator, merges: true)
    let editor = chance(1, of: 3) ? context(in: owner) : owner
    var scene = HeirScene(policy.mergeType)
    try owner.performAndWait {
      let members = (0..<6).map { _ in insertHeir("Member", owner, &scene) }
      for _ in 0..<2 {
        let folder = insertHeir("Folder", owner, &scene)
        give(folder, "code", "code \(folder.number)", &scene)
        furnish(folder, members, isWhole: false, &scene)
      }
      insertHeir("Link", owner, &scene)
      try save(owner)
    }
    for _ in 0..<(1 + draw(3)) {
      for context in editor === owner ? [owner] : [owner, editor] {
        context.performAndWait { if chance(1, of: 2) { context.refreshAllObjects() } else { context.reset() } }
      }
      let loser = try collide(editor, owner, other, &scene)
      try owner.performAndWait {
        try save(owner)
        if editor === owner {
          try require(
            loser.object.managedObjectContext == nil, true, .duplicateRecord, "whether who gave way has left")
        }
      }
      editor.performAndWait { if editor !== owner { editor.refreshAllObjects() } }
      let (fresh, expected) = (freshContext(coordinator), scene.picture)
      for (context, what) in [(fresh, "the file"), (owner, "its context"), (editor, "a child"), (third, "a third one")]
      {
        try require(
          try picture(context, HeirModel.entities), expected, .lostUpdate,
          "in \(what), after an object gave way by policy \(policy.mergeType.rawValue)")
      }
    }
  }

  /// A new object has the unique value of a row that its context knows, of a row that others have saved meanwhile, or of another new object.
  ///
  /// - Returns: the object that gives way.
  private func collide(
    _ editor: NSManagedObjectContext, _ owner: NSManagedObjectContext, _ other: NSManagedObjectContext,
    _ scene: inout HeirScene
  ) throws -> Heir {
    precondition(
      other !== owner && (editor === owner || editor.parent === owner), "an editor is the owner, or its child")
    let (members, known, links) = try editor.performAndWait {
      let found = try HeirModel.entities.map { entity in
        try all(entity, editor).map { Heir(object: $0, number: RulePicture.number($0)) }
      }
      return (found[0], found[1], found[2])
    }
    let isInChild = editor !== owner
    let way = draw(isInChild ? 2 : 3)
    note("a new object has the value of \(["a known row", "others' new row", "a new object"][way])")
    var rival = way == 0 ? pick(known) : nil
    if way == 1 {
      rival = try other.performAndWait {
        other.reset()
        let rival = insertRival(other, [], &scene)
        try save(other)
        return rival
      }
    }
    return try editor.performAndWait {
      // Of two new objects the policy keeps the newer or the older one.
      if rival == nil, !scene.keepsNewest { rival = insertRival(editor, members, &scene) }
      let (number, loser) = (rival?.number ?? newNumber(), insertHeir("Folder", editor, &scene, shown: 0))
      loser.object.setValue(number, forKey: RuleModel.number)
      let lasting = rival ?? insertRival(editor, members, &scene, shown: number)
      give(loser, "code", scene.value("code", of: lasting), &scene)
      let free = members.filter { !scene.links.members("pages", of: lasting.number).contains($0.number) }
      furnish(loser, free, isWhole: isInChild, &scene)
      note("\(loser.number) gives way to \(lasting.number)")
      lead(links + [insertHeir("Link", editor, &scene)], to: loser, lasting.number, &scene)
      if chance(1, of: 2) { editor.processPendingChanges() }
      if isInChild { try save(editor) }
      scene.bequeath(loser.number, lasting.number, isRow: way < 2)
      return loser
    }
  }

  private func insertRival(
    _ context: NSManagedObjectContext, _ members: [Heir], _ scene: inout HeirScene, shown number: Int? = nil
  ) -> Heir {
    let rival = insertHeir("Folder", context, &scene, shown: number)
    give(rival, "code", "code \(rival.number)", &scene)
    furnish(rival, members, isWhole: false, &scene)
    return rival
  }

  /// Inserts an object; in a block of the context.
  ///
  /// - Parameter shown: the number that it is to have; 0 for one that it gets later. The scene knows that one by a number of its own.
  @discardableResult
  private func insertHeir(
    _ entity: String, _ context: NSManagedObjectContext, _ scene: inout HeirScene, shown: Int? = nil
  ) -> Heir {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    let number = shown.flatMap { $0 == 0 ? nil : $0 } ?? newNumber()
    object.setValue(number, forKey: RuleModel.number)
    note("insert \(entity) \(number)")
    scene.insert(number, entity)
    return Heir(object: object, number: number)
  }

  private func give(_ heir: Heir, _ key: String, _ value: String, _ scene: inout HeirScene) {
    precondition(HeirModel.attributes.contains(key), "\(key) is an attribute of a folder")
    note("\(key) of \(heir.number) = \(value)")
    heir.object.setValue(key == "size" ? Int(value) as Any : value, forKey: key)
    scene.give(heir.number, key, value)
  }

  /// Gives a folder values and members, some of them new; in a block of the context.
  ///
  /// - Parameter isWhole: whether no value is left out: a child pushes all values of a new object, as if each were set.
  private func furnish(_ folder: Heir, _ members: [Heir], isWhole: Bool, _ scene: inout HeirScene) {
    guard let context = folder.object.managedObjectContext else { return }
    for key in ["title", "size"] where isWhole || chance(1, of: 2) { give(folder, key, "\(newNumber())", &scene) }
    for key in HeirModel.toOne where isWhole || chance(1, of: 2) {
      let free = members.filter { key == "owner" || scene.links.members("cardOf", of: $0.number).isEmpty }
      relate(folder, key, [pick(free) ?? insertHeir("Member", context, &scene)], &scene)
    }
    for key in HeirModel.toMany where chance(2, of: 3) {
      var chosen = some(members, atMost: 2)
      for _ in 0..<draw(3) { chosen.append(insertHeir("Member", context, &scene)) }
      relate(folder, key, chosen, &scene)
    }
  }

  /// Sets a relationship that had no member, by either side; in a block of the context.
  private func relate(_ folder: Heir, _ key: String, _ members: [Heir], _ scene: inout HeirScene) {
    guard let relationship = folder.object.entity.relationshipsByName[key] else { return }
    precondition(relationship.isToMany || members.count == 1, "a folder has one member of a to-one relationship")
    let (objects, numbers) = (members.map(\.object), members.map(\.number))
    let inverse = chance(1, of: 3) ? relationship.inverseRelationship : nil
    note("\(key) of \(folder.number) = \(numbers)\(inverse == nil ? "" : ", by the other side")")
    scene.note(folder.number, key)
    guard let inverse else {
      if relationship.isToMany {
        folder.object.setValue(relationship.isOrdered ? NSOrderedSet(array: objects) : Set(objects), forKey: key)
      } else {
        folder.object.setValue(objects.first, forKey: key)
      }
      return scene.links.set(key, of: folder.number, to: numbers)
    }
    for member in members {
      let former = inverse.isToMany ? scene.links.members(inverse.name, of: member.number) : []
      if inverse.isToMany {
        member.object.mutableSetValue(forKey: inverse.name).add(folder.object)
      } else {
        member.object.setValue(folder.object, forKey: inverse.name)
      }
      scene.links.set(inverse.name, of: member.number, to: former + [folder.number])
    }
  }

  /// Some objects lead to a folder by relationships without inverse; in a block of the context.
  ///
  /// A row names one owner by a to-many relationship without inverse: who leads so to the folder that lasts is the only one.
  private func lead(_ links: [Heir], to folder: Heir, _ lasting: Int, _ scene: inout HeirScene) {
    for link in some(links, atMost: 2) {
      let isShown = !scene.links.owners(of: [folder.number, lasting], "shown").isEmpty
      let isOne = isShown || chance(1, of: 2)
      note("\(link.number) leads to \(folder.number) by its \(isOne ? "target" : "shown")")
      if isOne {
        link.object.setValue(folder.object, forKey: "target")
        scene.links.set("target", of: link.number, to: [folder.number])
      } else {
        link.object.mutableSetValue(forKey: "shown").add(folder.object)
        let former = scene.links.members("shown", of: link.number)
        scene.links.set("shown", of: link.number, to: former + [folder.number])
      }
    }
  }
}

/// An object, and the number by which the scene knows it.
private struct Heir {
  let object: NSManagedObject
  let number: Int
}

/// All that the file is to have.
private struct HeirScene {
  private let policy: NSMergePolicyType
  var links = RuleLinks(HeirModel.shared)
  private var values: [Int: [String: String]] = [:]
  /// The properties that were set of each new object.
  private var given: [Int: Set<String>] = [:]

  init(_ policy: NSMergePolicyType) { self.policy = policy }

  var keepsNewest: Bool { [.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType].contains(policy) }

  mutating func insert(_ number: Int, _ entity: String) {
    precondition(values[number] == nil && given[number] == nil, "each object has a number of its own")
    links.insert(number, entity)
    if entity == "Folder" { values[number] = ["code": "null", "title": "null", "size": "1"] }
  }

  func value(_ key: String, of heir: Heir) -> String { values[heir.number]?[key] ?? "" }

  mutating func give(_ number: Int, _ key: String, _ value: String) {
    precondition(values[number] != nil, "only folders have values")
    values[number]?[key] = value
    note(number, key)
  }

  mutating func note(_ number: Int, _ key: String) { given[number, default: []].insert(key) }

  /// One leaves everything to the other, and is gone.
  ///
  /// - Parameter isRow: whether the other one has a row; else it keeps every value that was set.
  mutating func bequeath(_ loser: Int, _ heir: Int, isRow: Bool) {
    precondition(loser != heir && values[heir] != nil, "a folder leaves everything to another one")
    precondition(values[loser] != nil, "who gives way is a folder that is there")
    func passes(_ key: String) -> Bool {
      let isGiven = given[loser]?.contains(key) == true
      guard isRow else { return isGiven && given[heir]?.contains(key) != true }
      return policy == .overwriteMergePolicyType || policy == .mergeByPropertyObjectTrumpMergePolicyType && isGiven
    }
    let left = values[loser]
    for key in HeirModel.attributes where passes(key) { values[heir]?[key] = left?[key] }
    for key in HeirModel.toOne where passes(key) { links.set(key, of: heir, to: links.members(key, of: loser)) }
    for key in HeirModel.toMany {
      let own = links.members(key, of: heir)
      links.set(key, of: heir, to: own + links.members(key, of: loser).filter { !own.contains($0) })
    }
    for key in ["target", "shown"] {
      for (link, _) in links.owners(of: [loser], key) {
        let rest = links.members(key, of: link).filter { $0 != loser && $0 != heir }
        links.set(key, of: link, to: rest + [heir])
      }
    }
    for key in HeirModel.toOne + HeirModel.toMany { links.set(key, of: loser, to: []) }
    links.delete([loser])
    (values[loser], given[loser]) = (nil, nil)
  }

  var picture: RulePicture {
    RulePicture(
      Dictionary(
        uniqueKeysWithValues: links.picture.objects.map { number, texts in
          (number, texts.merging(values[number] ?? [:]) { $1 })
        }))
  }
}

/// Folders of unique codes, with one of every kind of relationship to members; links, which lead to folders that do not lead back.
private enum HeirModel {
  static let entities = ["Member", "Folder", "Link"]
  static let attributes: Set = ["code", "title", "size"]
  static let toOne = ["owner", "card"]
  static let toMany = ["parts", "pages", "tags", "marks"]
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let (member, folder, link) = (ModelParts.entity("Member"), ModelParts.entity("Folder"), ModelParts.entity("Link"))
    let size = ModelParts.attribute("size", .integer64AttributeType, isOptional: true)
    size.defaultValue = 1
    folder.properties +=
      ["code", "title"].map { ModelParts.attribute($0, .stringAttributeType, isOptional: true) } + [size]
    folder.uniquenessConstraints = [["code"]]
    func many(_ name: String, _ rule: NSDeleteRule = .nullifyDeleteRule, isOrdered: Bool) -> NSRelationshipDescription {
      let relationship = ModelParts.many(name, member, rule)
      relationship.isOrdered = isOrdered
      return relationship
    }
    func back(_ name: String) -> NSRelationshipDescription { ModelParts.many(name, folder, .nullifyDeleteRule) }
    ModelParts.connect(ModelParts.one("owner", member), of: folder, back("owned"), of: member)
    ModelParts.connect(ModelParts.one("card", member), of: folder, ModelParts.one("cardOf", folder), of: member)
    ModelParts.connect(
      many("parts", .cascadeDeleteRule, isOrdered: false), of: folder, ModelParts.one("partOf", folder), of: member)
    ModelParts.connect(many("pages", isOrdered: true), of: folder, ModelParts.one("pageOf", folder), of: member)
    ModelParts.connect(many("tags", isOrdered: false), of: folder, back("tagged"), of: member)
    ModelParts.connect(many("marks", isOrdered: true), of: folder, back("marked"), of: member)
    link.properties += [ModelParts.one("target", folder), back("shown")]
    precondition([member, folder, link].compactMap(\.name) == entities, "the entities are in the order of the list")
    precondition(
      attributes.union(toOne + toMany).isSubset(of: folder.properties.map(\.name)),
      "a folder has all properties that it leaves to others")
    let model = NSManagedObjectModel()
    model.entities = [member, folder, link]
    return model
  }
}
