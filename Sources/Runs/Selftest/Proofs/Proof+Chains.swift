import Checking

extension Proof {
  private static let saves = SaveChain(client: 0, acknowledged: 20, begun: 21)

  private static func kinds(_ contents: ChainContents, _ chain: SaveChain = saves) -> [ViolationKind] {
    ChainAudit([chain], contents).violations.map(\.kind)
  }

  /// A case of a store that was changed after save 20.
  private static func torn(_ name: String, _ change: @escaping @Sendable (inout ChainContents) -> Void) -> Proof {
    Proof(rule: "save-chains", "torn: \(name)") {
      var contents = ChainContents(after: 20, of: saves)
      change(&contents)
      return kinds(contents) == [.tornRead]
    }
  }

  private static func inFile(_ words: String) throws -> [ViolationKind] {
    try StandInFile.withStore(
      """
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZNUMBER INTEGER, ZTITLE VARCHAR, ZREVISION INTEGER);
      CREATE TABLE ZWORD (ZNUMBER INTEGER, ZNOTE INTEGER);
      INSERT INTO ZNOTE VALUES (1, 0, 'save 1', 1), (2, 1, 'save 1', 1);
      INSERT INTO ZWORD VALUES (4, 2), (5, 2), (6, 2), (7, 2);
      \(words)
      """
    ) { path in kinds(try ChainContents(storeAt: path), SaveChain(client: 0, acknowledged: 1, begun: 1)) }
  }

  /// Comparisons of a store with the acknowledged saves of a killed process.
  static let chains: [Proof] = [
    Proof(rule: "save-chains", "held: the last save that was acknowledged") {
      kinds(ChainContents(after: 20, of: saves)).isEmpty
    },
    Proof(rule: "save-chains", "held: the save that was under way") {
      kinds(ChainContents(after: 21, of: saves)).isEmpty
    },
    Proof(rule: "save-chains", "held: nothing, of which nothing was acknowledged") {
      kinds(ChainContents(notes: [:]), SaveChain(client: 0, begun: 1)).isEmpty
    },
    Proof(rule: "save-chains", "lost: a save that was acknowledged") {
      kinds(ChainContents(after: 19, of: saves)) == [.durabilityLost]
    },
    Proof(rule: "save-chains", "corrupt: a save that was never begun") {
      kinds(ChainContents(after: 22, of: saves)) == [.storeCorruption]
    },
    Proof(rule: "save-chains", "torn: a note without a marker") {
      let note = ChainContents.Note(title: SaveChain.title(of: 1), revision: 1, words: [])
      return kinds(ChainContents(notes: [1: note]), SaveChain(client: 0, begun: 1)) == [.tornRead]
    },
    torn("the marker has another title") { $0.notes[0]?.title = SaveChain.title(of: 19) },
    torn("the latest note is missing") { $0.notes[20] = nil },
    torn("the latest note is missing, and as many are there") {
      $0.notes[20] = nil
      $0.notes[8] = ChainContents.Note(title: SaveChain.title(of: 8), revision: 1, words: [])
    },
    torn("a note has another title") { $0.notes[15]?.title = SaveChain.title(of: 14) },
    torn("a note lacks a word") { $0.notes[20]?.words.removeLast() },
    torn("a note that was deleted is there") {
      $0.notes[8] = ChainContents.Note(title: SaveChain.title(of: 8), revision: 1, words: [])
    },
    torn("a row of no client is there") {
      $0.notes[SaveChain.numbersPerClient] = ChainContents.Note(title: "", revision: 1, words: [])
    },
    torn("a row has no place") { $0.strays = 1 },
    Proof(rule: "save-chains", "held: a file after its save") { try inFile("").isEmpty },
    Proof(rule: "save-chains", "torn: a file with a word of no note") {
      try inFile("INSERT INTO ZWORD VALUES (8, 77)") == [.tornRead]
    },
    Proof(rule: "save-chains", "torn: a file with a note twice") {
      try inFile("INSERT INTO ZNOTE VALUES (3, 0, 'save 1', 1)") == [.tornRead]
    },
  ]
}
