import Checking
import CoreData

// S2.4, S2.6, S2.8, S4.4: every change that Foundation's mutable sets, ordered sets and arrays of a relationship know, also of
// primitive values, at either side, of old and new sets; undone, rolled back, refreshed, saved and read elsewhere, beside arrays.

/// Owners and members of one to-many relationship, and who has whom by hand.
struct HandLists {
  let relationship: NSRelationshipDescription
  /// All of them, in one context.
  let owners: [NSManagedObject]
  let members: [NSManagedObject]
  /// The numbers of the members, by the owner's.
  private(set) var lists: [Int: [Int]]

  var name: String { relationship.name }

  init(_ relationship: NSRelationshipDescription, _ owners: [NSManagedObject], _ members: [NSManagedObject]) {
    precondition(relationship.isToMany && !members.isEmpty, "owners have members")
    (self.relationship, self.owners, self.members) = (relationship, owners, members)
    lists = Dictionary(uniqueKeysWithValues: owners.map { (RulePicture.number($0), []) })
  }

  /// Whether a member may have several owners.
  private var isShared: Bool { relationship.inverseRelationship?.isToMany ?? true }

  func list(_ owner: NSManagedObject) -> [NSManagedObject] {
    let numbers = lists[RulePicture.number(owner)] ?? []
    return numbers.compactMap { number in members.first { RulePicture.number($0) == number } }
  }

  mutating func give(_ owner: NSManagedObject, _ list: [NSManagedObject]) {
    let (own, numbers) = (RulePicture.number(owner), list.map(RulePicture.number))
    precondition(Set(numbers).count == numbers.count, "a member is in a list once")
    if !isShared {
      for other in lists.keys where other != own { lists[other]?.removeAll { numbers.contains($0) } }
    }
    lists[own] = numbers
  }

  mutating func goBack(to earlier: HandLists) { lists = earlier.lists }

  /// The numbers as a relationship's picture has them.
  func shown(_ owner: Int) -> [Int] {
    let list = lists[owner] ?? []
    return relationship.isOrdered ? list : list.sorted()
  }

  func owners(of member: Int) -> [Int] { lists.filter { $0.value.contains(member) }.keys.sorted() }
}

extension RuleTrial {
  func collections() throws {
    let kinds = [("Box", "list", "Item"), ("Item", "tags", "Tag"), ("Box", "items", "Item"), ("Box", "shown", "Item")]
    for (owner, name, member) in shuffled(kinds).prefix(3) { try changeCollection(owner, name, member) }
    for kind in kinds.prefix(2) { try changeCollection(kind.0, kind.1, kind.2) }
  }

  private func changeCollection(_ owner: String, _ name: String, _ member: String) throws {
    let url = newURL()
    let (coordinator, second) = (try open(at: url), try open(at: url))
    let root = context(coordinator)
    let editor = chance(1, of: 3) ? context(in: root) : root
    note("collections of \(owner).\(name)")
    var hand = try editor.performAndWait { () -> HandLists in
      let owners = (0..<3).map { _ in insertNumbered(owner, editor) }
      let members = (0..<(6 + draw(9))).map { _ in insertNumbered(member, editor) }
      guard let relationship = owners[0].entity.relationshipsByName[name] else { throw Broken() }
      return HandLists(relationship, owners, members)
    }
    var saved = hand
    try saveLevels(editor)
    let held = editor.performAndWait { mutable(hand, hand.owners[0]) }
    for step in 0..<(14 + draw(14)) {
      try editor.performAndWait {
        try change(&hand, saved, editor, held)
        try requireLists(hand, editor, hand.owners, hand.members, "in its context")
      }
      guard chance(1, of: 5) || step == 13 else { continue }
      try saveLevels(editor)
      saved = hand
      for reader in [freshContext(chance(1, of: 2) ? second : coordinator), root] {
        try requireLists(hand, reader, "after a save")
      }
    }
    editor.performAndWait {
      editor.undoManager = nil
      withExtendedLifetime(held) {}
    }
    for coordinator in [coordinator, second] { try close(coordinator) }
  }

  private func saveLevels(_ editor: NSManagedObjectContext) throws {
    try editor.performAndWait { try save(editor) }
    if let parent = editor.parent { try parent.performAndWait { try save(parent) } }
  }

  /// The set that is the relationship.
  private func mutable(_ hand: HandLists, _ owner: NSManagedObject) -> NSObject {
    hand.relationship.isOrdered
      ? owner.mutableOrderedSetValue(forKey: hand.name) : owner.mutableSetValue(forKey: hand.name)
  }

  // MARK: Changes

  /// One change, which is undone and redone now and then, or dropped; in a block of the context.
  private func change(
    _ hand: inout HandLists, _ saved: HandLists, _ editor: NSManagedObjectContext, _ held: NSObject
  ) throws {
    let before = hand
    switch draw(8) {
    case 0:
      note("in a group of undo:")
      for _ in 0..<2 {
        editor.processPendingChanges()
        hand = before
        try recordForUndo(editor) {
          for _ in 0..<(1 + draw(3)) { try changeOnce(&hand, held) }
        }
        guard let manager = editor.undoManager else { return }
        let after = hand
        // A group without a change is none.
        for isUndo in manager.canUndo ? [true, false, true] : [] {
          note(isUndo ? "undo" : "redo")
          if isUndo { editor.undo() } else { editor.redo() }
          hand.goBack(to: isUndo ? before : after)
          try requireLists(hand, editor, hand.owners, hand.members, "after an \(isUndo ? "undo" : "undone undo")")
        }
        if !manager.canRedo { hand.goBack(to: after) }
      }
      editor.undoManager = nil
    case 1:
      try changeOnce(&hand, held)
      note("rollback")
      editor.rollback()
      hand.goBack(to: saved)
    case 2:
      let owner = pick(hand.owners) ?? hand.owners[0]
      editor.processPendingChanges()
      let isMerged = owner.hasChanges || chance(1, of: 2)
      note("refresh \(RulePicture.number(owner))\(isMerged ? " with its changes" : "")")
      editor.refresh(owner, mergeChanges: isMerged)
    default: try changeOnce(&hand, held)
    }
  }

  private func changeOnce(_ hand: inout HandLists, _ held: NSObject) throws {
    let index = draw(hand.owners.count)
    let owner = hand.owners[index]
    let way = draw(7)
    note("\(hand.name) of \(RulePicture.number(owner)):")
    if way == 0, let inverse = hand.relationship.inverseRelationship {
      return changeInverse(&hand, owner, inverse)
    }
    let old = hand.list(owner)
    // The file has one owner of a member that knows of none.
    let isAlone = hand.relationship.inverseRelationship == nil
    let others = hand.members.filter {
      isAlone ? hand.owners(of: RulePicture.number($0)).isEmpty : !old.contains($0)
    }
    let set = way < 3 && index == 0 ? held : mutable(hand, owner)
    var new = old
    switch (way, set) {
    case (6, is NSMutableOrderedSet): new = try changeArray(owner.mutableArrayValue(forKey: hand.name), old, others)
    case (5, _):
      note("by its primitive value")
      owner.willChangeValue(forKey: hand.name)
      let value = owner.primitiveValue(forKey: hand.name)
      if let list = value as? NSMutableOrderedSet {
        new = changeList(list, old, others, isPrimitive: true)
      } else if let set = value as? NSMutableSet {
        new = changeSet(set, old, others)
      }
      owner.didChangeValue(forKey: hand.name)
    case (_, let list as NSMutableOrderedSet):
      new = changeList(list, old, others)
      try requireSame(list, new)
    case (_, let set as NSMutableSet):
      new = changeSet(way == 4 ? try atPath(hand, owner) ?? set : set, old, others)
      try requireSame(set, new)
    default: break
    }
    hand.give(owner, new)
  }

  /// The set at the end of a path of two keys.
  private func atPath(_ hand: HandLists, _ owner: NSManagedObject) throws -> NSMutableSet? {
    guard let member = hand.list(owner).first, hand.relationship.inverseRelationship?.isToMany == false else {
      return nil
    }
    let path = "\(hand.relationship.inverseRelationship?.name ?? "").\(hand.name)"
    note("by the path \(path)")
    return member.mutableSetValue(forKeyPath: path)
  }

  /// Changes the other side: a member comes at the end, or leaves.
  private func changeInverse(
    _ hand: inout HandLists, _ owner: NSManagedObject, _ inverse: NSRelationshipDescription
  ) {
    guard let member = pick(hand.members) else { return }
    var list = hand.list(owner)
    let leaves = list.contains(member)
    note("\(RulePicture.number(member)) \(leaves ? "leaves" : "comes") by \(inverse.name)")
    if leaves { list.removeAll { $0 === member } } else { list.append(member) }
    if !inverse.isToMany {
      member.setValue(leaves ? nil : owner, forKey: inverse.name)
    } else if leaves {
      member.mutableSetValue(forKey: inverse.name).remove(owner)
    } else {
      member.mutableSetValue(forKey: inverse.name).add(owner)
    }
    hand.give(owner, list)
  }

  // MARK: Looks

  /// Every list, and every member's owners; in a block of the context.
  private func requireLists(
    _ hand: HandLists, _ context: NSManagedObjectContext, _ owners: [NSManagedObject], _ members: [NSManagedObject],
    _ what: String
  ) throws {
    precondition(owners.count == hand.owners.count && members.count == hand.members.count, "each object is looked at")
    for owner in owners {
      let number = RulePicture.number(owner)
      guard let relationship = owner.entity.relationshipsByName[hand.name] else { continue }
      let expected = hand.shown(number)
      let what = "\(hand.name) of \(number) \(what)"
      try require(RulePicture.members(of: owner, relationship), expected, .wrongValue, what)
      if chance(1, of: 4) {
        let ids = owner.objectIDs(forRelationshipNamed: hand.name).map { RulePicture.number(context.object(with: $0)) }
        try require(hand.relationship.isOrdered ? ids : ids.sorted(), expected, .wrongValue, "IDs of \(what)")
      }
    }
    guard let inverse = hand.relationship.inverseRelationship else { return }
    for member in members {
      let number = RulePicture.number(member)
      try require(
        RulePicture.members(of: member, inverse), hand.owners(of: number), .asymmetricInverse,
        "\(inverse.name) of \(number) \(what)")
    }
  }

  private func requireLists(_ hand: HandLists, _ reader: NSManagedObjectContext, _ what: String) throws {
    try reader.performAndWait {
      let owners = try all(hand.relationship.entity.name ?? "", reader)
      let members = try all(hand.relationship.destinationEntity?.name ?? "", reader)
      // Items own tags, and are no members there.
      try require(
        [owners.count, members.count], [hand.owners.count, hand.members.count], .lostRecord, "objects \(what)")
      try requireLists(hand, reader, owners, members, "\(what), in \(reader.name ?? "")")
    }
  }

  /// A set shows its relationship in every way; one that was copied does not change any more.
  private func requireSame(_ list: NSMutableOrderedSet, _ expected: [NSManagedObject]) throws {
    let plain = NSOrderedSet(array: expected)
    try require(
      [list.count, list.array.count, list.set.count, list.reversed.count], Array(repeating: expected.count, count: 4),
      .wrongValue, "members of an ordered set")
    let copies = [list.copy() as? NSOrderedSet, list.mutableCopy() as? NSOrderedSet]
    for seen in [list.array, list.map { $0 }] + copies.map({ $0?.array ?? [] }) {
      try require(numbers(seen), expected.map(RulePicture.number), .wrongValue, "an ordered set as an array")
    }
    (copies[1] as? NSMutableOrderedSet)?.removeAllObjects()
    try require(
      [
        list.isEqual(to: plain), list.isSubset(of: plain), plain.isSubset(of: list), list.intersects(plain),
        list.firstObject as? NSManagedObject === expected.first, list.lastObject as? NSManagedObject === expected.last,
      ], [true, true, true, !expected.isEmpty, true, true], .wrongValue, "what an ordered set says of an equal one")
    for (index, member) in expected.enumerated() {
      try require(
        [list.index(of: member), RulePicture.number(list.object(at: index) as? NSManagedObject ?? member)],
        [index, RulePicture.number(member)], .wrongValue, "the place of a member, and the member of a place")
    }
  }

  private func requireSame(_ set: NSMutableSet, _ expected: [NSManagedObject]) throws {
    let plain = Set(expected)
    let copies = [set.copy() as? NSSet, set.mutableCopy() as? NSSet]
    for seen in [set.allObjects, set.map { $0 }] + copies.map({ $0?.allObjects ?? [] }) {
      try require(
        numbers(seen).sorted(), expected.map(RulePicture.number).sorted(), .wrongValue, "a set as an array")
    }
    (copies[1] as? NSMutableSet)?.removeAllObjects()
    try require(
      [
        set.isEqual(to: plain), set.isSubset(of: plain), set.intersects(plain), set.anyObject() == nil,
        expected.allSatisfy { set.contains($0) && set.member($0) as? NSManagedObject === $0 },
      ], [true, true, !plain.isEmpty, plain.isEmpty, true], .wrongValue, "what a set says of an equal one")
    try require(set.count, expected.count, .wrongValue, "members of a set")
  }

  private func numbers(_ objects: [Any]) -> [Int] {
    objects.map { ($0 as? NSManagedObject).map(RulePicture.number) ?? -1 }
  }
}
