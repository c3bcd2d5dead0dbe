extension ObjectGraph {
  /// One difference of a graph from the expected one.
  struct Difference: Hashable {
    enum What: Hashable {
      case isMissing, isThere, entity
      case value(String)
      case relationship(String)
      case order(String)
    }

    let name: Int
    let what: What
    let expected: String
    let seen: String
  }

  /// Where another graph is not this one, by objects.
  ///
  /// - Parameters:
  ///   - ignoring: relationships that are not compared.
  ///   - attributes: those that are compared; nil = all.
  func differences(
    to seen: ObjectGraph, ignoring: Set<Side> = [], comparing isCompared: (String) -> Bool = { _ in true }
  ) -> [Difference] {
    var found: [Difference] = []
    for name in Set(nodes.keys).union(seen.nodes.keys).sorted() {
      guard let expected = nodes[name] else {
        found.append(
          Difference(name: name, what: .isThere, expected: "no object", seen: seen.nodes[name]?.entity ?? ""))
        continue
      }
      guard let other = seen.nodes[name] else {
        found.append(Difference(name: name, what: .isMissing, expected: expected.entity, seen: "no object"))
        continue
      }
      if expected.entity != other.entity {
        found.append(Difference(name: name, what: .entity, expected: expected.entity, seen: other.entity))
        continue
      }
      let entity = model.entity(expected.entity)
      for attribute in entity.attributes
      where isCompared(attribute) && expected.values[attribute] != other.values[attribute] {
        found.append(
          Difference(
            name: name, what: .value(attribute), expected: Self.text(expected.values[attribute]),
            seen: Self.text(other.values[attribute])))
      }
      for relationship in entity.relationships where !ignoring.contains(Side(name: name, relationship: relationship)) {
        found += Self.difference(name, relationship, expected, other).map { [$0] } ?? []
      }
    }
    return found
  }

  private static func difference(_ name: Int, _ relationship: String, _ expected: Node, _ seen: Node) -> Difference? {
    if expected.ones[relationship] != seen.ones[relationship] {
      return Difference(
        name: name, what: .relationship(relationship), expected: text(expected.ones[relationship]),
        seen: text(seen.ones[relationship]))
    }
    let (members, others) = (expected.members(relationship), seen.members(relationship))
    guard members != others else { return nil }
    return Difference(
      name: name, what: members.sorted() == others.sorted() ? .order(relationship) : .relationship(relationship),
      expected: "\(members)", seen: "\(others)")
  }

  static func text<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "nil" }

  /// The relationships with sides that disagree.
  var asymmetries: [(name: Int, relationship: String, other: Int)] {
    var found: [(Int, String, Int)] = []
    for (name, node) in nodes {
      for relationship in model.entity(node.entity).relationships {
        guard let inverse = model.relationship(relationship).inverse else { continue }
        for target in node.members(relationship) + (node.ones[relationship].map { [$0] } ?? []) {
          guard let other = nodes[target] else { continue }
          if other.ones[inverse] != name, !other.members(inverse).contains(name) {
            found.append((name, relationship, target))
          }
        }
      }
    }
    return found.sorted { ($0.0, $0.1, $0.2) < ($1.0, $1.1, $1.2) }
  }
}
