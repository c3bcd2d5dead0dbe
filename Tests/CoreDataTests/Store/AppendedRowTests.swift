import SQLite
import Testing

@testable import CoreData

/// Rows that SQLite may append under keys of its own choice, where those are the ones that the objects get.
@Suite struct AppendedRowTests {
  /// More than are inserted by a statement that names every key.
  private static let many: ClosedRange<Int64> = 1...40

  @Test(arguments: TestStack.Place.allCases) func eachRowHasTheKeyOfItsObject(place: TestStack.Place) throws {  // S3.3
    let stack = try TestStack(place)
    for _ in 1...2 { try expectRowsOfTheirObjects(stack) }
  }

  @Test func keysThatWereGivenOnceAreNotGivenAgain() throws {  // S3.3
    let stack = try TestStack()
    try stack.seed(Self.many)
    try stack.change { for note in try $0.notes() { $0.delete(note) } }
    try expectRowsOfTheirObjects(stack)
    #expect(try stack.sql("SELECT min(Z_PK) || ' ' || max(Z_PK) FROM ZNOTE") == ["41 80"])
    #expect(try stack.sql("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'") == ["80"])
  }

  @Test func rowsThatAnotherProgramAppendedStay() throws {  // S3.3
    let stack = try TestStack()
    try stack.seed(1...1)
    // As a program does that knows nothing of Z_PRIMARYKEY's use; a key far away.
    try Connection(path: stack.url.path).execute("INSERT INTO ZNOTE(Z_PK, Z_ENT, Z_OPT, ZNUMBER) VALUES(500, 1, 1, 7)")
    try expectRowsOfTheirObjects(stack)
    #expect(try stack.sql("SELECT ZNUMBER FROM ZNOTE WHERE Z_PK = 500") == ["7"])
    #expect(try stack.sql("SELECT max(Z_PK) FROM ZNOTE WHERE Z_PK < 500") == ["41"])
  }

  @Test func rowsOfTwoEntitiesInOneTableHaveTheKeysOfTheirObjects() throws {  // S3.3
    let (plain, special) = (
      Notebook.entity("Plain", NSManagedObject.self), Notebook.entity("Special", NSManagedObject.self)
    )
    plain.properties = [Notebook.attribute("number", .integer64AttributeType)]
    plain.subentities = [special]
    let model = NSManagedObjectModel()
    model.entities = [plain, special]
    let stack = try TestStack(model: model)
    let context = stack.context()
    try context.performAndWait {
      let objects = Self.many.map { number in
        let object = NSManagedObject(entity: number % 2 == 0 ? plain : special, insertInto: context)
        object.setValue(number, forKey: "number")
        return object
      }
      try context.save()
      for (number, object) in zip(Self.many, objects) {
        let key = object.objectID.uriRepresentation().lastPathComponent.dropFirst()
        #expect(
          try stack.sql("SELECT ZNUMBER || ' ' || Z_ENT FROM ZPLAIN WHERE Z_PK = \(key)")
            == ["\(number) \(number % 2 == 0 ? 1 : 2)"])
      }
    }
  }

  @Test func rowsThatComeBackHaveVersionsOfTheirOwn() throws {  // S3.3
    let stack = try TestStack()
    try stack.seed(Self.many)
    let context = stack.context()
    context.undoManager = UndoManager()
    try context.performAndWait {
      for note in try context.notes() { context.delete(note) }
      try context.save()
      context.undo()
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE WHERE Z_OPT > 1") == ["40"])
    #expect(try stack.sql("SELECT max(Z_PK) FROM ZNOTE") == ["40"])
  }

  /// As other tools make them, where they rebuild a table.
  private static let keysThatAreNoRowID = [
    "Z_PK INT PRIMARY KEY", "Z_PK INTEGER", "Z_PK INTEGER PRIMARY KEY DESC",
  ]

  @Test(arguments: keysThatAreNoRowID) func rowsOfATableWithoutRowIDsHaveKeys(key: String) throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let connection = try Connection(path: stack.url.path)
    try connection.execute(
      "CREATE TABLE NEW(\(key), Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER, ZCREATEDAT TIMESTAMP, ZTITLE VARCHAR, ZUUID BLOB)"
    )
    try connection.execute(
      "INSERT INTO NEW SELECT Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZCREATEDAT, ZTITLE, ZUUID FROM ZNOTE")
    try connection.execute("DROP TABLE ZNOTE")
    try connection.execute("ALTER TABLE NEW RENAME TO ZNOTE")
    try expectRowsOfTheirObjects(try TestStack(model: stack.container.managedObjectModel, url: stack.url))
    #expect(try stack.sql("SELECT count(DISTINCT Z_PK) FROM ZNOTE") == ["41"])
  }

  /// Saves new notes, and looks for each of them under the key that its ID names.
  private func expectRowsOfTheirObjects(_ stack: TestStack) throws {
    let context = stack.context()
    try context.performAndWait {
      let notes = Self.many.map { number in
        let note = Note(context: context)
        note.number = number
        return note
      }
      try context.save()
      for note in notes { context.refresh(note, mergeChanges: false) }
      #expect(notes.map(\.number) == Array(Self.many))
    }
    let other = stack.context()
    try other.performAndWait {
      for id in try context.performAndWait({ try context.notes().map { ($0.objectID, $0.number) } }) {
        #expect((try other.existingObject(with: id.0) as? Note)?.number == id.1)
      }
    }
  }
}
