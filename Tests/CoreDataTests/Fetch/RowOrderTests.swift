import Foundation
import Scheduling
import Testing

@testable import CoreData

/// S7.1: rows that are sorted in memory come as SQLite sorts them.
@Suite struct RowOrderTests {
  private static let texts: [String?] = [
    nil, "", "a", "a\u{0}", "a\u{0}b", "A", "ab", "abcdefgh", "abcdefghi", "abcdefghj", "abcdefgh\u{0}", "é",
    "e\u{301}",
    "ﬁ", "😀", "\u{FFFD}", "zzzzzzzzz", "zzzzzzzzzz", "  ", "1", "10", "9",
  ]
  private static let numbers: [Int64?] = [
    nil, .min, .min + 1, -256, -1, 0, 1, 255, 256, 1 << 53, (1 << 53) + 1, .max,
  ]
  private static let reals: [Double?] = [nil, -1e300, -2.5, -0.0, 0, 1e-300, 0.5, 1, 2.5, 1e300, .infinity, -.infinity]

  private static func makeContext(seed: UInt64) throws -> NSManagedObjectContext {
    let context = try TestStack(model: Zoo.model()).context()
    var random = SeededRandom(seed: seed)
    try context.performAndWait {
      for _ in 0..<300 {
        var values: [String: Any] = [:]
        values["aString"] = texts.randomElement(using: &random) ?? nil
        values["anInt64"] = numbers.randomElement(using: &random) ?? nil
        values["aDouble"] = reals.randomElement(using: &random) ?? nil
        values["aFloat"] = Float.random(in: -2...2, using: &random)
        values["aBool"] = ([nil, true, false] as [Bool?]).randomElement(using: &random).flatMap { $0 }
        let seconds = [nil, -1e9, -2.5, -0.0, 0, 0.5, 1, 1e9].randomElement(using: &random) ?? nil
        values["aDate"] = seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
        context.insert("Sample", values)
      }
      try context.save()
      context.reset()
    }
    return context
  }

  /// What a row is sorted by; texts as bytes, since Swift takes different spellings of a letter for one.
  private static func values(_ object: NSManagedObject, _ keys: [String]) -> [[UInt8]?] {
    keys.map { key in
      switch object.value(forKey: key) {
      case let text as String: Array(text.utf8)
      case let value?: Array("\(value)".utf8)
      case nil: nil
      }
    }
  }

  @Test(arguments: [
    ["anInt64"], ["aString"], ["aDouble"], ["aFloat"], ["aDate"], ["aBool", "aString"], ["aString", "anInt64"],
    ["aDate", "aString", "aDouble"],
  ])
  func rowsComeAsSQLiteSortsThem(keys: [String]) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let context = try Self.makeContext(seed: seed)
      try context.performAndWait {
        for directions in 0..<(1 << keys.count) {
          let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
          request.sortDescriptors = keys.enumerated().map {
            NSSortDescriptor(key: $1, ascending: directions >> $0 & 1 == 0)
          }
          let inMemory = try context.fetch(request).map { Self.values($0, keys) }
          // A page is sorted by SQLite.
          request.fetchLimit = 1_000
          let bySQLite = try context.fetch(request).map { Self.values($0, keys) }
          #expect(inMemory.count == 300)
          #expect(inMemory == bySQLite, "seed \(seed), \(keys), directions \(directions)")
        }
      }
    }
  }

  @Test func equalRowsKeepTheOrderOfTheirKeys() throws {
    let context = try TestStack().context()
    try context.performAndWait {
      for number in 0..<100 as Range<Int64> { context.insertNote(number, title: number % 2 == 0 ? "even" : "odd") }
      try context.save()
      context.reset()
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
      let keys = try context.fetch(request).map(\.objectID.primaryKey)
      #expect(keys[..<50].isSorted && keys[50...].isSorted)
    }
  }
}

extension Collection where Element: Comparable {
  fileprivate var isSorted: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
