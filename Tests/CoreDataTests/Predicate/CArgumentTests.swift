import CoreData
import Foundation
import Testing

/// Values that are passed as arguments of C's, as code for Apple's systems writes it.
@Suite struct CArgumentTests {
  /// As libraries have it.
  private func predicate(_ format: String, _ arguments: any CVarArg...) -> NSPredicate {
    withVaList(arguments) { NSPredicate(format: format, arguments: $0) }
  }

  // S7.2
  @Test func objectsAndValuesAreArguments() throws {
    let (uuid, date) = (UUID(), Date(timeIntervalSinceReferenceDate: 3))
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait {
      let note = context.insertNote(1, title: "a", words: ["x"])
      (note.uuid, note.createdAt) = (uuid, date)
      context.insertNote(2, title: "b")
      try context.save()
      for predicate in [
        predicate("uuid == %@ AND createdAt == %@", uuid, date),
        predicate("uuid == %@", NSUUID(uuidString: uuid.uuidString)!),
        predicate("number IN %@ AND title == %@", [1, 7], "a"), predicate("title IN %@", ["a"] as NSArray),
        predicate("title IN %@", Set(["a"])), predicate("number == %@", NSNumber(value: 1)),
        predicate("SELF == %@", note),
        predicate("SELF == %@", note.objectID), NSPredicate(format: "%K == %@", "uuid", uuid as any CVarArg),
        NSPredicate(format: "createdAt >= %@ AND number < %d", argumentArray: [date as any CVarArg, 2]),
      ] {
        #expect(try context.notes(predicate).map(\.number) == [1], "\(predicate)")
      }
    }
  }

  // S7.2: Foundation's formats print them.
  @Test func stringsAreFormattedOfThem() {
    let uuid = UUID()
    #expect(String(format: "%@, %d", uuid as any CVarArg, 3) == "\(uuid), 3")
    #expect(String(format: "%@ %@", NSNumber(value: 5), "a") == "5 a")
  }
}
