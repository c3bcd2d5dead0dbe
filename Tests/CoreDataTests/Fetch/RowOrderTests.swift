import SQLite
import Testing

@testable import CoreData

/// A fetch comes in SQLite's order, in SQL or in memory.
@Suite struct RowOrderTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(.file)
    let titles: [String?] = [
      "b", nil, "", "abcdefgh", "abcdefgh", "abcdefghi", "abcdefgg", "é", "e\u{301}", "Z", "z", "\u{10FFFF}",
      "\u{FFFD}", "a\u{0}b", "a", nil, "a\u{0}", "A longer text that is kept elsewhere",
      "A longer text that is kept elsewherf",
    ]
    try stack.change { context in
      for (number, title) in titles.enumerated() { context.insertNote(Int64(number % 7) - 3, title: title) }
    }
  }

  /// Compares both orders for each direction of keys.
  private func compare() throws {
    let columns = ["title": "ZTITLE", "number": "ZNUMBER"]
    for keys in [["title"], ["number"], ["title", "number"], ["number", "title"]] {
      for isAscending in [true, false] {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.sortDescriptors = keys.enumerated().map { place, key in
          NSSortDescriptor(key: key, ascending: place == 0 ? isAscending : true)
        }
        let order = keys.enumerated().map { place, key in
          "\(columns[key] ?? "") \(place == 0 && !isAscending ? "DESC" : "ASC")"
        }
        let context = stack.context()
        let found = try context.performAndWait { try context.fetch(request).map(\.objectID.primaryKey) }
        #expect(Set(found).count == found.count)
        // Rows with equal keys may come in any order.
        let values = "SELECT \(keys.map { "quote(\(columns[$0] ?? ""))" }.joined(separator: " || ' ' || ")) FROM ZNOTE"
        let expected = try stack.sql("\(values) ORDER BY \(order.joined(separator: ", "))")
        #expect(try found.flatMap { try stack.sql("\(values) WHERE Z_PK = \($0)") } == expected, "by \(order)")
      }
    }
  }

  // S7.1
  @Test func textsAndNumbers() throws { try compare() }

  // S7.1
  @Test(arguments: [0, 3, 9, 10])
  func aRowOutOfOrderBehindOthers(place: Int) throws {
    let stack = try TestStack(.file)
    try stack.change { context in
      for number in 0..<10 { context.insertNote(Int64(number), title: number == place ? "A" : "B\(number / 3)") }
    }
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = ["title", "number"].map { NSSortDescriptor(key: $0, ascending: true) }
    let context = stack.context()
    let found = try context.performAndWait { try context.fetch(request).map(\.number) }
    #expect(found == (0..<10).filter { $0 == place } + (0..<10).filter { $0 != place })
  }

  // S7.1
  @Test func valuesThatNoColumnOfItsTypeHas() throws {
    for value in ["CAST(X'FF41' AS TEXT)", "CAST(X'F09F98' AS TEXT)", "X'41'", "CAST(X'F09F9861' AS TEXT)"] {
      try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = \(value) WHERE Z_PK = 3")
      try compare()
    }
    for value in ["0.5", "'text'", "X'00'", "9223372036854775807", "-9223372036854775808"] {
      try Connection.write(stack.url, "UPDATE ZNOTE SET ZNUMBER = \(value) WHERE Z_PK = 5")
      try compare()
    }
  }

  // S7.1
  @Test func aColumnWithAnOrderOfItsOwn() throws {
    let file = try Connection(path: stack.url.path)
    file.allowSchemaWrites()
    try file.execute("PRAGMA writable_schema = ON")
    try file.execute(
      "UPDATE sqlite_schema SET sql = replace(sql, 'ZTITLE VARCHAR', 'ZTITLE VARCHAR COLLATE NOCASE')")
    let version = try #require(try file.int64("PRAGMA schema_version"))
    try file.execute("PRAGMA schema_version = \(version + 1)")
    file.close()
    #expect(try stack.sql("SELECT 1 FROM sqlite_schema WHERE sql LIKE '%NOCASE%'") == ["1"])
    try compare()
  }

  // S7.1
  @Test func aKeyThatOnlyASubentityHasIsNullForTheOthers() throws {
    let stack = try TestStack(.file, model: Zoo.model())
    try stack.change { context in
      context.insert("Bird", ["name": "b", "wingspan": 1])
      context.insert("Bird", ["name": "a", "wingspan": 2])
      context.insert("Cat", ["name": "c", "lives": -1])
      context.insert("Lion", ["name": "d", "lives": -2, "pride": -7])
    }
    for (key, expected) in [
      ("lives", ["a", "b", "d", "c"]), ("wingspan", ["c", "d", "b", "a"]), ("pride", ["a", "b", "c", "d"]),
    ] {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
      request.sortDescriptors = [key, "name"].map { NSSortDescriptor(key: $0, ascending: true) }
      let context = stack.context()
      #expect(
        try context.performAndWait { try context.fetch(request).map { $0.string("name") } } == expected, "by \(key)")
    }
  }
}
