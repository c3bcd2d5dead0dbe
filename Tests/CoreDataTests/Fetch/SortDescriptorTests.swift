import CoreData
import Testing

/// Sort descriptors by keys and by Swift key paths, of fetches and of arrays. S7.1
@Suite struct SortDescriptorTests {
  /// Numbers of the notes that a fetch gives with these descriptors, and of an array sorted with them.
  private func sorted(_ descriptors: [NSSortDescriptor]) throws -> (fetched: [Int64], array: [Int64]) {
    let context = try TestStack().context()
    return try context.performAndWait {
      for (number, title) in [(Int64(1), "b"), (2, nil), (3, "a"), (4, "b")] {
        context.insertNote(number, title: title)
      }
      try context.save()
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = descriptors
      let fetched = try context.fetch(request)
      let array = try context.notes().reversed() as NSArray
      return (fetched.map(\.number), array.sortedArray(using: descriptors).compactMap { ($0 as? Note)?.number })
    }
  }

  @Test func arraysAreSortedByKeysAsFetchesAre() throws {
    let descriptors = [
      NSSortDescriptor(key: "title", ascending: false), NSSortDescriptor(key: "number", ascending: true),
    ]
    let (fetched, array) = try sorted(descriptors)
    #expect(fetched == [1, 4, 3, 2])
    #expect(array == fetched)
    let reversed = try descriptors.map { try #require($0.reversedSortDescriptor as? NSSortDescriptor) }
    let (again, backwards) = try sorted(reversed)
    #expect(again == [2, 3, 4, 1])
    #expect(backwards == again)
    #expect(reversed.map(\.key) == ["title", "number"] && reversed.map(\.ascending) == [true, false])
  }

  @Test func anArrayMayBeSortedByASwiftKeyPathToAnOptional() throws {
    let context = try TestStack().context()
    context.performAndWait {
      for (number, title) in [(Int64(1), "b"), (2, nil), (3, "a")] { context.insertNote(number, title: title) }
      let notes = Array(context.insertedObjects) as NSArray
      let descriptor = NSSortDescriptor(keyPath: \Note.title, ascending: true)
      func numbers(_ descriptor: NSSortDescriptor?) -> [Int64] {
        notes.sortedArray(using: [descriptor].compactMap { $0 }).compactMap { ($0 as? Note)?.number }
      }
      #expect(numbers(descriptor) == [2, 3, 1])
      #expect(numbers(descriptor.reversedSortDescriptor as? NSSortDescriptor) == [1, 3, 2])
    }
  }

  @Test func valuesThatAreNoObjectsAreSortedByThemselves() {
    let array = ["b", "a", "c"] as NSArray
    #expect(array.sortedArray(using: [NSSortDescriptor(key: nil, ascending: false)]) as? [String] == ["c", "b", "a"])
    #expect(array.sortedArray(using: [NSSortDescriptor(key: "self", ascending: true)]) as? [String] == ["a", "b", "c"])
    let rows = [["n": 2], ["n": 1]] as NSArray
    let sorted = rows.sortedArray(using: [NSSortDescriptor(key: "n", ascending: true)]) as? [[String: Int]]
    #expect(sorted == [["n": 1], ["n": 2]])
  }
}
