import Cells
import Checking
import CoreData

// S2.6: in relationships that are their own inverse both sides say the same, and each partner is one of them once, also where an object is
// a partner of its own.

extension RuleTrial {
  /// Friends and spouses of a few people, who may be their own, in memory and in the file, beside the same by hand.
  func bePartners() throws {
    let coordinator = try open(PartnersModel.shared, at: newURL())
    let editor = context(coordinator)
    var partners = Partners()
    try editor.performAndWait {
      let people = (0..<(3 + draw(2))).map { _ in insertNumbered("Person", editor) }
      for step in 0..<24 {
        guard let person = pick(people), let other = chance(1, of: 3) ? person : pick(people) else { return }
        changePartners(person, other, some(people, atMost: people.count), &partners)
        if chance(1, of: 3) { try requirePartners(people, partners, "unsaved") }
        guard chance(1, of: 6) || step == 23 else { continue }
        try save(editor)
        if chance(1, of: 2) { editor.refreshAllObjects() }
        try requirePartners(people, partners, "saved")
        let fresh = freshContext(coordinator)
        try fresh.performAndWait { try requirePartners(try all("Person", fresh), partners, "in the file") }
      }
    }
    try close(coordinator)
  }

  private func changePartners(
    _ person: NSManagedObject, _ other: NSManagedObject, _ people: [NSManagedObject], _ partners: inout Partners
  ) {
    let (one, two) = (RulePicture.number(person), RulePicture.number(other))
    switch draw(4) {
    case 0:
      let isAlone = chance(1, of: 4)
      note("spouse of \(one) = \(isAlone ? 0 : two)")
      person.setValue(isAlone ? nil : other, forKey: "spouse")
      partners.marry(one, isAlone ? nil : two)
    case 1:
      let friends = person.mutableSetValue(forKey: "friends")
      let leaves = friends.contains(other)
      note("\(two) \(leaves ? "leaves" : "joins") the friends of \(one)")
      if leaves { friends.remove(other) } else { friends.add(other) }
      partners.befriend(one, (partners.friends[one] ?? []).symmetricDifference([two]))
    default:
      let friends = people.map(RulePicture.number)
      note("friends of \(one) = \(friends)")
      person.setValue(Set(people), forKey: "friends")
      partners.befriend(one, Set(friends))
    }
  }

  private func requirePartners(_ people: [NSManagedObject], _ partners: Partners, _ what: String) throws {
    for person in people {
      let number = RulePicture.number(person)
      let friends = (partners.friends[number] ?? []).sorted()
      let set = person.mutableSetValue(forKey: "friends")
      let listed = set.allObjects.map { ($0 as? NSManagedObject).map(RulePicture.number) ?? -1 }
      try require(listed.sorted(), friends, .asymmetricInverse, "friends of \(number), \(what)")
      let counts = [
        set.count, (person.value(forKeyPath: "friends.@count") as? NSNumber)?.intValue ?? -1,
        person.objectIDs(forRelationshipNamed: "friends").count,
      ]
      try require(
        counts, counts.map { _ in friends.count }, .duplicateRecord, "how many friends \(number) has, \(what)")
      try require(
        (person.value(forKey: "spouse") as? NSManagedObject).map(RulePicture.number), partners.spouses[number],
        .asymmetricInverse, "the spouse of \(number), \(what)")
    }
  }
}

/// Who is a partner of whom, by hand.
private struct Partners {
  private(set) var friends: [Int: Set<Int>] = [:]
  private(set) var spouses: [Int: Int] = [:]

  mutating func befriend(_ person: Int, _ new: Set<Int>) {
    for old in friends[person] ?? [] { friends[old]?.remove(person) }
    friends[person] = new
    for friend in new { friends[friend, default: []].insert(person) }
  }

  mutating func marry(_ person: Int, _ other: Int?) {
    for one in [person, other].compactMap({ $0 }) {
      if let left = spouses.removeValue(forKey: one) { spouses[left] = nil }
    }
    guard let other else { return }
    (spouses[person], spouses[other]) = (other, person)
  }
}

private enum PartnersModel {
  // Not changed after it was made.
  nonisolated(unsafe) static let shared = make()

  private static func make() -> NSManagedObjectModel {
    let person = ModelParts.entity("Person")
    let (friends, spouse) = (ModelParts.many("friends", person, .nullifyDeleteRule), ModelParts.one("spouse", person))
    for own in [friends, spouse] {
      own.inverseRelationship = own
      person.properties.append(own)
    }
    precondition(person.relationshipsByName.count == 2, "both are of one entity")
    let model = NSManagedObjectModel()
    model.entities = [person]
    return model
  }
}
