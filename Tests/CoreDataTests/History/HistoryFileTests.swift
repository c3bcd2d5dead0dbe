import RowStore
import SQLite
import Testing

@testable import CoreData

/// The history as a file has it.
@Suite struct HistoryFileTests {
  // S10.4
  @Test func theTablesAreApples() throws {
    let model = Notebook.model()
    model.entitiesByName["Note"]?.attributesByName["title"]?.preservesValueInHistoryOnDeletion = true
    let stack = try TestStack.withHistory(.file, model: model)
    #expect(
      try stack.sql(
        "SELECT sql FROM sqlite_master WHERE tbl_name GLOB 'A*' AND sql IS NOT NULL ORDER BY type DESC, name"
      )
      .prefix(3) == [
        "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
          + "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB )",
        "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
          + "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
          + "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
        "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
      ])
    #expect(
      try stack.sql("SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name GLOB 'A*' ORDER BY name") == [
        "ACHANGE_ZTRANSACTIONID_INDEX", "ATRANSACTION_ZAUTHORTS_INDEX", "ATRANSACTION_ZBUNDLEIDTS_INDEX",
        "ATRANSACTION_ZCONTEXTNAMETS_INDEX", "ATRANSACTION_ZPROCESSIDTS_INDEX",
        "Z_TRANSACTIONSTRING_UNIQUE_NAME", "Z_TRANSACTION_TransactionAuthorIndex",
        "Z_TRANSACTION_TransactionTimestampIndex",
      ])
    // The numbers come with the first save.
    let numbers = "SELECT Z_ENT || Z_NAME || Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY 1"
    #expect(try stack.sql(numbers).isEmpty)
    try stack.seed(1...3)
    #expect(
      try stack.sql(numbers).dropLast() == ["16001CHANGE3", "16002TRANSACTION1"])
    #expect(
      try stack.sql(
        "SELECT Z_PK || Z_ENT || ifnull(Z_OPT, '-') || ZCHANGETYPE || ZENTITY || ZENTITYPK || ZTRANSACTIONID "
          + "|| ifnull(ZCOLUMNS, '-') FROM ACHANGE") == ["116001-0111-", "216001-0121-", "316001-0131-"])
    #expect(try stack.sql("SELECT ZAUTHORTS FROM ATRANSACTION") == ["NULL"])
  }

  // S10.4
  @Test func aBitStandsForEachColumn() throws {
    let stack = try TestStack.withHistory(.file, model: Zoo.model())
    try stack.change { context in
      context.insert("Keeper", ["name": "k"])
      context.insert("Lion", ["name": "l"])
      context.insert("Cat", ["name": "c"])
    }
    let columns = "SELECT hex(ZCOLUMNS) FROM ACHANGE WHERE ZENTITYPK = 1 AND ZTRANSACTIONID = "
    try stack.change { try $0.all("Keeper")[0].setValue("new", forKey: "name") }
    // badge, favourite, favourite's entity, name, then to-many relationships.
    #expect(try stack.sql(columns + "2") == ["10"])
    try stack.change { context in
      try context.all("Keeper")[0].setValue(try context.all("Lion")[0], forKey: "favourite")
    }
    #expect(try stack.sql(columns + "3 AND ZENTITY = 6") == ["60"])
    try stack.change { context in
      try context.all("Keeper")[0].setValue(try context.named("Cat", "c"), forKey: "favourite")
    }
    #expect(try stack.sql(columns + "4 AND ZENTITY = 6") == ["60"])
    // Inherited first: keeper, legs, name, weight, then those of cats and of lions.
    try stack.change { context in
      let lion = try context.all("Lion")[0]
      lion.setValue(3, forKey: "legs")
      lion.setValue(9, forKey: "lives")
      lion.setValue(1, forKey: "pride")
    }
    #expect(try stack.sql("SELECT hex(ZCOLUMNS) FROM ACHANGE WHERE ZTRANSACTIONID = 5") == ["4A"])
  }

  // S10.4: the order that a store of Apple's Notes shows.
  @Test func toManyRelationshipsAreInTheOrderOfAHash() {
    let names = ["assetSignatures", "attachments", "inlineAttachments", "participants"]
    #expect(
      HashedOrder(names, further: 70).names.filter(names.contains) == [
        "attachments", "participants", "assetSignatures", "inlineAttachments",
      ])
    #expect(
      HashedOrder(["assetSignatures", "children", "notes"], further: 50).names.filter { !$0.hasPrefix("Z_") } == [
        "children", "notes", "assetSignatures",
      ])
  }

  // S10.1
  @Test func aStoreWithHistoryIsOnlyReadWithoutTheOption() throws {
    let stack = try TestStack.withHistory(.file)
    try stack.seed(1...1)
    let plain = try TestStack(url: stack.url)
    #expect(plain.container.persistentStoreCoordinator.persistentStores[0].isReadOnly)
    #expect(cocoaCode { try plain.seed(2...2) } == NSPersistentStoreSaveError)
    let context = plain.context()
    try context.performAndWait { () throws in #expect(try context.notes().count == 1) }
    _ = try stack.history(.deleteHistory(before: Date.distantFuture))
    let released = try TestStack(url: stack.url)
    try released.seed(2...2)
    #expect(try stack.transactions().isEmpty)
  }

  // S10.1
  @Test func aStoreMadeWithoutHistoryGetsOne() throws {
    let plain = try TestStack(.file)
    try plain.seed(1...2)
    let stack = try TestStack.withHistory(url: plain.url)
    #expect(try stack.transactions().isEmpty)
    try stack.change { try $0.note(2).title = "t" }
    #expect(try stack.changes(1) == ["update Note 2 title"])
  }

  // S10.1
  @Test func coordinatorsContinueOneHistory() throws {
    let first = try TestStack.withHistory(.file)
    let second = try TestStack.withHistory(url: first.url)
    for round in 1...3 {
      for (stack, author) in [(first, "first"), (second, "second"), (second, "shared"), (first, "shared")] {
        let context = stack.context(author)
        try context.performAndWait {
          context.transactionAuthor = author
          context.insertNote(Int64(round))
          try context.save()
        }
      }
    }
    let transactions = try first.transactions()
    #expect(transactions.map(\.transactionNumber) == Array(1...12))
    #expect(transactions.map(\.author) == (1...3).flatMap { _ in ["first", "second", "shared", "shared"] })
    #expect(try first.sql("SELECT count(*) - count(DISTINCT ZNAME) FROM ATRANSACTIONSTRING") == ["0"])
    #expect(try second.token() == first.token())
    try first.expectHistoryGivesTheFile()
  }

  // S10.1
  @Test func timeNeverGoesBack() throws {
    let stack = try TestStack.withHistory(.file)
    try stack.seed(1...1)
    try Connection.write(stack.url, "UPDATE ATRANSACTION SET ZTIMESTAMP = 99999999999")
    try stack.seed(2...2)
    #expect(try stack.sql("SELECT ZTIMESTAMP FROM ATRANSACTION") == ["99999999999.0", "99999999999.0"])
  }
}
