import Boundary
import CoreData
import Scheduling

/// A relationship with its inverse, if it has one; each pair of a model once.
struct RelationshipPair {
  let own: NSRelationshipDescription
  let inverse: NSRelationshipDescription?

  /// One relationship in so many is left empty where it may be.
  private static let emptyEvery = 8
  /// Objects of a to-many relationship with a free count.
  private static let usualCount = 3

  /// The pairs of a model, in a fixed order.
  static func all(of model: NSManagedObjectModel) -> [RelationshipPair] {
    var pairs: [RelationshipPair] = []
    for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
      for (name, relationship) in entity.relationshipsByName.sorted(by: { $0.key < $1.key })
      where entity.superentity?.relationshipsByName[name] == nil && !relationship.isTransient {
        if let inverse = relationship.inverseRelationship,
          pairs.contains(where: { $0.own === inverse || $0.inverse === relationship })
        {
          continue
        }
        pairs.append(RelationshipPair(own: relationship, inverse: relationship.inverseRelationship))
      }
    }
    return pairs
  }

  /// Whether an object may have so many objects in the relationship.
  static func allows(_ count: Int, _ relationship: NSRelationshipDescription) -> Bool {
    precondition(count >= 0, "the members of a relationship are counted")
    if count == 0 { return relationship.isOptional || relationship.isToMany && relationship.minCount == 0 }
    return count >= relationship.minCount && (relationship.maxCount == 0 || count <= relationship.maxCount)
  }

  /// The larger of both sides' least counts.
  var leastCount: Int { max(own.minCount, inverse?.minCount ?? 0) }

  /// Relates objects of the cluster.
  func link(_ links: inout ClusterLinks, _ random: inout SeededRandom) {
    guard let destination = own.destinationEntity else { return }
    let owns = links.members(of: own.entity).shuffled(using: &random)
    let others = links.members(of: destination).shuffled(using: &random)
    guard !owns.isEmpty, !others.isEmpty else { return }
    var pairs: [(own: Int, other: Int)]
    switch (own.isToMany, inverse?.isToMany) {
    case (false, false): pairs = inverse === own ? couples(owns) : chain(owns, others)
    case (false, true): pairs = groups(of: owns, under: others).map { (own: $0.child, other: $0.parent) }
    // Without an inverse, an object belongs to one such relationship only: the row has one column for its owner.
    case (true, false), (true, nil): pairs = groups(of: others, under: owns).map { (own: $0.parent, other: $0.child) }
    case (false, nil): pairs = owns.map { (own: $0, other: others[Int.random(in: 0..<others.count, using: &random)]) }
    case (true, true): pairs = rings(owns, others)
    }
    if inverse === own, own.isToMany { pairs = symmetric(pairs) }
    if own.isOptional, own.minCount <= 1, inverse.map({ $0.isOptional && $0.minCount <= 1 }) ?? true, !own.isToMany {
      pairs = pairs.filter { _ in Int.random(in: 0..<Self.emptyEvery, using: &random) > 0 }
    }
    links.set(pairs, for: own)
  }

  /// Each object with the next one, for a relationship that is its own inverse.
  private func couples(_ objects: [Int]) -> [(own: Int, other: Int)] {
    stride(from: 0, to: objects.count - 1, by: 2).map { (own: objects[$0], other: objects[$0 + 1]) }
  }

  /// One to one; no object with itself where there are others.
  private func chain(_ owns: [Int], _ others: [Int]) -> [(own: Int, other: Int)] {
    let isShared = !Set(owns).isDisjoint(with: others)
    guard isShared else { return zip(owns, others).map { (own: $0, other: $1) } }
    var free = others
    return owns.compactMap { own in
      guard let position = free.firstIndex(where: { $0 != own }) ?? free.indices.first else { return nil }
      return (own: own, other: free.remove(at: position))
    }
  }

  /// Children under parents, as evenly as the parents' counts allow.
  private func groups(of children: [Int], under parents: [Int]) -> [(child: Int, parent: Int)] {
    precondition(!parents.isEmpty, "children are only divided where there are parents")
    let toMany = own.isToMany ? own : inverse
    let least = max(toMany?.minCount ?? 0, 1)
    let most = toMany.map { $0.maxCount == 0 ? Int.max : $0.maxCount } ?? .max
    let size = min(most, max(least, (children.count + parents.count - 1) / parents.count))
    precondition(size > 0, "a parent has room for a child")
    var result: [(child: Int, parent: Int)] = []
    for (number, parent) in parents.enumerated() {
      let start = number * size
      guard start < children.count else { break }
      for child in children[start..<min(children.count, start + size)] { result.append((child, parent)) }
    }
    return result
  }

  /// Each object with a run of the others, the runs beginning one further each time: both sides get the same counts.
  private func rings(_ owns: [Int], _ others: [Int]) -> [(own: Int, other: Int)] {
    precondition(!owns.isEmpty && !others.isEmpty, "a ring is of objects on either side")
    let wanted = inverse.map { (($0.minCount * others.count) + owns.count - 1) / owns.count } ?? 0
    let most = own.maxCount == 0 ? others.count : min(own.maxCount, others.count)
    let inverseMost = inverse.map { $0.maxCount == 0 ? Int.max : $0.maxCount * others.count / owns.count } ?? .max
    let count = min(most, max(1, min(inverseMost, max(own.minCount, wanted, min(Self.usualCount, most)))))
    precondition(1...others.count ~= count, "no object of a ring is there twice")
    return owns.enumerated().flatMap { number, own in
      (0..<count).map { (own: own, other: others[(number + $0) % others.count]) }
    }
  }

  /// Both directions of each pair once, for a to-many relationship that is its own inverse.
  private func symmetric(_ pairs: [(own: Int, other: Int)]) -> [(own: Int, other: Int)] {
    var seen: Set<[Int]> = []
    return pairs.filter { seen.insert([min($0.own, $0.other), max($0.own, $0.other)]).inserted }
  }
}
