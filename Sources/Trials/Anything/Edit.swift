/// One change of objects, which are named by their numbers; left out where an object is not there.
enum Edit: Hashable, Sendable {
  case insert(Int, entity: String)
  /// Gives an attribute a value by its number, or none.
  case set(Int, String, Int?)
  case relate(Int, String, to: Int?)
  case add(Int, String, member: Int)
  case remove(Int, String, member: Int)
  /// Moves a member of an ordered relationship to a place.
  case move(Int, String, member: Int, place: Int)
  /// Makes these the members of a to-many relationship.
  case replace(Int, String, [Int])
  case delete(Int)
}

extension Edit: CustomStringConvertible {
  /// As a script has it: `add 1000003 link2 1000004`.
  var description: String {
    func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "nil" }
    return switch self {
    case .insert(let name, let entity): "insert \(name) \(entity)"
    case .set(let name, let attribute, let value): "set \(name) \(attribute) \(text(value))"
    case .relate(let name, let relationship, let target): "relate \(name) \(relationship) \(text(target))"
    case .add(let name, let relationship, let member): "add \(name) \(relationship) \(member)"
    case .remove(let name, let relationship, let member): "remove \(name) \(relationship) \(member)"
    case .move(let name, let relationship, let member, let place): "move \(name) \(relationship) \(member) \(place)"
    case .replace(let name, let relationship, let members):
      "replace \(name) \(relationship) \(members.map { "\($0)" }.joined(separator: ","))"
    case .delete(let name): "delete \(name)"
    }
  }

  /// Reads the form that ``description`` writes; nil for other text.
  init?(_ text: Substring) {
    let words: [String] = text.split(separator: " ").map(String.init)
    guard words.count > 1, let name = Int(words[1]) else { return nil }
    func number(_ place: Int) -> Int? { words.count > place ? Int(words[place]) : nil }
    switch (words[0], words.count) {
    case ("insert", 3): self = .insert(name, entity: words[2])
    case ("set", 4): self = .set(name, words[2], number(3))
    case ("relate", 4): self = .relate(name, words[2], to: number(3))
    case ("add", 4):
      guard let member = number(3) else { return nil }
      self = .add(name, words[2], member: member)
    case ("remove", 4):
      guard let member = number(3) else { return nil }
      self = .remove(name, words[2], member: member)
    case ("move", 5):
      guard let member = number(3), let place = number(4) else { return nil }
      self = .move(name, words[2], member: member, place: place)
    case ("replace", 3...4):
      self = .replace(name, words[2], words.count == 4 ? words[3].split(separator: ",").compactMap { Int($0) } : [])
    case ("delete", 2): self = .delete(name)
    default: return nil
    }
  }
}

extension ObjectGraph {
  /// Makes a change, where its objects are there.
  ///
  /// - Parameter unsaved: objects that were never saved, as ``delete(_:unsaved:)`` has them.
  /// - Returns: whether it was made.
  mutating func apply(_ edit: Edit, unsaved: Set<Int> = []) -> Bool {
    switch edit {
    case .insert(let name, let entity):
      guard nodes[name] == nil, gone[name] == nil else { return false }
      insert(name, entity)
    case .set(let name, let attribute, let value):
      guard let type = model.attributes[attribute]?.type, nodes[name] != nil else { return false }
      set(name, attribute, value.flatMap { DrawnValue.text(DrawnValue.value(type, $0)) })
    case .relate(let name, let relationship, let target):
      guard nodes[name] != nil, target.map({ nodes[$0] != nil }) ?? true else { return false }
      relate(name, relationship, to: target)
    case .add(let name, let relationship, let member):
      guard nodes[name] != nil, nodes[member] != nil else { return false }
      add(member, to: name, relationship)
    case .remove(let name, let relationship, let member):
      guard nodes[name]?.members(relationship).contains(member) == true else { return false }
      remove(member, from: name, relationship)
    case .move(let name, let relationship, let member, let place):
      guard var members = nodes[name]?.members(relationship), members.contains(member) else { return false }
      members.removeAll { $0 == member }
      members.insert(member, at: min(place, members.count))
      setOrder(members, of: name, relationship)
    case .replace(let name, let relationship, let members):
      guard let old = nodes[name]?.members(relationship), members.allSatisfy({ nodes[$0] != nil }) else { return false }
      for member in old where !members.contains(member) { remove(member, from: name, relationship) }
      for member in members { add(member, to: name, relationship) }
      if model.relationship(relationship).isOrdered { setOrder(members, of: name, relationship) }
    case .delete(let name):
      guard nodes[name] != nil else { return false }
      delete(name)
    }
    return true
  }
}
