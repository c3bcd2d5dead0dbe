import CoreData

/// The relationships of a model's objects, by their numbers: the reference of trials about relationships.
struct RuleLinks {
  private struct Kind {
    let inverse: String?
    let isToMany: Bool
    let isOrdered: Bool
    let rule: NSDeleteRule
  }

  /// By the root entity and the relationship: `Box.items`.
  private let kinds: [String: Kind]
  private let roots: [String: String]
  private(set) var entities: [Int: String] = [:]
  private var links: [String: [Int: [Int]]] = [:]

  /// Nothing leads anywhere. Relationships belong to root entities.
  init(_ model: NSManagedObjectModel) {
    var kinds: [String: Kind] = [:]
    var roots: [String: String] = [:]
    for entity in model.entities {
      var root = entity
      while let parent = root.superentity { root = parent }
      roots[entity.name ?? ""] = root.name
      for (name, relationship) in root.relationshipsByName {
        kinds["\(root.name ?? "").\(name)"] = Kind(
          inverse: relationship.inverseRelationship?.name, isToMany: relationship.isToMany,
          isOrdered: relationship.isOrdered, rule: relationship.deleteRule)
      }
    }
    precondition(!kinds.isEmpty, "the model has relationships")
    precondition(roots.count == model.entities.count, "each entity has a name of its own")
    (self.kinds, self.roots) = (kinds, roots)
  }

  mutating func insert(_ number: Int, _ entity: String) {
    precondition(roots[entity] != nil && entities[number] == nil, "a new object is of an entity of the model")
    entities[number] = entity
  }

  /// The name of the root entity.
  func kind(of number: Int) -> String? { entities[number].flatMap { roots[$0] } }

  func members(_ name: String, of number: Int) -> [Int] {
    let key = key(name, of: number)
    let members = links[key]?[number] ?? []
    return kinds[key]?.isOrdered == true ? members : members.sorted()
  }

  /// The owners that have one of the members, each with that member.
  func owners(of members: [Int], _ name: String) -> [(owner: Int, member: Int)] {
    entities.keys.sorted().flatMap { owner in self.members(name, of: owner).filter(members.contains).map { (owner, $0) }
    }
  }

  /// Sets the members of a relationship, and the other side of each accordingly.
  mutating func set(_ name: String, of number: Int, to new: [Int]) {
    let key = key(name, of: number)
    precondition(
      kinds[key].map { $0.isToMany || new.count < 2 } ?? false, "\(key) is a relationship with as many members")
    let old = links[key]?[number] ?? []
    links[key, default: [:]][number] = new
    guard let inverse = kinds[key]?.inverse else { return }
    for member in old where !new.contains(member) { leave(number, inverse, of: member) }
    for member in new where !old.contains(member) {
      let other = self.key(inverse, of: member)
      guard kinds[other]?.isToMany == false else {
        links[other, default: [:]][member, default: []].append(number)
        continue
      }
      if let former = links[other]?[member]?.first, former != number { leave(member, name, of: former) }
      links[other, default: [:]][member] = [number]
    }
  }

  private func key(_ name: String, of number: Int) -> String { "\(kind(of: number) ?? "").\(name)" }

  private mutating func leave(_ number: Int, _ name: String, of other: Int) {
    links[key(name, of: other)]?[other]?.removeAll { $0 == number }
  }

  // MARK: Deleting

  /// Some objects and all that cascades reach from them.
  func reached(from numbers: [Int]) -> Set<Int> {
    var (reached, open) = (Set(numbers), numbers)
    while let number = open.popLast() {
      for (name, members) in members(of: number, where: .cascadeDeleteRule) where !members.isEmpty {
        precondition(!name.isEmpty, "a rule is a relationship's")
        for member in members where reached.insert(member).inserted { open.append(member) }
      }
    }
    return reached
  }

  /// Objects that stay and deny the deletion of the others.
  func deniers(of gone: Set<Int>) -> Set<Int> {
    Set(gone.flatMap { members(of: $0, where: .denyDeleteRule).flatMap(\.members) }).subtracting(gone)
  }

  private func members(of number: Int, where rule: NSDeleteRule) -> [(name: String, members: [Int])] {
    let root = kind(of: number) ?? ""
    return kinds.filter { $0.value.rule == rule && $0.key.hasPrefix(root + ".") }.keys.sorted().map {
      ($0, links[$0]?[number] ?? [])
    }
  }

  /// Removes objects, and all that cascades reach from them; nothing leads there any more.
  mutating func delete(_ numbers: [Int]) {
    let gone = reached(from: numbers)
    precondition(gone.isSuperset(of: numbers), "what is deleted is among what a deletion reaches")
    for number in gone { entities[number] = nil }
    for key in links.keys {
      for number in gone { links[key]?[number] = nil }
      for owner in links[key]?.keys.sorted() ?? [] { links[key]?[owner]?.removeAll(where: gone.contains) }
    }
  }

  /// Where the other side of a relationship of an object says something else; nil where it does not.
  func problem(of number: Int, in picture: RulePicture) -> String? {
    guard let object = picture.objects[number], let root = object["entity"].flatMap({ roots[$0] }) else { return nil }
    for (key, kind) in kinds where key.hasPrefix(root + ".") {
      guard let inverse = kind.inverse else { continue }
      let name = String(key.dropFirst(root.count + 1))
      for member in RulePicture.numbers(object[name]) {
        guard let other = picture.objects[member] else { return "\(name) leads to \(member), which is not there" }
        guard RulePicture.numbers(other[inverse]).contains(number) else {
          return "\(name) has \(member), of which \(inverse) is \(other[inverse] ?? "nothing")"
        }
      }
    }
    return nil
  }

  /// Every object with its number and its relationships.
  var picture: RulePicture {
    RulePicture(
      Dictionary(
        uniqueKeysWithValues: entities.map { number, entity in
          let root = roots[entity] ?? ""
          let names = kinds.keys.filter { $0.hasPrefix(root + ".") }.map { String($0.dropFirst(root.count + 1)) }
          var texts = Dictionary(uniqueKeysWithValues: names.map { ($0, "\(members($0, of: number))") })
          (texts["entity"], texts[RuleModel.number]) = (entity, "\(number)")
          return (number, texts)
        }))
  }
}
