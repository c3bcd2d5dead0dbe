/// Objects with their values and relationships, as a file has them or a context shows them; the reference that a stack is held
/// against.
///
/// Both sides of a relationship are kept alike, as Core Data keeps them; lists have an order where the model gives them one.
struct ObjectGraph: Equatable, Sendable {
  struct Node: Equatable, Sendable {
    var entity: String
    /// Values as text; none for null.
    var values: [String: String] = [:]
    var ones: [String: Int] = [:]
    /// Members; in ascending order where the model gives them none. No entry for no member.
    var manys: [String: [Int]] = [:]

    func members(_ relationship: String) -> [Int] { manys[relationship] ?? [] }
  }

  let model: DrawnModel
  var nodes: [Int: Node] = [:]
  /// Deleted objects that others still lead to: their delete rule is deny.
  private(set) var gone: [Int: Node] = [:]

  init(_ model: DrawnModel) { self.model = model }

  static func == (left: ObjectGraph, right: ObjectGraph) -> Bool {
    left.nodes == right.nodes && left.gone == right.gone
  }

  // MARK: Changing

  mutating func insert(_ name: Int, _ entity: String) {
    precondition(nodes[name] == nil, "an object is inserted once")
    nodes[name] = Node(entity: entity)
  }

  mutating func set(_ name: Int, _ attribute: String, _ value: String?) {
    precondition(nodes[name] != nil, "a value is given to an object that is there")
    nodes[name]?.values[attribute] = value
  }

  /// Sets the target of a to-one relationship, and keeps the other side.
  mutating func relate(_ name: Int, _ relationship: String, to target: Int?) {
    guard let node = nodes[name] else { return }
    let property = model.relationship(relationship)
    precondition(!property.isToMany, "one object is set of a relationship to one")
    let old = node.ones[relationship]
    guard old != target else { return }
    guard let inverse = property.inverse else {
      nodes[name]?.ones[relationship] = target
      return
    }
    if let old { disconnect(name, relationship, old) }
    guard let target else { return }
    if !model.relationship(inverse).isToMany, let rival = nodes[target]?.ones[inverse] {
      disconnect(rival, relationship, target)
    }
    nodes[name]?.ones[relationship] = target
    put(name, into: target, inverse)
  }

  /// Adds a member at the end of a to-many relationship, and keeps the other side.
  mutating func add(_ member: Int, to name: Int, _ relationship: String) {
    precondition(model.relationship(relationship).isToMany, "a member is added to a relationship to many")
    guard let node = nodes[name], nodes[member] != nil, !node.members(relationship).contains(member) else { return }
    guard let inverse = model.relationship(relationship).inverse else { return put(member, into: name, relationship) }
    if model.relationship(inverse).isToMany {
      put(member, into: name, relationship)
      if inverse != relationship || member != name { put(name, into: member, inverse) }
    } else {
      relate(member, inverse, to: name)
      // A context may show one side alone beside unmerged saves.
      put(member, into: name, relationship)
    }
  }

  mutating func remove(_ member: Int, from name: Int, _ relationship: String) {
    guard nodes[name]?.members(relationship).contains(member) == true else { return }
    disconnect(name, relationship, member)
  }

  /// Takes both sides of a pair apart.
  mutating func disconnect(_ name: Int, _ relationship: String, _ other: Int) {
    leave(name, relationship, other)
    if let inverse = model.relationship(relationship).inverse { leave(other, inverse, name) }
  }

  private mutating func leave(_ name: Int, _ relationship: String, _ other: Int) {
    if model.relationship(relationship).isToMany {
      guard var members = nodes[name]?.manys[relationship] else { return }
      members.removeAll { $0 == other }
      nodes[name]?.manys[relationship] = members.isEmpty ? nil : members
    } else if nodes[name]?.ones[relationship] == other {
      nodes[name]?.ones[relationship] = nil
    }
  }

  private mutating func put(_ member: Int, into name: Int, _ relationship: String) {
    guard nodes[name] != nil else { return }
    guard model.relationship(relationship).isToMany else {
      nodes[name]?.ones[relationship] = member
      return
    }
    var members = nodes[name]?.members(relationship) ?? []
    guard !members.contains(member) else { return }
    members.append(member)
    nodes[name]?.manys[relationship] = model.relationship(relationship).isOrdered ? members : members.sorted()
  }

  /// Gives the members of an ordered relationship another order.
  mutating func setOrder(_ members: [Int], of name: Int, _ relationship: String) {
    precondition(
      Set(members) == Set(nodes[name]?.members(relationship) ?? []), "an order has the members that there are")
    nodes[name]?.manys[relationship] = members.isEmpty ? nil : members
  }

  /// Adopts another graph's members of a relationship of an object, and the other side of its old and new partners.
  mutating func adoptBothSides(_ side: Side, from other: ObjectGraph) {
    let partners = Set(partners(side)).union(other.partners(side))
    adopt(side, from: other)
    guard let inverse = model.relationship(side.relationship).inverse else { return }
    for partner in partners { adopt(Side(name: partner, relationship: inverse), from: other) }
  }

  private mutating func adopt(_ side: Side, from other: ObjectGraph) {
    nodes[side.name]?.ones[side.relationship] = other.nodes[side.name]?.ones[side.relationship]
    nodes[side.name]?.manys[side.relationship] = other.nodes[side.name]?.manys[side.relationship]
  }

  private func partners(_ side: Side) -> [Int] {
    guard let node = nodes[side.name] else { return [] }
    return node.members(side.relationship) + (node.ones[side.relationship].map { [$0] } ?? [])
  }

  // MARK: Deleting

  /// Deletes an object by the delete rules of its relationships.
  ///
  /// - Parameter unsaved: objects that were never saved, which leave to-many relationships whatever the rule.
  /// - Returns: all that were deleted.
  @discardableResult
  mutating func delete(_ name: Int, unsaved: Set<Int> = []) -> Set<Int> {
    var deleted: Set<Int> = []
    var pending = [name]
    while let next = pending.popLast() {
      guard let node = nodes.removeValue(forKey: next) else { continue }
      deleted.insert(next)
      gone[next] = node
      for relationship in model.entity(node.entity).relationships {
        let property = model.relationship(relationship)
        guard let inverse = property.inverse else { continue }
        for target in node.members(relationship) + (node.ones[relationship].map { [$0] } ?? []) {
          switch property.rule {
          case .cascadeDeleteRule: pending.append(target)
          case .denyDeleteRule where !(unsaved.contains(next) && model.relationship(inverse).isToMany): break
          default: leave(target, inverse, next)
          }
        }
      }
    }
    return deleted
  }

  /// The objects that a rule keeps from deletion: some that are left lead to them.
  var denied: Set<Int> {
    Set(
      gone.filter { name, node in
        model.entity(node.entity).relationships.contains { relationship in
          let property = model.relationship(relationship)
          guard property.rule == .denyDeleteRule, let inverse = property.inverse else { return false }
          return (node.members(relationship) + (node.ones[relationship].map { [$0] } ?? [])).contains { target in
            nodes[target].map { $0.ones[inverse] == name || $0.members(inverse).contains(name) } ?? false
          }
        }
      }.keys)
  }

  /// Forgets deleted objects, once the file has them no more.
  mutating func forgetGone() { gone = [:] }

  // MARK: Asking

  /// The objects of an entity and those that inherit from it, by their numbers.
  func names(of entity: String) -> [Int] {
    nodes.filter { model.isKind($0.value.entity, of: entity) }.keys.sorted()
  }

  /// How many members a derived attribute counts.
  func count(_ attribute: DrawnModel.Attribute, of name: Int) -> Int {
    attribute.counted.flatMap { nodes[name]?.members($0).count } ?? 0
  }
}
