import SQLite
import Testing

@testable import Checking

/// Stores as a killed process leaves them, whole and broken.
struct ChainAuditTests {
  /// One client's part after a save.
  private func contents(after last: Int64, client: Int64 = 0) -> ChainContents {
    ChainContents(after: last, of: SaveChain(client: client))
  }

  private func kinds(_ chain: SaveChain, _ contents: ChainContents) -> [ViolationKind] {
    ChainAudit([chain], contents).violations.map(\.kind)
  }

  @Test func theLastAcknowledgedSaveAndTheOneUnderWayAreBothRight() {
    let chain = SaveChain(client: 0, acknowledged: 20, begun: 21)
    #expect(kinds(chain, contents(after: 20)).isEmpty)
    #expect(kinds(chain, contents(after: 21)).isEmpty)
    #expect(ChainAudit([chain], contents(after: 21)).found == [0: 21])
    #expect(kinds(SaveChain(client: 0, begun: 1), ChainContents(notes: [:])).isEmpty)
  }

  @Test func anAcknowledgedSaveThatIsMissingIsLost() {
    let chain = SaveChain(client: 0, acknowledged: 20, begun: 21)
    let violations = ChainAudit([chain], contents(after: 18)).violations
    #expect(violations.map(\.kind) == [.durabilityLost])
    #expect(violations.map(\.count) == [2])
    #expect(kinds(SaveChain(client: 0, acknowledged: 1, begun: 1), ChainContents(notes: [:])) == [.durabilityLost])
  }

  @Test func aSaveThatWasNeverBegunIsNoSave() {
    #expect(kinds(SaveChain(client: 0, acknowledged: 20, begun: 21), contents(after: 22)) == [.storeCorruption])
  }

  @Test func halfASaveIsTorn() {
    let chain = SaveChain(client: 0, acknowledged: 20, begun: 20)
    let whole = contents(after: 20)
    var half = whole
    half.notes[chain.note(of: 20)]?.words.removeLast()
    #expect(kinds(chain, half) == [.tornRead])
    half = whole
    half.notes[chain.note(of: 20)] = nil
    #expect(kinds(chain, half) == [.tornRead])
    half = whole
    half.notes[chain.note(of: 8)] = ChainContents.Note(title: SaveChain.title(of: 8), revision: 1, words: [])
    #expect(kinds(chain, half) == [.tornRead], "what the save deleted is still there")
    half = whole
    half.notes[chain.marker]?.title = SaveChain.title(of: 19)
    #expect(kinds(chain, half) == [.tornRead])
    half = whole
    half.notes[chain.marker] = nil
    #expect(kinds(chain, half) == [.durabilityLost, .tornRead])
  }

  @Test func rowsOfNoSaveAreTorn() {
    var contents = contents(after: 3)
    contents.strays = 1
    let chain = SaveChain(client: 0, acknowledged: 3, begun: 3)
    #expect(kinds(chain, contents) == [.tornRead])
    contents = self.contents(after: 3)
    contents.notes.merge(self.contents(after: 2, client: 5).notes) { first, _ in first }
    #expect(kinds(chain, contents) == [.tornRead])
  }

  /// A store's file with the saves of two clients.
  private func file(in directory: TemporaryDirectory) throws -> (path: String, connection: Connection) {
    let path = directory.file("store.sqlite")
    let connection = try Connection(path: path)
    try connection.execute(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZNUMBER INTEGER, ZTITLE VARCHAR, ZREVISION INTEGER);
      CREATE TABLE ZWORD (Z_PK INTEGER PRIMARY KEY, ZNUMBER INTEGER, ZNOTE INTEGER);
      """)
    for client in 0...1 as ClosedRange<Int64> {
      for (number, note) in contents(after: 15, client: client).notes {
        try connection.execute(
          "INSERT INTO ZNOTE(ZNUMBER, ZTITLE, ZREVISION) VALUES (\(number), '\(note.title)', \(note.revision))")
        for word in note.words {
          try connection.execute("INSERT INTO ZWORD(ZNUMBER, ZNOTE) SELECT \(word), max(Z_PK) FROM ZNOTE")
        }
      }
    }
    return (path, connection)
  }

  @Test(arguments: [
    ("", [ViolationKind]()),
    ("DELETE FROM ZWORD WHERE ZNUMBER = 60", [.tornRead]),
    ("DELETE FROM ZNOTE WHERE ZNUMBER = 15; DELETE FROM ZWORD WHERE ZNUMBER BETWEEN 60 AND 63", [.tornRead]),
    ("DELETE FROM ZNOTE WHERE ZNUMBER = 15", [.tornRead, .tornRead]),
    ("UPDATE ZNOTE SET ZREVISION = 14, ZTITLE = 'save 14' WHERE ZNUMBER = 0", [.durabilityLost, .tornRead]),
  ])
  func aFileWithARowRemovedIsFound(damage: String, kinds: [ViolationKind]) throws {
    let directory = try TemporaryDirectory()
    let (path, connection) = try file(in: directory)
    try connection.execute(damage)
    let chains = [0, 1].map { SaveChain(client: $0, acknowledged: 15, begun: 15) }
    #expect(ChainAudit(chains, try ChainContents(storeAt: path)).violations.map(\.kind) == kinds)
  }

  @Test func aFileThatIsGoneIsUnusable() throws {
    let directory = try TemporaryDirectory()
    #expect(throws: Unusable.self) { try ChainContents(storeAt: directory.file("none")) }
  }
}
