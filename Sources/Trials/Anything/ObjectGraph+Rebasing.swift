extension ObjectGraph {
  /// One pair of objects in a relationship.
  private struct Link: Hashable {
    let relationship: String
    let owner: Int
    let other: Int
  }

  /// A relationship of an object of which two writers said different things.
  struct Side: Hashable {
    let name: Int
    let relationship: String
  }

  /// The objects of a context that had changed `base` into this graph, once it has heard that others made `new` of `base`: the
  /// others' objects and values, with its own changes on top.
  ///
  /// - Parameter contested: receives the relationships that both changed, with several possible outcomes.
  func rebased(from base: ObjectGraph, onto new: ObjectGraph, contested: inout Set<Side>) -> ObjectGraph {
    guard self != base else { return new }
    var result = new
    for (name, node) in nodes {
      if let before = base.nodes[name] {
        guard new.nodes[name] != nil else { continue }
        for attribute in model.entity(node.entity).attributes where node.values[attribute] != before.values[attribute] {
          result.nodes[name]?.values[attribute] = node.values[attribute]
        }
      } else if new.nodes[name] == nil {
        var inserted = node
        (inserted.ones, inserted.manys) = ([:], [:])
        result.nodes[name] = inserted
      }
    }
    let (before, after) = (base.links, links)
    let theirs = before.symmetricDifference(new.links)
    for link in before.subtracting(after).sorted(by: Self.precedes)
    where nodes[link.owner] != nil && nodes[link.other] != nil {
      result.disconnect(link.owner, link.relationship, link.other)
    }
    for link in after.subtracting(before).sorted(by: Self.precedes)
    where result.nodes[link.owner] != nil && result.nodes[link.other] != nil {
      result.connect(link)
    }
    // A target of a deleted object that is left had been taken out of its relationships before.
    for link in before where nodes[link.owner] == nil || nodes[link.other] == nil {
      result.disconnect(link.owner, link.relationship, link.other)
    }
    // In the order in which they were deleted nothing differs: rules reach the same objects.
    for name in base.nodes.keys.sorted() where nodes[name] == nil && result.nodes[name] != nil { result.delete(name) }
    result.keepOrders(of: self, base, new, &contested)
    for link in theirs {
      let sides = sides(of: link)
      if sides.contains(where: { isChanged($0, base) }) { contested.formUnion(sides) }
    }
    return result
  }

  /// Whether others relate something to an object that this graph has deleted since `base`.
  func deletesReferenced(from base: ObjectGraph, in new: ObjectGraph) -> Bool {
    let deleted = Set(base.nodes.keys).subtracting(nodes.keys)
    guard !deleted.isEmpty else { return false }
    return new.links.subtracting(base.links).contains { deleted.contains($0.owner) || deleted.contains($0.other) }
  }

  private static func precedes(_ left: Link, _ right: Link) -> Bool {
    (left.relationship, left.owner, left.other) < (right.relationship, right.owner, right.other)
  }

  /// Every pair of a relationship with inverse is there once, and of one that is its own inverse in both directions.
  private var links: Set<Link> {
    var links: Set<Link> = []
    for (name, node) in nodes {
      for (relationship, target) in node.ones where isFirst(relationship) {
        links.insert(Link(relationship: relationship, owner: name, other: target))
      }
      for (relationship, members) in node.manys where isFirst(relationship) {
        for member in members { links.insert(Link(relationship: relationship, owner: name, other: member)) }
      }
    }
    return links
  }

  private func isFirst(_ relationship: String) -> Bool {
    model.relationship(relationship).inverse.map { relationship <= $0 } ?? true
  }

  private func sides(of link: Link) -> [Side] {
    [Side(name: link.owner, relationship: link.relationship)]
      + (model.relationship(link.relationship).inverse.map { [Side(name: link.other, relationship: $0)] } ?? [])
  }

  private func isChanged(_ side: Side, _ base: ObjectGraph) -> Bool {
    guard let own = nodes[side.name], let before = base.nodes[side.name] else { return false }
    return own.ones[side.relationship] != before.ones[side.relationship]
      || own.members(side.relationship) != before.members(side.relationship)
  }

  private mutating func connect(_ link: Link) {
    if model.relationship(link.relationship).isToMany {
      add(link.other, to: link.owner, link.relationship)
    } else {
      relate(link.owner, link.relationship, to: link.other)
    }
  }

  /// Keeps an order that only one of both changed as that one has it.
  private mutating func keepOrders(
    of own: ObjectGraph, _ base: ObjectGraph, _ new: ObjectGraph, _ contested: inout Set<Side>
  ) {
    for (name, node) in nodes {
      for (relationship, members) in node.manys where model.relationship(relationship).isOrdered {
        let mine = own.nodes[name]?.members(relationship) ?? []
        let before = base.nodes[name]?.members(relationship) ?? []
        let theirs = new.nodes[name]?.members(relationship) ?? []
        if Set(mine) == Set(members), theirs == before || new.nodes[name] == nil {
          nodes[name]?.manys[relationship] = mine
        } else if mine != before {
          contested.insert(Side(name: name, relationship: relationship))
        }
      }
    }
  }
}
