import Scheduling

/// Draws changes that a graph allows, so that nearly all of them do something.
struct DrawnEdits {
  let model: DrawnModel
  /// Number of the client that owns the objects.
  let island: Int
  var random: SeededRandom
  private var last: Int
  /// Owners that objects of this island may have in relationships without inverse: a row names one, and the owner that lost a
  /// member does not learn of it.
  private var owners: [ObjectGraph.Side: Int] = [:]

  /// Objects of an island above which deletes take the place of inserts.
  private static let objectsMax = 24
  private static let numbersOfIsland = 1_000_000

  init(_ model: DrawnModel, island: Int, random: SeededRandom) {
    precondition(island > 0, "islands count from 1, so that every number tells its island")
    (self.model, self.island, self.random) = (model, island, random)
    last = island * Self.numbersOfIsland
  }

  /// The island of an object, by its number.
  static func island(of name: Int) -> Int { name / numbersOfIsland }

  mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

  /// The next edit, and where it inserts an object those that fill it.
  mutating func next(in graph: ObjectGraph) -> [Edit] {
    let names = graph.nodes.keys.sorted()
    let drawn = draw(100)
    if names.count < 4 || drawn < 22 && names.count < Self.objectsMax { return insert(in: graph) }
    if drawn < 45 { return pick(names).flatMap { set($0, in: graph) }.map { [$0] } ?? [] }
    if drawn < 88 { return pick(names).flatMap { relate($0, in: graph) }.map { [$0] } ?? [] }
    return pick(names.filter { graph.nodes[$0]?.entity != DrawnModel.place }).map { [.delete($0)] } ?? []
  }

  /// A new object with some values and an owner.
  mutating func insert(in graph: ObjectGraph) -> [Edit] {
    guard let entity = pick(model.entityNames) else { return [] }
    var edits = inserted(entity)
    var after = graph
    for edit in edits { _ = after.apply(edit) }
    precondition(after.nodes[last] != nil, "a new name is that of no object yet")
    if draw(3) != 0, let edit = relate(last, in: after) { edits.append(edit) }
    return edits
  }

  /// A new object with some values.
  private mutating func inserted(_ entity: String) -> [Edit] {
    last += 1
    var edits = [Edit.insert(last, entity: entity)]
    for attribute in model.entity(entity).attributes {
      guard let property = model.attributes[attribute] else { continue }
      if property.isUnique || property.isOptional && draw(3) == 0 { continue }
      edits.append(.set(last, attribute, draw(DrawnValue.count)))
    }
    return edits
  }

  /// Edits that one batch request can make.
  mutating func batch(in graph: ObjectGraph) -> [Edit] {
    let names = graph.nodes.keys.sorted()
    let count = 1 + draw(3)
    switch draw(names.count < 4 ? 1 : names.count < Self.objectsMax ? 5 : 4) {
    case 0, 4:
      guard let entity = pick(model.entityNames) else { return [] }
      return (0..<count).flatMap { _ in inserted(entity) }
    case 1:
      let root = pick(DrawnModel.roots.filter { $0 != DrawnModel.place }) ?? ""
      return graph.names(of: root).shuffled(using: &random).prefix(count).map { .delete($0) }
    default:
      guard
        let attribute = pick(model.attributes.values.filter { $0.counted == nil && !$0.isUnique }.map(\.name).sorted())
      else { return [] }
      let value = model.attributes[attribute]?.isOptional == true && draw(5) == 0 ? nil : draw(DrawnValue.count)
      return graph.names(of: model.attributes[attribute]?.entity ?? "").shuffled(using: &random).prefix(count)
        .map { .set($0, attribute, value) }
    }
  }

  private mutating func set(_ name: Int, in graph: ObjectGraph) -> Edit? {
    guard let node = graph.nodes[name],
      let attribute = pick(model.entity(node.entity).attributes.filter { model.attributes[$0]?.isUnique == false })
    else { return nil }
    let isNull = model.attributes[attribute]?.isOptional == true && draw(5) == 0
    return .set(name, attribute, isNull ? nil : draw(DrawnValue.count))
  }

  private mutating func relate(_ name: Int, in graph: ObjectGraph) -> Edit? {
    guard let node = graph.nodes[name], let relationship = pick(model.entity(node.entity).relationships) else {
      return nil
    }
    let property = model.relationship(relationship)
    let isOneSided = property.isToMany && property.inverse == nil
    let candidates = graph.names(of: property.destination).filter { other in
      let side = ObjectGraph.Side(name: other, relationship: relationship)
      return other != name && (!isOneSided || Self.island(of: other) == island && owners[side, default: name] == name)
    }
    guard property.isToMany else {
      if node.ones[relationship] != nil, draw(4) == 0 { return .relate(name, relationship, to: nil) }
      return pick(candidates).map { .relate(name, relationship, to: $0) }
    }
    let members = node.members(relationship)
    func bind(_ others: [Int]) {
      guard isOneSided else { return }
      for other in others { owners[ObjectGraph.Side(name: other, relationship: relationship)] = name }
    }
    switch draw(10) {
    case 0..<2 where !members.isEmpty: return pick(members).map { .remove(name, relationship, member: $0) }
    case 2..<4 where property.isOrdered && members.count > 1:
      return pick(members).map { .move(name, relationship, member: $0, place: draw(members.count)) }
    case 4..<5:
      let chosen = Array(candidates.shuffled(using: &random).prefix(draw(4)))
      bind(chosen)
      return .replace(name, relationship, chosen)
    default:
      guard let chosen = pick(candidates) else { return nil }
      bind([chosen])
      return .add(name, relationship, member: chosen)
    }
  }
}
