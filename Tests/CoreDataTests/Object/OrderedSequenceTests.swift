import CoreData
import Testing

/// Random changes of ordered relationships beside plain arrays; saved, pushed, merged and read again on the way.
@Suite struct OrderedSequenceTests {
  private static let key = _PropertyKey("books")
  private static let readers = _PropertyKey("readers")

  /// Numbers that a seed fixes.
  private struct Dice {
    var state: UInt64

    mutating func roll(_ sides: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(sides))
    }
  }

  // S2.6, S6.4
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func booksOnTwoShelves(seed: UInt64) throws {
    let stack = try TestStack(.file, model: Library.model())
    let context = stack.context()
    var dice = Dice(state: seed)
    try context.performAndWait {
      let shelves = "LR".map { context.make("Shelf", "\($0)") }
      var expected: [[NSManagedObject]] = [[], []]
      var made = 0
      for step in 0..<150 {
        let side = dice.roll(2)
        let shelf = shelves[side]
        let count = expected[side].count
        switch dice.roll(9) {
        case 0, 1:
          made += 1
          let (book, index) = (context.make("Book", "<\(made)>"), dice.roll(count + 1))
          shelf._insert(book, into: Self.key, at: index)
          expected[side].insert(book, at: index)
        case 2:
          made += 1
          let book = context.make("Book", "<\(made)>")
          book.setValue(shelf, forKey: "shelf")
          expected[side].append(book)
        case 3 where count > 0:
          let index = dice.roll(count)
          shelf._remove(from: Self.key, at: index)
          expected[side].remove(at: index)
        case 4 where count > 0:
          let (from, to) = (dice.roll(count), dice.roll(count))
          shelf.mutable().moveObjects(at: IndexSet(integer: from), to: to)
          expected[side].insert(expected[side].remove(at: from), at: to)
        case 5 where count > 0 && !expected[1 - side].isEmpty:
          // From the other shelf, in the place of one here.
          let (index, other) = (dice.roll(count), dice.roll(expected[1 - side].count))
          let book = expected[1 - side].remove(at: other)
          shelf._replace(in: Self.key, at: index, with: book)
          expected[side][index] = book
        case 6 where count > 0:
          context.delete(expected[side].remove(at: dice.roll(count)))
          context.processPendingChanges()
        case 7: try context.save()
        case 8 where shelf.objectID.isTemporaryID == false: context.refresh(shelf, mergeChanges: true)
        default: break
        }
        for (shelf, books) in zip(shelves, expected) { #expect(shelf.list("books") == books, "step \(step)") }
      }
      try context.save()
      for (name, books) in zip(["L", "R"], expected) {
        #expect(try stack.stored("Shelf", name) == books.compactMap { $0.string("name") }.joined())
      }
    }
    #expect(try stack.sql("SELECT count(*) FROM ZBOOK WHERE (ZSHELF IS NULL) <> (Z_FOK_SHELF IS NULL)") == ["0"])
  }

  // S2.6, S6.4
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func booksAndReaders(seed: UInt64) throws {
    let stack = try TestStack(.file, model: Library.model())
    let context = stack.context()
    var dice = Dice(state: seed)
    try context.performAndWait {
      let books = "abcd".map { context.make("Book", "\($0)") }
      let readers = "vwxyz".map { context.make("Reader", "\($0)") }
      var ofBook = books.map { _ in [Int]() }
      var ofReader = readers.map { _ in [Int]() }
      func removePair(_ book: Int, _ reader: Int) {
        ofBook[book].removeAll { $0 == reader }
        ofReader[reader].removeAll { $0 == book }
      }
      for step in 0..<150 {
        let (book, reader) = (dice.roll(books.count), dice.roll(readers.count))
        let isPair = ofBook[book].contains(reader)
        switch dice.roll(6) {
        case 0...1 where !isPair:
          let index = dice.roll(ofBook[book].count + 1)
          books[book]._insert(readers[reader], into: Self.readers, at: index)
          ofBook[book].insert(reader, at: index)
          ofReader[reader].append(book)
        case 2 where !isPair:
          let index = dice.roll(ofReader[reader].count + 1)
          readers[reader].mutable().insert(books[book], at: index)
          ofReader[reader].insert(book, at: index)
          ofBook[book].append(reader)
        case 3 where isPair:
          readers[reader]._remove(books[book], from: Self.key)
          removePair(book, reader)
        case 4 where !ofReader[reader].isEmpty:
          let count = ofReader[reader].count
          let (from, to) = (dice.roll(count), dice.roll(count))
          readers[reader].mutable().moveObjects(at: IndexSet(integer: from), to: to)
          ofReader[reader].insert(ofReader[reader].remove(at: from), at: to)
        case 5: try context.save()
        default: break
        }
        #expect(books[book].list("readers") == ofBook[book].map { readers[$0] }, "step \(step)")
        #expect(readers[reader].list("books") == ofReader[reader].map { books[$0] }, "step \(step)")
      }
      try context.save()
      for (book, members) in zip(books, ofBook) {
        #expect(
          try stack.stored("Book", book.string("name") ?? "", "readers")
            == members.compactMap { readers[$0].string("name") }.joined())
      }
      for (reader, members) in zip(readers, ofReader) {
        #expect(
          try stack.stored("Reader", reader.string("name") ?? "")
            == members.compactMap { books[$0].string("name") }.joined())
      }
    }
  }

  // S4.4
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func aChildPushesEachOrder(seed: UInt64) throws {
    let stack = try TestStack(.file, model: Library.model())
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    var dice = Dice(state: seed)
    let id = try parent.performAndWait { try parent.seedShelf("abc").objectID }
    for step in 0..<40 {
      var letters = ""
      try child.performAndWait {
        let shelf = child.object(with: id)
        for change in 0..<3 {
          let count = shelf.list("books").count
          switch dice.roll(4) {
          case 0: shelf._insert(child.make("Book", "<\(step).\(change)>"), into: Self.key, at: dice.roll(count + 1))
          case 1: child.make("Book", "<\(step).\(change)>").setValue(shelf, forKey: "shelf")
          case 2 where count > 0: shelf._remove(from: Self.key, at: dice.roll(count))
          case 3 where count > 0: shelf.mutable().moveObjects(at: [dice.roll(count)], to: dice.roll(count))
          default: break
          }
        }
        letters = shelf.row()
        try child.save()
        #expect(shelf.row() == letters)
        if dice.roll(3) == 0 { child.refresh(shelf, mergeChanges: false) }
      }
      try parent.performAndWait {
        #expect(parent.object(with: id).row() == letters, "step \(step)")
        if dice.roll(3) == 0 { try parent.save() }
      }
    }
    try parent.performAndWait {
      try parent.save()
      #expect(try stack.stored("Shelf", "shelf") == parent.object(with: id).row())
    }
  }
}
