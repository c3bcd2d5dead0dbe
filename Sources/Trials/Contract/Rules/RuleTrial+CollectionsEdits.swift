import Checking
import CoreData

// Changes of the collections of a relationship, each by a call of Foundation's, and by hand; in blocks of their context.

extension RuleTrial {
  private func text(_ objects: [NSManagedObject]) -> String { "\(objects.map(RulePicture.number))" }

  /// Some places of a list, in ascending order; at least one.
  private func places(_ count: Int) -> IndexSet {
    precondition(count > 0, "an empty list has no places")
    return IndexSet((0..<(1 + draw(3))).map { _ in draw(count) })
  }

  /// Members and others, in any order.
  private func mixed(_ old: [NSManagedObject], _ others: [NSManagedObject]) -> [NSManagedObject] {
    shuffled(some(old, atMost: 4) + some(others, atMost: 2))
  }

  // MARK: Ordered sets

  /// One change of an ordered set.
  ///
  /// - Parameters:
  ///   - others: those that are no members.
  ///   - isPrimitive: whether it is a primitive value, of which the documents do not say what a member does in another's place.
  /// - Returns: the members after it.
  func changeList(
    _ list: NSMutableOrderedSet, _ old: [NSManagedObject], _ others: [NSManagedObject], isPrimitive: Bool = false
  ) -> [NSManagedObject] {
    guard !old.isEmpty else { return addMembers(list, old, others) }
    return switch draw(9) {
    case 0, 1: addMembers(list, old, others)
    case 2: removeMembers(list, old, others)
    case 3, 4: replaceMembers(list, old, others, isPrimitive: isPrimitive)
    case 5, 6: combine(list, old, others)
    default: arrange(list, old)
    }
  }

  private func addMembers(
    _ list: NSMutableOrderedSet, _ old: [NSManagedObject], _ others: [NSManagedObject]
  ) -> [NSManagedObject] {
    let added = some(others, atMost: 4)
    var new = old
    switch draw(5) {
    case 0:
      guard let member = pick(old + others) else { return old }
      note("add \(RulePicture.number(member))")
      list.add(member)
      if !old.contains(member) { new.append(member) }
    case 1:
      guard let member = pick(old + others) else { return old }
      let index = draw(old.count + 1)
      note("insert \(RulePicture.number(member)) at \(index)")
      list.insert(member, at: index)
      if !old.contains(member) { new.insert(member, at: index) }
    case 2:
      let indexes = IndexSet(shuffled(Array(0..<(old.count + added.count))).prefix(added.count))
      note("insert \(text(added)) at \(indexes.map { $0 })")
      list.insert(added, at: indexes)
      for (member, index) in zip(added, indexes) { new.insert(member, at: index) }
    case 3:
      let added = mixed(old, others)
      note("add \(text(added)) from an array")
      list.addObjects(from: added + added.prefix(1))
      new += added.filter { !old.contains($0) }
    default:
      note("add \(text(added)) from memory")
      let objects: [AnyObject] = added
      objects.withUnsafeBufferPointer { list.add($0.baseAddress, count: added.count) }
      new += added
    }
    return new
  }

  private func removeMembers(
    _ list: NSMutableOrderedSet, _ old: [NSManagedObject], _ others: [NSManagedObject]
  ) -> [NSManagedObject] {
    let places = places(old.count)
    switch draw(6) {
    case 0:
      guard let first = places.first else { return old }
      note("remove at \(first)")
      list.removeObject(at: first)
      return old.filter { $0 !== old[first] }
    case 1:
      guard let member = pick(old + others) else { return old }
      note("remove \(RulePicture.number(member))")
      list.remove(member)
      return old.filter { $0 !== member }
    case 2:
      note("remove at \(places.map { $0 })")
      list.removeObjects(at: places)
      return old.indices.filter { !places.contains($0) }.map { old[$0] }
    case 3:
      let leaving = mixed(old, others)
      note("remove \(text(leaving)) of an array")
      list.removeObjects(in: leaving)
      return old.filter { !leaving.contains($0) }
    case 4:
      let range = range(old.count)
      note("remove in \(range)")
      list.removeObjects(in: NSRange(range))
      return old.indices.filter { !range.contains($0) }.map { old[$0] }
    default:
      note("remove all")
      list.removeAllObjects()
      return []
    }
  }

  private func range(_ count: Int) -> Range<Int> {
    let (one, other) = (draw(count + 1), draw(count + 1))
    return min(one, other)..<max(one, other)
  }

  /// Others come in the places of members; members in these places change them among each other.
  private func replaceMembers(
    _ list: NSMutableOrderedSet, _ old: [NSManagedObject], _ others: [NSManagedObject], isPrimitive: Bool
  ) -> [NSManagedObject] {
    var new = old
    let index = draw(old.count)
    switch draw(5) {
    case 0:
      guard let member = pick(others) else { return old }
      note("replace at \(index) with \(RulePicture.number(member))")
      if chance(1, of: 2) { list.replaceObject(at: index, with: member) } else { list[index] = member }
      new[index] = member
    case 1:
      // One that is a member already keeps its own place.
      guard let member = isPrimitive ? old[index] : pick(old) else { return old }
      note("replace at \(index) with the member \(RulePicture.number(member))")
      list.replaceObject(at: index, with: member)
    case 2:
      guard let member = pick(others) else { return old }
      let place = draw(old.count + 1)
      note("set \(RulePicture.number(member)) at \(place)")
      list.setObject(member, at: place)
      if place == old.count { new.append(member) } else { new[place] = member }
    case 3:
      let places = places(old.count)
      let added = Array(shuffled(places.map { old[$0] } + some(others, atMost: 4)).prefix(places.count))
      note("replace at \(places.map { $0 }) with \(text(added))")
      list.replaceObjects(at: places, with: added)
      for (place, member) in zip(places, added) { new[place] = member }
    default:
      let range = range(old.count)
      let added = shuffled(some(Array(old[range]), atMost: 3) + some(others, atMost: 3))
      note("replace in \(range) with \(text(added))")
      // As long as members are replaced by none, a call with none is one of removal.
      let objects: [AnyObject] = added
      objects.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return list.removeObjects(in: NSRange(range)) }
        list.replaceObjects(in: NSRange(range), with: start, count: added.count)
      }
      new.replaceSubrange(range, with: added)
    }
    return new
  }

  /// Union, intersection and difference, with ordered sets and plain ones.
  private func combine(
    _ list: NSMutableOrderedSet, _ old: [NSManagedObject], _ others: [NSManagedObject]
  ) -> [NSManagedObject] {
    let other = mixed(old, others)
    let isOrdered = chance(1, of: 2)
    let (ordered, plain) = (NSOrderedSet(array: other), Set<AnyHashable>(other))
    let kind = isOrdered ? "ordered" : "plain"
    switch draw(3) {
    case 0:
      note("intersect with the \(kind) \(text(other))")
      if isOrdered { list.intersect(ordered) } else { list.intersectSet(plain) }
      return old.filter { other.contains($0) }
    case 1:
      note("minus the \(kind) \(text(other))")
      if isOrdered { list.minus(ordered) } else { list.minusSet(plain) }
      return old.filter { !other.contains($0) }
    default:
      let new = other.filter { !old.contains($0) }
      // A plain set has no order for more than one.
      let usesOrdered = isOrdered || new.count > 1
      note("union with the \(usesOrdered ? "ordered" : "plain") \(text(other))")
      if usesOrdered { list.union(ordered) } else { list.unionSet(plain) }
      return old + new
    }
  }

  private func arrange(_ list: NSMutableOrderedSet, _ old: [NSManagedObject]) -> [NSManagedObject] {
    var new = old
    let (one, other) = (draw(old.count), draw(old.count))
    let isAscending = chance(1, of: 2)
    func isBefore(_ left: Any, _ right: Any) -> ComparisonResult {
      let (left, right) = (rank(left), rank(right))
      return left == right ? .orderedSame : (left < right) == isAscending ? .orderedAscending : .orderedDescending
    }
    func sorted(_ objects: some Sequence<NSManagedObject>) -> [NSManagedObject] {
      objects.enumerated().sorted { left, right in
        let result = isBefore(left.element, right.element)
        return result == .orderedSame ? left.offset < right.offset : result == .orderedAscending
      }.map(\.element)
    }
    switch draw(6) {
    case 0:
      note("exchange \(one) and \(other)")
      list.exchangeObject(at: one, withObjectAt: other)
      new.swapAt(one, other)
    case 1:
      let places = places(old.count)
      let target = draw(old.count - places.count + 1)
      note("move \(places.map { $0 }) to \(target)")
      list.moveObjects(at: places, to: target)
      new = old.indices.filter { !places.contains($0) }.map { old[$0] }
      new.insert(contentsOf: places.map { old[$0] }, at: target)
    case 2:
      note("sort by rank, \(isAscending ? "ascending" : "descending")")
      let options: NSSortOptions = chance(1, of: 2) ? .stable : [.stable, .concurrent]
      list.sort(options: options) { isBefore($0, $1) }
      new = sorted(old)
    case 3:
      let range = range(old.count)
      note("sort \(range) by rank, \(isAscending ? "ascending" : "descending")")
      list.sortRange(NSRange(range), options: .stable) { isBefore($0, $1) }
      new.replaceSubrange(range, with: sorted(old[range]))
    case 4:
      note("sort by number, \(isAscending ? "ascending" : "descending")")
      list.sort(using: [NSSortDescriptor(key: RuleModel.number, ascending: isAscending)])
      new.sort { (RulePicture.number($0) < RulePicture.number($1)) == isAscending }
    default:
      let least = RulePicture.number(old[one])
      note("filter by numbers from \(least)")
      // An old set is asked first: only then an enumeration has the members of now.
      precondition(list.count == old.count, "the set has the members of its relationship")
      list.filter(using: NSPredicate(format: "number >= \(least)", argumentArray: []))
      new.removeAll { RulePicture.number($0) < least }
    }
    return new
  }

  /// Several objects have one rank: a number modulo three, beside the rank that the store has.
  private func rank(_ object: Any) -> Int { ((object as? NSManagedObject).map(RulePicture.number) ?? 0) % 3 }

  // MARK: Sets

  /// One change of a set; the members after it are in no order.
  func changeSet(_ set: NSMutableSet, _ old: [NSManagedObject], _ others: [NSManagedObject]) -> [NSManagedObject] {
    let other = mixed(old, others)
    let (plain, new) = (Set<AnyHashable>(other), other.filter { !old.contains($0) })
    switch draw(9) {
    case 0, 1:
      guard let member = pick(old + others) else { return old }
      note("add \(RulePicture.number(member))")
      set.add(member)
      return old.filter { $0 !== member } + [member]
    case 2:
      guard let member = pick(old + others) else { return old }
      note("remove \(RulePicture.number(member))")
      set.remove(member)
      return old.filter { $0 !== member }
    case 3:
      note("union with \(text(other))")
      set.union(plain)
      return old + new
    case 4:
      note("minus \(text(other))")
      set.minus(plain)
      return old.filter { !other.contains($0) }
    case 5:
      note("intersect with \(text(other))")
      set.intersect(plain)
      return old.filter { other.contains($0) }
    case 6:
      note("set \(text(other))")
      set.setSet(plain)
      return other
    case 7:
      note("add \(text(other)) from an array")
      set.addObjects(from: other)
      return old + new
    default:
      guard chance(1, of: 2), let least = old.map(RulePicture.number).min() else {
        note("remove all")
        set.removeAllObjects()
        return []
      }
      note("filter by numbers above \(least)")
      set.filter(using: NSPredicate(format: "number > \(least)", argumentArray: []))
      return old.filter { RulePicture.number($0) > least }
    }
  }

  // MARK: Arrays

  /// One change of the array of an ordered relationship.
  func changeArray(
    _ array: NSMutableArray, _ old: [NSManagedObject], _ others: [NSManagedObject]
  ) throws -> [NSManagedObject] {
    var new = old
    let (one, other, added) = (draw(max(1, old.count)), draw(max(1, old.count)), some(others, atMost: 3))
    note("as an array, with \(text(added)), at \(one) and \(other)")
    switch old.isEmpty ? draw(3) : draw(14) {
    case 0:
      array.addObjects(from: added)
      new += added
    case 1:
      for member in added { array.insert(member, at: one) }
      new.insert(contentsOf: added.reversed(), at: one)
    case 2:
      array.setArray(added + old)
      new = added + old
    case 3:
      array.removeObject(at: one)
      new.remove(at: one)
    case 4:
      array.removeLastObject()
      new.removeLast()
    case 5:
      array.remove(old[one])
      new.remove(at: one)
    case 6:
      array.removeObjects(in: [old[one], old[other]] + added)
      new.removeAll { $0 === old[one] || $0 === old[other] }
    case 7:
      array.exchangeObject(at: one, withObjectAt: other)
      new.swapAt(one, other)
    case 8:
      guard let member = added.first else { return old }
      array.replaceObject(at: one, with: member)
      new[one] = member
    case 9...12:
      let isAscending = chance(1, of: 2)
      array.sort(using: [NSSortDescriptor(key: RuleModel.number, ascending: isAscending)])
      new.sort { (RulePicture.number($0) < RulePicture.number($1)) == isAscending }
    default:
      for member in added { array.add(member) }
      new += added
    }
    let expected = new.map(RulePicture.number)
    let copies = [array.copy() as? NSArray, array.mutableCopy() as? NSArray]
    for copy in copies + [array] {
      let seen = (0..<(copy?.count ?? 0)).compactMap { copy?.object(at: $0) as? NSManagedObject }
      try require(seen.map(RulePicture.number), expected, .wrongValue, "the array of an ordered relationship")
    }
    (copies[1] as? NSMutableArray)?.removeAllObjects()
    for (index, member) in new.enumerated() {
      try require(
        [array.index(of: member), array.contains(member) ? 1 : 0], [index, 1], .wrongValue, "the place in an array")
    }
    return new
  }
}
