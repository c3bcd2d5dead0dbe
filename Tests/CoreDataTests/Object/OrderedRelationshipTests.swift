import CoreData
import Testing

@Suite(.everyStore) struct OrderedRelationshipTests {
  // S2.6
  @Test func theValueIsAnOrderedSet() throws {
    let context = try TestStack(model: Library.model()).context()
    context.performAndWait {
      let shelf = context.make("Shelf", "s")
      #expect((shelf.value(forKey: "books") as? NSOrderedSet)?.count == 0)
      let books = "cab".map { context.make("Book", "\($0)") }
      shelf.setValue(NSOrderedSet(array: books), forKey: "books")
      #expect(shelf.row() == "cab")
      #expect(books.allSatisfy { $0.object("shelf") === shelf })
      shelf.setValue(NSOrderedSet(array: [books[2], books[0]]), forKey: "books")
      #expect(shelf.row() == "bc")
      #expect(books[1].object("shelf") == nil)
      shelf.setValue(nil, forKey: "books")
      #expect(shelf.row() == "")
    }
  }

  // S2.6
  @Test func addingThroughTheInverseAppends() throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    try context.performAndWait {
      let shelf = try context.seedShelf("ab")
      let other = try context.seedShelf("xy", name: "other")
      try context.named("Book", "x").setValue(shelf, forKey: "shelf")
      #expect(shelf.row() == "abx")
      #expect(other.row() == "y")
      // Away and back: at the end.
      let a = try context.named("Book", "a")
      a.setValue(nil, forKey: "shelf")
      a.setValue(shelf, forKey: "shelf")
      #expect(shelf.row() == "bxa")
      try context.save()
    }
    #expect(try stack.stored("Shelf", "shelf") == "bxa")
  }

  // S2.6: the owner's members were not read.
  @Test func aFaultOfTheOwnerAppendsToo() throws {
    let stack = try TestStack(model: Library.model())
    try stack.change { _ = try $0.seedShelf("abc") }
    let context = stack.context()
    try context.performAndWait {
      let a = try context.named("Book", "a")
      let d = context.make("Book", "d")
      let shelf = try #require(a.object("shelf"))
      d.setValue(shelf, forKey: "shelf")
      a.setValue(nil, forKey: "shelf")
      a.setValue(shelf, forKey: "shelf")
      try context.save()
      #expect(shelf.row() == "bcda")
    }
    #expect(try stack.stored("Shelf", "shelf") == "bcda")
  }

  // S2.6
  @Test func takingOneOutKeepsTheOrderOfTheOthers() throws {
    let stack = try TestStack(model: Library.model())
    let letters = "abcdefghijklmnopqrstuvwxyz"
    let context = stack.context()
    try context.performAndWait {
      let shelf = try context.seedShelf(letters)
      try context.named("Book", "c").setValue(nil, forKey: "shelf")
      #expect(shelf.row() == "abdefghijklmnopqrstuvwxyz")
      context.delete(try context.named("Book", "f"))
      context.processPendingChanges()
      #expect(shelf.row() == "abdeghijklmnopqrstuvwxyz")
      try context.save()
    }
    #expect(try stack.stored("Shelf", "shelf") == "abdeghijklmnopqrstuvwxyz")
  }

  // S2.6, S3.3
  @Test func aMoveChangesTheOwnerAndNotTheMembers() throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    try context.performAndWait {
      let shelf = try context.seedShelf("abc")
      shelf.mutable().moveObjects(at: IndexSet(integer: 0), to: 2)
      #expect(shelf.row() == "bca")
      #expect(context.updatedObjects == [shelf])
      #expect(shelf.hasPersistentChangedValues)
      #expect((shelf.changedValues()["books"] as? NSOrderedSet)?.count == 3)
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(try stack.sql("SELECT Z_OPT FROM ZSHELF") == ["2"])
    #expect(try stack.sql("SELECT Z_OPT FROM ZBOOK") == ["1", "1", "1"])
    #expect(try stack.stored("Shelf", "shelf") == "bca")
  }

  // S2.4
  @Test func movingThereAndBackIsNoPersistentChange() throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    try context.performAndWait {
      let shelf = try context.seedShelf("abc")
      shelf.arrange("cba")
      shelf.arrange("abc")
      #expect(shelf.hasChanges)
      #expect(!shelf.hasPersistentChangedValues)
      try context.save()
    }
    #expect(try stack.sql("SELECT Z_OPT FROM ZSHELF") == ["1"])
  }

  // S2.4
  @Test func rollbackBringsTheOrderBack() throws {
    let context = try TestStack(model: Library.model()).context()
    try context.performAndWait {
      let shelf = try context.seedShelf("abcd")
      shelf.arrange("dacb")
      shelf.mutable().removeObject(at: 1)
      shelf.mutable().insert(context.make("Book", "x"), at: 0)
      #expect(shelf.row() == "xdcb")
      context.rollback()
      #expect(shelf.row() == "abcd")
    }
  }

  // S2.4
  @Test func refreshKeepsAnUnsavedOrderOnTop() throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    try context.performAndWait {
      let shelf = try context.seedShelf("abc")
      shelf.arrange("cab")
      try stack.change { other in
        let shelf = try other.named("Shelf", "shelf")
        shelf.mutable().add(other.make("Book", "d"))
        shelf.mutable().insert(other.make("Book", "x"), at: 2)
        #expect(shelf.row() == "abxcd")
      }
      context.refresh(shelf, mergeChanges: true)
      // x stays behind b, and d at the end.
      #expect(shelf.row() == "cabxd")
      try context.save()
      context.refresh(shelf, mergeChanges: false)
      #expect(shelf.row() == "cabxd")
    }
  }

  // S2.6
  @Test func manyToManyHasAnOrderOnEitherSide() throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    try context.performAndWait {
      let books = "abc".map { context.make("Book", "\($0)") }
      let readers = "xyz".map { context.make("Reader", "\($0)") }
      books[0].setValue(NSOrderedSet(array: [readers[2], readers[0]]), forKey: "readers")
      books[1].setValue(NSOrderedSet(array: [readers[0], readers[2]]), forKey: "readers")
      readers[0].mutable().insert(books[2], at: 0)
      #expect(readers[0].row() == "cab")
      try context.save()
      readers[2].arrange("ba")
      books[0].arrange("xz", "readers")
      books[1].mutable("readers").insert(readers[1], at: 1)
      try context.save()
    }
    #expect(try "abc".map { try stack.stored("Book", "\($0)", "readers") } == ["xz", "xyz", "x"])
    #expect(try "xyz".map { try stack.stored("Reader", "\($0)") } == ["cab", "b", "ba"])
  }

  // S2.6
  @Test func anOrderWithinOneEntityIsKept() throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    try context.performAndWait {
      let whole = context.make("Book", "w")
      whole.setValue(NSOrderedSet(array: "bca".map { context.make("Book", "\($0)") }), forKey: "parts")
      let readers = "abcd".map { context.make("Reader", "\($0)") }
      readers[0].setValue(NSOrderedSet(array: [readers[3], readers[1], readers[2]]), forKey: "friends")
      readers[3].mutable("friends").insert(readers[1], at: 0)
      #expect(readers[3].row("friends") == "ba")
      #expect(readers[1].row("friends") == "ad")
      try context.save()
    }
    #expect(try stack.stored("Book", "w", "parts") == "bca")
    #expect(try "abcd".map { try stack.stored("Reader", "\($0)", "friends") } == ["dbc", "ad", "a", "ba"])
  }

  // S4.1, S4.4
  @Test func aChildPushesItsOrder() throws {
    let stack = try TestStack(model: Library.model())
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    try parent.performAndWait {
      let shelf = try parent.seedShelf("abcd")
      try child.performAndWait {
        let shelf = try child.named("Shelf", "shelf")
        #expect(shelf.row() == "abcd")
        shelf.arrange("dcab")
        shelf.mutable().insert(child.make("Book", "x"), at: 1)
        try child.save()
        #expect(shelf.row() == "dxcab")
      }
      #expect(shelf.row() == "dxcab")
      try parent.save()
    }
    #expect(try stack.stored("Shelf", "shelf") == "dxcab")
  }

  // S4.4: members that the parent added meanwhile stay.
  @Test func aPushedOrderKeepsWhatOnlyTheParentHas() throws {
    let stack = try TestStack(model: Library.model())
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    try parent.performAndWait {
      let shelf = try parent.seedShelf("abc")
      try child.performAndWait {
        let shelf = try child.named("Shelf", "shelf")
        shelf.arrange("cba")
        parent.performAndWait {
          guard let own = parent.registeredObject(for: shelf.objectID) else { return }
          own.mutable().insert(parent.make("Book", "x"), at: 1)
          own.mutable().add(parent.make("Book", "z"))
        }
        try child.save()
      }
      #expect(shelf.row() == "cbaxz")
    }
  }

  // S4.1: the books come to the parent in another order than they were put on the shelf.
  @Test func aChildsNewMembersArriveInTheirOrder() throws {
    let stack = try TestStack(model: Library.model())
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    try parent.performAndWait { _ = try parent.seedShelf("ab") }
    try child.performAndWait {
      let books = "xyz".map { child.make("Book", "\($0)") }
      let shelf = try #require(try child.named("Book", "a").object("shelf"))
      for book in books.reversed() { book.setValue(shelf, forKey: "shelf") }
      let fresh = child.make("Shelf", "fresh")
      fresh.setValue(NSOrderedSet(array: "qp".map { child.make("Book", "\($0)") }), forKey: "books")
      try child.save()
    }
    try parent.performAndWait {
      #expect(try parent.named("Shelf", "shelf").row() == "abzyx")
      #expect(try parent.named("Shelf", "fresh").row() == "qp")
      try parent.save()
    }
    #expect(try stack.stored("Shelf", "shelf") == "abzyx")
    #expect(try stack.stored("Shelf", "fresh") == "qp")
  }

  // S5.2
  @Test func aMergeBringsTheNewOrder() throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    context.automaticallyMergesChangesFromParent = true
    let shelf = try context.performAndWait { try context.seedShelf("abc") }
    try stack.change { try $0.named("Shelf", "shelf").arrange("cab") }
    context.performAndWait { #expect(shelf.row() == "cab") }
  }

  // S3.3, S3.4
  @Test(
    arguments: [
      (NSMergePolicy.error, "bca", 133_020), (.mergeByPropertyObjectTrump, "cab", nil), (.overwrite, "cab", nil),
      (.mergeByPropertyStoreTrump, "bca", nil), (.rollback, "bca", nil),
    ] as [(NSMergePolicy, String, Int?)])
  func reorderingTwiceIsAConflictOfTheOwner(policy: NSMergePolicy, result: String, code: Int?) throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    context.mergePolicy = policy
    try context.performAndWait {
      let shelf = try context.seedShelf("abc")
      shelf.arrange("cab")
      try stack.change { try $0.named("Shelf", "shelf").arrange("bca") }
      let failure = cocoaCode { try context.save() }
      #expect(failure == code)
      context.rollback()
      context.refresh(shelf, mergeChanges: false)
      #expect(shelf.row() == result)
    }
    #expect(try stack.stored("Shelf", "shelf") == result)
  }

  // S3.4: only this side changed the order.
  @Test func storeTrumpKeepsAnOrderThatTheStoreDidNotChange() throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    try context.performAndWait {
      let shelf = try context.seedShelf("abc")
      shelf.arrange("cab")
      try stack.change { try $0.named("Shelf", "shelf").setValue("renamed", forKey: "name") }
      try context.save()
    }
    #expect(try stack.stored("Shelf", "renamed") == "cab")
  }

  // S2.6: the refresh left members that only their own side knew of as additions.
  @Test(arguments: [("Shelf", "books", "Book"), ("Book", "tags", "Tag"), ("Book", "readers", "Reader")])
  func theSavedOrderIsThatOfMemoryAfterARefresh(owner: String, key: String, member: String) throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    for (place, order) in [(2, "abx"), (1, "axb"), (0, "xab")] {
      let name = "owner \(place)"
      try context.performAndWait {
        let object = context.make(owner, name)
        let a = context.make(member, "a")
        try context.save()
        let b = context.make(member, "b")
        for (index, other) in [a, b].enumerated() { object.mutable(key).insert(other, at: index) }
        context.refresh(object, mergeChanges: false)
        let before = object.row(key)
        object.mutable(key).insert(context.make(member, "x"), at: place)
        // Members that a refresh leaves come in an order of their own.
        let expected = before == "ab" ? order : String(order.map { $0 == "a" ? "b" : $0 == "b" ? "a" : $0 })
        #expect(object.row(key) == expected)
        try context.save()
        #expect(object.row(key) == expected)
        #expect(try stack.stored(owner, name, key) == expected)
      }
    }
  }

  // S2.6: nothing else of the owner is changed.
  @Test(arguments: [("Shelf", "books", "Book"), ("Book", "readers", "Reader")])
  func whomARefreshLeavesIsSavedInTheOrderOfMemory(owner: String, key: String, member: String) throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    try context.performAndWait {
      let object = context.make(owner, "owner")
      let old = "cd".map { context.make(member, "\($0)") }
      try context.save()
      let new = "ab".map { context.make(member, "\($0)") }
      for other in [old[0], new[0], old[1], new[1]] { object.mutable(key).add(other) }
      context.refresh(object, mergeChanges: false)
      let order = object.row(key)
      #expect(order.count == 4)
      try context.save()
      #expect(object.row(key) == order)
      #expect(try stack.stored(owner, "owner", key) == order)
    }
  }
}
