import CoreData
import Scheduling
import Testing

/// Random changes through the set that `mutableOrderedSetValue(forKey:)` gives, of lists long enough to have an index; beside
/// plain arrays.
@Suite struct OrderedProxyTests {
  /// Objects in an order, and those that are no members.
  private struct World {
    var members: [NSManagedObject]
    var others: [NSManagedObject]
    var random: SeededRandom

    mutating func draw(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func places(_ count: Int) -> IndexSet { IndexSet((0..<count).map { _ in draw(members.count) }) }

    /// Makes one change of both; returns its name.
    mutating func change(_ set: NSMutableOrderedSet) -> String {
      switch members.count < 25 ? 0 : draw(9) {
      case 0:
        let (object, index) = (others.remove(at: draw(others.count)), draw(members.count + 1))
        set.insert(object, at: index)
        members.insert(object, at: index)
        return "insert at \(index)"
      case 1:
        let index = draw(members.count)
        set.removeObject(at: index)
        others.append(members.remove(at: index))
        return "remove at \(index)"
      case 2:
        let index = draw(members.count)
        set.remove(members[index])
        others.append(members.remove(at: index))
        return "remove the object at \(index)"
      case 3:
        let (index, other) = (draw(members.count), draw(others.count))
        set.replaceObject(at: index, with: others[other])
        (members[index], others[other]) = (others[other], members[index])
        return "replace at \(index)"
      case 4:
        let (index, other) = (draw(members.count), draw(members.count))
        set.exchangeObject(at: index, withObjectAt: other)
        members.swapAt(index, other)
        return "exchange \(index) and \(other)"
      case 5, 6:
        let places = places(1 + draw(3))
        let target = draw(members.count - places.count + 1)
        set.moveObjects(at: places, to: target)
        let moved = places.map { members[$0] }
        members = members.indices.filter { !places.contains($0) }.map { members[$0] }
        members.insert(contentsOf: moved, at: target)
        return "move \(places.map { $0 }) to \(target)"
      case 7:
        let places = places(1 + draw(3))
        set.removeObjects(at: places)
        others += places.map { members[$0] }
        members = members.indices.filter { !places.contains($0) }.map { members[$0] }
        return "remove at \(places.map { $0 })"
      default:
        let index = draw(members.count)
        set.add(members[index])
        set.insert(members[index], at: 0)
        return "add the object at \(index)"
      }
    }
  }

  // S2.6, S6.4
  @Test(
    arguments: [("Shelf", "books", "Book"), ("Book", "tags", "Tag"), ("Book", "readers", "Reader")],
    1...3 as ClosedRange<UInt64>)
  func itIsTheRelationship(_ names: (owner: String, key: String, member: String), seed: UInt64) throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    try context.performAndWait {
      let owner = context.make(names.owner, "owner")
      let objects = (0..<80).map { context.make(names.member, "<\($0)>") }
      owner.setValue(NSOrderedSet(array: Array(objects[..<40])), forKey: names.key)
      var world = World(members: Array(objects[..<40]), others: Array(objects[40...]), random: SeededRandom(seed: seed))
      let set = owner.mutable(names.key)
      for step in 0..<200 {
        let what = world.change(set)
        #expect(owner.list(names.key) == world.members, "step \(step): \(what)")
        #expect(set.array as? [NSManagedObject] == world.members, "step \(step): \(what)")
        #expect(set.set == Set(world.members), "step \(step): \(what)")
        let index = world.draw(world.members.count)
        #expect(set.index(of: world.members[index]) == index && set.index(of: world.others[0]) == NSNotFound)
        if step % 20 == 19 {
          try context.save()
          let stored = world.members.map { $0.string("name") ?? "" }.joined()
          #expect(try stack.stored(names.owner, "owner", names.key) == stored, "step \(step)")
        }
      }
    }
  }
}
