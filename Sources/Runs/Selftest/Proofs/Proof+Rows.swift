import Checking

extension Proof {
  private static let inserted = "w0 invoke insert Note 0..<2\nw0 ok insert Note 0..<2"
  private static let again = "w1 invoke insert Note 1\nw1 ok insert Note 1\n"
  private static let owned = "w1 invoke insert Word 8\nw1 ok insert Word 8 = 1\n"
  private static let deletedBefore = "w2 invoke delete Note 1\nw2 ok delete Note 1\n"
  private static let relogin =
    inserted + """

      w1 invoke insert Note 0..<2
      w2 invoke delete Note 0..<2
      w1 ok insert Note 0..<2
      w2 ok delete Note 0..<2
      """
  private static let pushed = "w0 invoke insert Note 1\nw0 ok push Note 1\nw0 info insert Note 1"
  private static let asked = """
    w1 invoke find-or-create Note 7
    w2 invoke find-or-create Note 7
    w1 ok find-or-create Note 7 p3
    """

  /// Checkers of rows: which are there, how often, with which owners and references.
  static let rows: [Proof] =
    lost + doubled + related + [
      Proof(UnpersistedSaveChecker(), .violated, [.unpersistedSave], of: "a push without its row") {
        try .proof(pushed)
      },
      Proof(UnpersistedSaveChecker(), .held, of: "a push with its row") { try .proof(pushed, notes: .keys(1)) },
      Proof(UnpersistedSaveChecker(), .notExercised, of: "no push") { try .proof(inserted, notes: .keys(0, 1)) },
      Proof(UnpersistedSaveChecker(), .unknown, of: "a push without its row in a cell that was cut short") {
        try .proof(pushed) { $0.parameters.isComplete = false }
      },
      Proof(StoreCorruptionChecker(), .violated, [.storeCorruption], of: "a damaged file") {
        try .proof {
          let damage = StoreCondition.Damage(.integrity, "ZNOTE", expected: "whole", seen: "not whole", count: 1)
          $0.condition = .success(StoreCondition(rows: 1, damages: [damage]))
        }
      },
      Proof(StoreCorruptionChecker(), .held, of: "a whole file") { try .proof() },
      Proof(StoreCorruptionChecker(), .notExercised, of: "an empty file") {
        try .proof { $0.condition = .success(StoreCondition(rows: 0)) }
      },
      Proof(StoreCorruptionChecker(), .unknown, of: "no file") { try .unusable() },
    ]

  private static let lost: [Proof] = [
    Proof(LostRecordChecker(), .violated, [.lostRecord], of: "an acknowledged row that is not there") {
      try .proof(inserted, notes: .keys(0))
    },
    Proof(LostRecordChecker(), .held, of: "acknowledged rows that are there") {
      try .proof(inserted, notes: .keys(0, 1))
    },
    Proof(LostRecordChecker(), .held, of: "a row that an indeterminate delete may have taken") {
      try .proof(inserted + "\nw1 invoke delete Note 1\nw1 info delete Note 1", notes: .keys(0))
    },
    Proof(LostRecordChecker(), .violated, [.lostRecord], of: "a row that was inserted again after its delete") {
      try .proof(deletedBefore + again, notes: .keys(0))
    },
    Proof(LostRecordChecker(), .held, of: "a row that a delete may have taken after its last insert") {
      try .proof(again + deletedBefore, notes: .keys(0))
    },
    Proof(LostRecordChecker(), .held, of: "a row whose delete was under way when it was inserted again") {
      try .proof("w2 invoke delete Note 1\n" + again + "w2 ok delete Note 1", notes: .keys(0))
    },
    Proof(LostRecordChecker(), .held, of: "a word that went with its note") {
      try .proof(owned + deletedBefore, notes: .keys(0))
    },
    Proof(LostRecordChecker(), .violated, [.lostRecord], of: "a word whose note was deleted before") {
      try .proof(deletedBefore + again + owned, notes: .keys(0, 1))
    },
    Proof(LostRecordChecker(), .notExercised, of: "no acknowledged insert") { try .proof() },
    Proof(LostRecordChecker(), .unknown, of: "no file") {
      try .proof(inserted) { $0.store = .failure(Unusable("none")) }
    },
    Proof(RowBalanceChecker(), .violated, [.lostRecord], of: "a new row that went with the old one") {
      try .proof(relogin, notes: .keys(0))
    },
    Proof(RowBalanceChecker(), .violated, [.duplicateRecord], of: "an old row that stayed") {
      try .proof(relogin, notes: .keys(0, 1, 1))
    },
    Proof(RowBalanceChecker(), .held, of: "one row of each key") { try .proof(relogin, notes: .keys(0, 1)) },
    Proof(RowBalanceChecker(), .notExercised, of: "no key that came again") {
      try .proof(inserted, notes: .keys(0, 1))
    },
    Proof(RowBalanceChecker(), .unknown, of: "no file") { try .unusable() },
    Proof(SetChecker(), .violated, [.lostRecord], of: "an acknowledged row that is not there") {
      try .proof(inserted, notes: .keys(0))
    },
    Proof(SetChecker(), .violated, [.duplicateRecord], of: "a row that is there twice") {
      try .proof(inserted, notes: .keys(0, 1, 1))
    },
    Proof(SetChecker(), .violated, [.dirtyRead], of: "a refused row that is there") {
      try .proof(inserted + "\nw1 invoke insert Note 5\nw1 fail insert Note 5", notes: .keys(0, 1, 5))
    },
    Proof(SetChecker(), .held, of: "the rows that were acknowledged") { try .proof(inserted, notes: .keys(0, 1)) },
    Proof(SetChecker(), .notExercised, of: "no acknowledged insert") { try .proof() },
    Proof(SetChecker(), .unknown, of: "no file") { try .unusable() },
  ]

  private static let doubled: [Proof] = [
    Proof(DuplicateRecordChecker(), .violated, [.duplicateRecord], of: "a key with two rows") {
      try .proof(notes: .keys(1, 1))
    },
    Proof(DuplicateRecordChecker(), .held, of: "keys with one row each") { try .proof(notes: .keys(1, 2)) },
    Proof(DuplicateRecordChecker(), .notExercised, of: "no rows") { try .proof() },
    Proof(DuplicateRecordChecker(), .unknown, of: "no file") { try .unusable() },
    Proof(FindOrCreateChecker(), .violated, [.duplicateRecord], of: "a key with another row for every client") {
      try .proof(asked + "\nw2 ok find-or-create Note 7 p4", notes: .keys(7))
    },
    Proof(FindOrCreateChecker(), .held, of: "a key that is one row for all") {
      try .proof(asked + "\nw2 ok find-or-create Note 7 p3", notes: .keys(7))
    },
    Proof(FindOrCreateChecker(), .notExercised, of: "keys that one asks for") {
      try .proof("w1 invoke find-or-create Note 7\nw1 ok find-or-create Note 7 p3", notes: .keys(7))
    },
    Proof(FindOrCreateChecker(), .unknown, of: "no history") { try .unusable() },
  ]

  private static let related: [Proof] = [
    Proof(OrphanRecordChecker(), .violated, [.orphanRecord], of: "a word without its note") {
      try .proof(words: EntityRows(keys: [1, 2], orphans: [2]))
    },
    Proof(OrphanRecordChecker(), .held, of: "words with their notes") {
      try .proof(words: EntityRows(keys: [1], orphans: []))
    },
    Proof(OrphanRecordChecker(), .notExercised, of: "no words") { try .proof() },
    Proof(OrphanRecordChecker(), .unknown, of: "no file") { try .unusable() },
    Proof(DanglingReferenceChecker(), .violated, [.danglingReference], of: "a reference to no row") {
      try .proof {
        $0.store = .success(StoreContents(rows: [:], references: [ReferenceRows(name: "r", count: 2, dangling: [7])]))
      }
    },
    Proof(DanglingReferenceChecker(), .held, of: "references to rows") {
      try .proof { $0.store = .success(StoreContents(rows: [:], references: [ReferenceRows(name: "r", count: 2)])) }
    },
    Proof(DanglingReferenceChecker(), .notExercised, of: "no references") { try .proof() },
    Proof(DanglingReferenceChecker(), .unknown, of: "no file") { try .unusable() },
  ]
}
