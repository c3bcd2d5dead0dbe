import CoreData

/// The objects of a cluster by position, and which are related.
struct ClusterLinks {
  /// The entity of each object.
  let entities: [NSEntityDescription]
  /// The related positions of each relationship, in the order in which they were set, which is the same in each process.
  private var links: [(relationship: NSRelationshipDescription, pairs: [(own: Int, other: Int)])] = []
  private var places: [ObjectIdentifier: Int] = [:]
  private var isDropped: [Bool]

  init(entities: [NSEntityDescription]) {
    self.entities = entities
    isDropped = Array(repeating: false, count: entities.count)
  }

  /// The positions of the objects of an entity and its sub-entities.
  func members(of entity: NSEntityDescription) -> [Int] {
    entities.indices.filter { entities[$0].isKindOf(entity: entity) }
  }

  mutating func set(_ pairs: [(own: Int, other: Int)], for relationship: NSRelationshipDescription) {
    precondition(
      pairs.allSatisfy { entities.indices ~= $0.own && entities.indices ~= $0.other },
      "links are of objects of the cluster")
    if let place = places[ObjectIdentifier(relationship)] {
      links[place].pairs = pairs
    } else {
      places[ObjectIdentifier(relationship)] = links.count
      links.append((relationship, pairs))
    }
  }

  private func pairs(of relationship: NSRelationshipDescription) -> [(own: Int, other: Int)] {
    places[ObjectIdentifier(relationship)].map { links[$0].pairs } ?? []
  }

  /// Drops objects that lack a mandatory relationship or have too few or too many objects in one, and those that lack
  /// one because of that, until the rest is complete.
  mutating func dropIncomplete(_ relationships: [RelationshipPair]) {
    var isChanged = true
    while isChanged {
      isChanged = false
      for pair in relationships {
        let there = pairs(of: pair.own).filter { !isDropped[$0.own] && !isDropped[$0.other] }
        if pair.inverse === pair.own {
          drop(pair.own, counts: there.flatMap { [$0.own, $0.other] }, &isChanged)
          continue
        }
        drop(pair.own, counts: there.map(\.own), &isChanged)
        if let inverse = pair.inverse { drop(inverse, counts: there.map(\.other), &isChanged) }
      }
    }
  }

  private mutating func drop(
    _ relationship: NSRelationshipDescription, counts positions: [Int], _ isChanged: inout Bool
  ) {
    var counts: [Int: Int] = [:]
    for position in positions { counts[position, default: 0] += 1 }
    for position in members(of: relationship.entity) where !isDropped[position] {
      guard !RelationshipPair.allows(counts[position] ?? 0, relationship) else { continue }
      isDropped[position] = true
      isChanged = true
    }
  }

  /// The positions that were not dropped.
  var kept: [Int] { entities.indices.filter { !isDropped[$0] } }

  /// The links of an object, as positions among those that were kept.
  func keptLinks(of position: Int) -> [String: [Int]] {
    precondition(!isDropped[position], "an object that was dropped has no links")
    var renumbered: [Int: Int] = [:]
    for (new, old) in kept.enumerated() { renumbered[old] = new }
    var result: [String: [Int]] = [:]
    for (relationship, pairs) in links {
      let others = pairs.filter { $0.own == position }.compactMap { renumbered[$0.other] }
      if !others.isEmpty { result[relationship.name] = others }
    }
    return result
  }
}
