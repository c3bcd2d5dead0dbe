import Testing

@testable import CoreData
@testable import RowStore

/// Every short sequence of changes to an object's collections, beside plain sets.
@Suite struct ObjectCollectionTests {
  /// Every sequence of `depth` choices.
  private static func sequences(of choices: Int, depth: Int) -> [[Int]] {
    (0..<depth).reduce([[]]) { sequences, _ in sequences.flatMap { start in (0..<choices).map { start + [$0] } } }
  }

  // The indices on both sides of the words' ends.
  @Test func aPropertyMaskIsASet() {
    let indices = [0, 63, 64, 127, 128]
    for sequence in Self.sequences(of: indices.count * 2, depth: 4) {
      var mask = PropertyMask.empty
      var expected: Set<Int> = []
      for choice in sequence {
        let index = indices[choice / 2]
        if choice % 2 == 0 {
          mask.insert(index)
          expected.insert(index)
        } else {
          mask.remove(index)
          expected.remove(index)
        }
      }
      var same = PropertyMask.empty
      for index in expected.sorted() { same.insert(index) }
      let contents = Set(indices.filter(mask.contains))
      guard contents == expected, mask.isEmpty == expected.isEmpty, mask == same else {
        Issue.record("\(sequence): \(contents), expected \(expected)")
        return
      }
    }
    for count in [0, 1, 63, 64, 65, 129] {
      let mask = PropertyMask(all: count)
      #expect((0..<200).filter(mask.contains) == Array(0..<count))
    }
  }

  private func withObjects(_ count: Int, _ body: ([NSManagedObject]) -> Void) throws {
    let context = try TestStack(.memory).context()
    context.performAndWait { body((0..<count).map { _ in Note(context: context) }) }
  }

  // Small lists are searched, large ones get an index: the same answers on both sides of the limit.
  @Test(arguments: [0, 14, 30]) func anObjectListIsASet(others: Int) throws {
    try withObjects(3 + others) { objects in
      for sequence in Self.sequences(of: 6, depth: 5) {
        var list = ObjectList(ContiguousArray(objects.dropFirst(3)))
        var expected: Set<Int> = []
        for choice in sequence {
          let number = choice / 2
          if choice % 2 == 0 {
            if expected.insert(number).inserted { list.append(objects[number]) }
          } else {
            #expect(list.remove(objects[number], keepingOrder: number == 1) == (expected.remove(number) != nil))
          }
        }
        let found = (0..<3).filter { list.contains(objects[$0]) }
        guard found == expected.sorted(), list.count == expected.count + others else {
          Issue.record("\(sequence): \(found), expected \(expected)")
          return
        }
      }
    }
  }

  // S2.6: the members are the store's under the unsaved changes, whenever they are read.
  @Test func unsavedMembersLieOverTheStores() throws {
    try withObjects(2) { objects in
      for sequence in Self.sequences(of: 7, depth: 5) {
        let toMany = ToMany(isOrdered: false)
        var stored: Set<Int> = [0]
        var expected: Set<Int> = [0]
        for choice in sequence {
          switch choice {
          case 0, 1:
            if expected.insert(choice).inserted { toMany.add(objects[choice]) }
          case 2, 3:
            if expected.remove(choice - 2) != nil { toMany.remove(objects[choice - 2]) }
          case 4:
            let list = ContiguousArray(stored.sorted().map { objects[$0] })
            _ = toMany.realise(list, current: list)
          case 5: toMany.forgetMembers()
          default:
            toMany.commit()
            stored = expected
          }
          do { try toMany.verifyInvariants() } catch { Issue.record("\(sequence): \(error)") }
        }
        let list = ContiguousArray(stored.sorted().map { objects[$0] })
        let members = toMany.members ?? toMany.realise(list, current: list)
        let found = (0..<2).filter { number in members.objects.contains { $0 === objects[number] } }
        guard found == expected.sorted(), toMany.hasChanges == (stored != expected) else {
          Issue.record("\(sequence): \(found), expected \(expected), stored \(stored)")
          return
        }
      }
    }
  }
}
