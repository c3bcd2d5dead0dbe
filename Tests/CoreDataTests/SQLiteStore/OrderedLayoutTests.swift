import CoreData
import SQLite
import Testing

@Suite struct OrderedLayoutTests {
  private func definition(_ stack: TestStack, _ table: String) throws -> [String] {
    try stack.sql("SELECT sql FROM sqlite_master WHERE name = '\(table)'")
  }

  // S6.4
  @Test func theOrderOfAOneToManyLiesBehindTheForeignKeys() throws {
    let stack = try TestStack(.file, model: Library.model())
    #expect(
      try definition(stack, "ZBOOK") == [
        "CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSHELF INTEGER, ZWHOLE INTEGER, "
          + "Z_FOK_SHELF INTEGER, Z_FOK_WHOLE INTEGER, ZNAME VARCHAR )"
      ])
    #expect(
      try stack.sql("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = 'ZBOOK' ORDER BY name") == [
        "ZBOOK_ZSHELF_INDEX", "ZBOOK_ZWHOLE_INDEX",
      ])
  }

  // S6.4
  @Test func theOrderOfAManyToManyLiesInTheJoinTable() throws {
    let stack = try TestStack(.file, model: Library.model())
    #expect(
      try definition(stack, "Z_1TAGS") == [
        "CREATE TABLE Z_1TAGS ( Z_1BOOKS INTEGER, Z_4TAGS INTEGER, Z_FOK_4TAGS INTEGER, PRIMARY KEY (Z_1BOOKS, Z_4TAGS) )"
      ])
    #expect(
      try definition(stack, "Z_1READERS") == [
        // Tags have books as well, so that the column gets a number.
        "CREATE TABLE Z_1READERS ( Z_1BOOKS1 INTEGER, Z_2READERS INTEGER, Z_FOK_1BOOKS1 INTEGER, "
          + "Z_FOK_2READERS INTEGER, PRIMARY KEY (Z_1BOOKS1, Z_2READERS) )"
      ])
    #expect(
      try definition(stack, "Z_2FRIENDS") == [
        "CREATE TABLE Z_2FRIENDS ( REFLEXIVE INTEGER, Z_2FRIENDS INTEGER, Z_FOK_2FRIENDS INTEGER, "
          + "PRIMARY KEY (REFLEXIVE, Z_2FRIENDS) )"
      ])
  }

  // S6.4
  @Test func aModelWithoutOrderHasNoColumnForIt() throws {
    let stack = try TestStack(.file)
    #expect(try stack.sql("SELECT count(*) FROM sqlite_master WHERE sql LIKE '%Z\\_FOK\\_%' ESCAPE '\\'") == ["0"])
  }

  // S6.4
  @Test func numbersStartAt2048AndChangeAsLittleAsTheyCan() throws {
    let stack = try TestStack(.file, model: Library.model())
    func numbers() throws -> [String] {
      try stack.sql("SELECT ZNAME || ' ' || ifnull(Z_FOK_SHELF, 'none') FROM ZBOOK ORDER BY Z_FOK_SHELF, ZNAME")
    }
    let context = stack.context()
    try context.performAndWait {
      let shelf = try context.seedShelf("abc")
      #expect(try numbers() == ["a 2048", "b 3072", "c 4096"])
      shelf.mutable().insert(context.make("Book", "x"), at: 1)
      try context.save()
      #expect(try numbers() == ["a 2048", "x 2560", "b 3072", "c 4096"])
      shelf.mutable().add(context.make("Book", "y"))
      try context.save()
      #expect(try numbers() == ["a 2048", "x 2560", "b 3072", "c 4096", "y 5120"])
      shelf.arrange("yaxbc")
      try context.save()
      #expect(try numbers() == ["y 1024", "a 2048", "x 2560", "b 3072", "c 4096"])
      try context.named("Book", "b").setValue(nil, forKey: "shelf")
      try context.save()
      #expect(try numbers() == ["b none", "y 1024", "a 2048", "x 2560", "c 4096"])
      shelf.mutable().removeAllObjects()
      try context.save()
      #expect(try stack.sql("SELECT count(*) FROM ZBOOK WHERE ifnull(ZSHELF, Z_FOK_SHELF) IS NOT NULL") == ["0"])
    }
  }

  // S6.4
  @Test func numbersOfJoinsStartAt2048Too() throws {
    let stack = try TestStack(.file, model: Library.model())
    let context = stack.context()
    try context.performAndWait {
      let tags = "xyz".map { context.make("Tag", "\($0)") }
      let book = context.make("Book", "b")
      book.setValue(NSOrderedSet(array: [tags[2], tags[0]]), forKey: "tags")
      try context.save()
      #expect(try stack.sql("SELECT Z_FOK_4TAGS FROM Z_1TAGS ORDER BY Z_FOK_4TAGS") == ["2048", "3072"])
      // From the side that has no order.
      tags[1].setValue(Set([book]), forKey: "books")
      try context.save()
      #expect(book.row("tags") == "zxy")
      book.mutable("tags").exchangeObject(at: 0, withObjectAt: 1)
      try context.save()
    }
    #expect(
      try stack.sql(
        "SELECT ZNAME || ' ' || Z_FOK_4TAGS FROM Z_1TAGS JOIN ZTAG ON Z_PK = Z_4TAGS ORDER BY Z_FOK_4TAGS") == [
          "x 1024", "z 2048", "y 4096",
        ])
    #expect(try stack.stored("Book", "b", "tags") == "xzy")
  }

  // S6.4: the numbers of Apple's tools, and names without a number.
  @Test func anyNumbersAreRead() throws {
    let stack = try TestStack(.file, model: Library.model())
    try stack.change { _ = try $0.seedShelf("abcd") }
    try Connection.write(
      stack.url,
      """
      UPDATE ZBOOK SET Z_FOK_SHELF = CASE ZNAME WHEN 'a' THEN 9 WHEN 'b' THEN -5 WHEN 'c' THEN NULL ELSE 9 END
      """)
    #expect(try stack.stored("Shelf", "shelf") == "cbad")
    let other = try TestStack(model: stack.container.managedObjectModel, url: stack.url)
    try other.change { context in
      let shelf = try context.named("Shelf", "shelf")
      shelf.mutable().insert(context.make("Book", "x"), at: 2)
    }
    #expect(try stack.stored("Shelf", "shelf") == "cbxad")
  }

  // S6.4, S9.2: a column is named after the foreign key's, its number included.
  @Test func siblingsWithOneNameHaveAnOrderEach() throws {
    let owner = Notebook.entity("Owner", NSManagedObject.self)
    let item = Notebook.entity("Item", NSManagedObject.self)
    let (left, right) = (Notebook.entity("Left", NSManagedObject.self), Notebook.entity("Right", NSManagedObject.self))
    item.subentities = [left, right]
    let (lefts, rights) = (Library.ordered("lefts", to: left), Library.ordered("rights", to: right))
    let leftOwner = Notebook.relationship("owner", to: owner, maxCount: 1)
    let rightOwner = Notebook.relationship("owner", to: owner, maxCount: 1)
    for (one, other) in [(lefts, leftOwner), (rights, rightOwner)] {
      one.inverseRelationship = other
      other.inverseRelationship = one
    }
    owner.properties = [Notebook.attribute("name", .stringAttributeType), lefts, rights]
    item.properties = [Notebook.attribute("name", .stringAttributeType)]
    left.properties = [leftOwner]
    right.properties = [rightOwner]
    let model = NSManagedObjectModel()
    model.entities = [owner, item, left, right]
    let stack = try TestStack(.file, model: model)
    #expect(
      try definition(stack, "ZITEM") == [
        "CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZOWNER INTEGER, ZOWNER1 INTEGER, "
          + "Z_FOK_OWNER INTEGER, Z_FOK_OWNER1 INTEGER, ZNAME VARCHAR )"
      ])
    try stack.change { context in
      let owner = context.make("Owner", "o")
      owner.setValue(NSOrderedSet(array: "ba".map { context.make("Left", "\($0)") }), forKey: "lefts")
      owner.setValue(NSOrderedSet(array: "yx".map { context.make("Right", "\($0)") }), forKey: "rights")
    }
    #expect(try stack.stored("Owner", "o", "lefts") == "ba")
    #expect(try stack.stored("Owner", "o", "rights") == "yx")
  }

  // S6.4: also where the model has no join table.
  @Test func newMembersAreNumberedWithoutJoinTables() throws {
    let folder = Notebook.entity("Folder", NSManagedObject.self)
    let children = Library.ordered("children", to: folder)
    let parent = Notebook.relationship("parent", to: folder, maxCount: 1)
    children.inverseRelationship = parent
    parent.inverseRelationship = children
    folder.properties = [Notebook.attribute("name", .stringAttributeType), children, parent]
    let model = NSManagedObjectModel()
    model.entities = [folder]
    let stack = try TestStack(.file, model: model)
    try stack.change { context in
      let root = context.make("Folder", "root")
      for name in ["b", "a"] { context.make("Folder", name).setValue(root, forKey: "parent") }
    }
    try stack.change { $0.make("Folder", "c").setValue(try $0.named("Folder", "root"), forKey: "parent") }
    #expect(
      try stack.sql("SELECT ZNAME || Z_FOK_PARENT FROM ZFOLDER WHERE ZPARENT IS NOT NULL ORDER BY Z_FOK_PARENT") == [
        "b2048", "a3072", "c4096",
      ])
  }
}
