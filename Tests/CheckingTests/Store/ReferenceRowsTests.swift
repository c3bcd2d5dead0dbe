import Foundation
import SQLite
import Testing

@testable import Checking

struct ReferenceRowsTests {
  let directory: TemporaryDirectory
  let connection: Connection

  /// Folders in folders with a cover each, documents in folders, and their tags.
  private static let layout = StoreLayout(
    entities: [
      EntityLayout(
        number: 1, name: "Cover", table: "ZCOVER", keyColumn: "ZNUMBER",
        references: [
          ReferenceLayout(
            name: "folder", column: "ZFOLDER", table: "ZFOLDER", entities: [2], need: .required,
            inverseColumn: "ZCOVER")
        ]),
      EntityLayout(
        number: 2, name: "Folder", table: "ZFOLDER", keyColumn: "ZNUMBER",
        references: [
          ReferenceLayout(
            name: "parent", column: "ZPARENT", table: "ZFOLDER", entities: [2],
            need: .requiredWhere(column: "ZDEPTH")),
          ReferenceLayout(
            name: "cover", column: "ZCOVER", table: "ZCOVER", entities: [1], inverseColumn: "ZFOLDER"),
          ReferenceLayout(
            name: "target", column: "ZTARGET", entityColumn: "Z1_TARGET", table: "ZCOVER", entities: [1, 5]),
        ]),
    ],
    joins: [
      JoinLayout(
        name: "Folder.covers", table: "Z_2COVERS", owner: .init(column: "Z_2FOLDERS", table: "ZFOLDER", entities: [2]),
        member: .init(column: "Z_1COVERS", table: "ZCOVER", entities: [1])),
      JoinLayout(
        name: "Folder.friends", table: "Z_2FRIENDS", owner: .init(column: "REFLEXIVE", table: "ZFOLDER"),
        member: .init(column: "Z_2FRIENDS", table: "ZFOLDER"), isReflexive: true),
    ])

  init() throws {
    directory = try TemporaryDirectory()
    connection = try Connection(path: directory.file("store.sqlite"))
    try connection.execute(
      """
      CREATE TABLE ZCOVER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNUMBER INTEGER, ZFOLDER INTEGER);
      CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZNUMBER INTEGER, ZDEPTH INTEGER,
        ZPARENT INTEGER, ZCOVER INTEGER, ZTARGET INTEGER, Z1_TARGET INTEGER);
      CREATE TABLE Z_2COVERS (Z_2FOLDERS INTEGER, Z_1COVERS INTEGER);
      CREATE TABLE Z_2FRIENDS (REFLEXIVE INTEGER, Z_2FRIENDS INTEGER);
      INSERT INTO ZFOLDER (Z_PK, Z_ENT, ZNUMBER, ZDEPTH, ZPARENT, ZCOVER) VALUES
        (1, 2, 10, 0, NULL, 1), (2, 2, 20, 1, 1, NULL), (3, 2, 30, 2, 2, 3);
      INSERT INTO ZCOVER VALUES (1, 1, 100, 1), (3, 1, 300, 3);
      INSERT INTO Z_2COVERS VALUES (1, 1), (2, 3);
      INSERT INTO Z_2FRIENDS VALUES (1, 2), (2, 1);
      """)
  }

  private func references() throws -> [String: ReferenceRows] {
    let contents = try StoreContents(storeAt: directory.file("store.sqlite"), layout: Self.layout)
    return Dictionary(uniqueKeysWithValues: contents.references.map { ($0.name, $0) })
  }

  @Test func relationshipsThatLeadToRowsAndBackAreFine() throws {
    #expect(
      try references() == [
        "Cover.folder": ReferenceRows(name: "Cover.folder", count: 2, comparedCount: 2),
        "Folder.parent": ReferenceRows(name: "Folder.parent", count: 2),
        "Folder.cover": ReferenceRows(name: "Folder.cover", count: 2, comparedCount: 2),
        "Folder.target": ReferenceRows(name: "Folder.target", count: 0),
        "Folder.covers": ReferenceRows(name: "Folder.covers", count: 2),
        "Folder.friends": ReferenceRows(name: "Folder.friends", count: 2, comparedCount: 2),
      ])
  }

  @Test func anOwnerIsNeededOnlyWhereTheColumnSaysSo() throws {
    try connection.execute("UPDATE ZFOLDER SET ZPARENT = NULL WHERE Z_PK IN (1, 3)")
    #expect(try references()["Folder.parent"]?.orphans == [30])
  }

  @Test func aRowWhoseOwnerIsGoneIsAnOrphanAndNotDangling() throws {
    try connection.execute("UPDATE ZFOLDER SET ZPARENT = 77 WHERE Z_PK = 3")
    #expect(try references()["Folder.parent"] == ReferenceRows(name: "Folder.parent", count: 2, orphans: [30]))
    let contents = try StoreContents(storeAt: directory.file("store.sqlite"), layout: Self.layout)
    #expect(contents.rows[2]?.orphans == [30])
  }

  @Test func aReferenceThatLeadsNowhereIsFound() throws {
    try connection.execute("UPDATE ZFOLDER SET ZTARGET = 77, Z1_TARGET = 1 WHERE Z_PK = 2")
    #expect(try references()["Folder.target"]?.dangling == [20])
  }

  @Test func aReferenceToARowOfAnotherEntityIsFound() throws {
    try connection.execute("UPDATE ZFOLDER SET ZTARGET = 3, Z1_TARGET = 5 WHERE Z_PK = 2")
    #expect(try references()["Folder.target"]?.dangling == [20])
    try connection.execute(
      "UPDATE ZCOVER SET Z_ENT = 9 WHERE Z_PK = 3; UPDATE ZFOLDER SET Z1_TARGET = 9 WHERE Z_PK = 2")
    #expect(try references()["Folder.target"]?.dangling == [20])
  }

  @Test func aOneToOneWhoseOtherSideLeadsElsewhereIsFound() throws {
    try connection.execute("UPDATE ZFOLDER SET ZCOVER = 3 WHERE Z_PK = 2")
    #expect(try references()["Folder.cover"]?.asymmetric == [20])
    #expect(try references()["Cover.folder"]?.asymmetric == [])
    try connection.execute("UPDATE ZFOLDER SET ZCOVER = NULL WHERE Z_PK IN (2, 3)")
    #expect(try references()["Cover.folder"]?.asymmetric == [300])
  }

  @Test func pairsOfAJoinTableWithoutARowAreFound() throws {
    try connection.execute("INSERT INTO Z_2COVERS VALUES (3, 77), (88, 1)")
    #expect(try references()["Folder.covers"]?.dangling == [3, 88])
  }

  @Test func aPairOfAReflexiveRelationshipIsThereInBothOrders() throws {
    try connection.execute("DELETE FROM Z_2FRIENDS WHERE REFLEXIVE = 2")
    #expect(try references()["Folder.friends"]?.asymmetric == [1])
  }

  @Test func aColumnThatIsNotThereIsUnusable() throws {
    var layout = Self.layout
    layout.entities[1].references[0].column = "ZNOWHERE"
    #expect(throws: Unusable.self) { try StoreContents(storeAt: directory.file("store.sqlite"), layout: layout) }
  }
}
