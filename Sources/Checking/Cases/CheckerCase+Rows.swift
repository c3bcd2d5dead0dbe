extension CheckerCase {
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
  static let rows: [CheckerCase] =
    lost + doubled + related + [
      CheckerCase(UnpersistedSaveChecker(), .violated, [.unpersistedSave], of: "a push without its row") {
        try .sample(pushed)
      },
      CheckerCase(UnpersistedSaveChecker(), .held, of: "a push with its row") { try .sample(pushed, notes: .keys(1)) },
      CheckerCase(UnpersistedSaveChecker(), .notExercised, of: "no push") { try .sample(inserted, notes: .keys(0, 1)) },
      CheckerCase(UnpersistedSaveChecker(), .unknown, of: "a push without its row in a cell that was cut short") {
        try .sample(pushed) { $0.parameters.isComplete = false }
      },
      CheckerCase(StoreCorruptionChecker(), .violated, [.storeCorruption], of: "a damaged file") {
        try .sample {
          let damage = StoreCondition.Damage(.integrity, "ZNOTE", expected: "whole", seen: "not whole", count: 1)
          $0.condition = .success(StoreCondition(rows: 1, damages: [damage]))
        }
      },
      CheckerCase(StoreCorruptionChecker(), .held, of: "a whole file") { try .sample() },
      CheckerCase(StoreCorruptionChecker(), .notExercised, of: "an empty file") {
        try .sample { $0.condition = .success(StoreCondition(rows: 0)) }
      },
    ]

  private static let lost: [CheckerCase] = [
    CheckerCase(LostRecordChecker(), .violated, [.lostRecord], of: "an acknowledged row that is not there") {
      try .sample(inserted, notes: .keys(0))
    },
    CheckerCase(LostRecordChecker(), .held, of: "acknowledged rows that are there") {
      try .sample(inserted, notes: .keys(0, 1))
    },
    CheckerCase(LostRecordChecker(), .held, of: "a row that an indeterminate delete may have taken") {
      try .sample(inserted + "\nw1 invoke delete Note 1\nw1 info delete Note 1", notes: .keys(0))
    },
    CheckerCase(LostRecordChecker(), .violated, [.lostRecord], of: "a row that was inserted again after its delete") {
      try .sample(deletedBefore + again, notes: .keys(0))
    },
    CheckerCase(LostRecordChecker(), .held, of: "a row that a delete may have taken after its last insert") {
      try .sample(again + deletedBefore, notes: .keys(0))
    },
    CheckerCase(LostRecordChecker(), .held, of: "a row whose delete was under way when it was inserted again") {
      try .sample("w2 invoke delete Note 1\n" + again + "w2 ok delete Note 1", notes: .keys(0))
    },
    CheckerCase(LostRecordChecker(), .held, of: "a word that went with its note") {
      try .sample(owned + deletedBefore, notes: .keys(0))
    },
    CheckerCase(LostRecordChecker(), .violated, [.lostRecord], of: "a word whose note was deleted before") {
      try .sample(deletedBefore + again + owned, notes: .keys(0, 1))
    },
    CheckerCase(LostRecordChecker(), .notExercised, of: "no acknowledged insert") { try .sample() },
    CheckerCase(RowBalanceChecker(), .violated, [.lostRecord], of: "a new row that went with the old one") {
      try .sample(relogin, notes: .keys(0))
    },
    CheckerCase(RowBalanceChecker(), .violated, [.duplicateRecord], of: "an old row that stayed") {
      try .sample(relogin, notes: .keys(0, 1, 1))
    },
    CheckerCase(RowBalanceChecker(), .held, of: "one row of each key") { try .sample(relogin, notes: .keys(0, 1)) },
    CheckerCase(RowBalanceChecker(), .notExercised, of: "no key that came again") {
      try .sample(inserted, notes: .keys(0, 1))
    },
    CheckerCase(SetChecker(), .violated, [.lostRecord], of: "an acknowledged row that is not there") {
      try .sample(inserted, notes: .keys(0))
    },
    CheckerCase(SetChecker(), .violated, [.duplicateRecord], of: "a row that is there twice") {
      try .sample(inserted, notes: .keys(0, 1, 1))
    },
    CheckerCase(SetChecker(), .violated, [.dirtyRead], of: "a refused row that is there") {
      try .sample(inserted + "\nw1 invoke insert Note 5\nw1 fail insert Note 5", notes: .keys(0, 1, 5))
    },
    CheckerCase(SetChecker(), .held, of: "the rows that were acknowledged") {
      try .sample(inserted, notes: .keys(0, 1))
    },
    CheckerCase(SetChecker(), .notExercised, of: "no acknowledged insert") { try .sample() },
  ]

  private static let doubled: [CheckerCase] = [
    CheckerCase(DuplicateRecordChecker(), .violated, [.duplicateRecord], of: "a key with two rows") {
      try .sample(notes: .keys(1, 1))
    },
    CheckerCase(DuplicateRecordChecker(), .held, of: "keys with one row each") { try .sample(notes: .keys(1, 2)) },
    CheckerCase(DuplicateRecordChecker(), .notExercised, of: "no rows") { try .sample() },
    CheckerCase(FindOrCreateChecker(), .violated, [.duplicateRecord], of: "a key with another row for every client") {
      try .sample(asked + "\nw2 ok find-or-create Note 7 p4", notes: .keys(7))
    },
    CheckerCase(FindOrCreateChecker(), .held, of: "a key that is one row for all") {
      try .sample(asked + "\nw2 ok find-or-create Note 7 p3", notes: .keys(7))
    },
    CheckerCase(FindOrCreateChecker(), .notExercised, of: "keys that one asks for") {
      try .sample("w1 invoke find-or-create Note 7\nw1 ok find-or-create Note 7 p3", notes: .keys(7))
    },
  ]

  private static let related: [CheckerCase] = [
    CheckerCase(OrphanRecordChecker(), .violated, [.orphanRecord], of: "a word without its note") {
      try .sample(words: EntityRows(keys: [1, 2], orphans: [2]))
    },
    CheckerCase(OrphanRecordChecker(), .held, of: "words with their notes") {
      try .sample(words: EntityRows(keys: [1], orphans: []))
    },
    CheckerCase(OrphanRecordChecker(), .notExercised, of: "no words") { try .sample() },
    CheckerCase(DanglingReferenceChecker(), .violated, [.danglingReference], of: "a reference to no row") {
      try .sample {
        $0.store = .success(StoreContents(rows: [:], references: [ReferenceRows(name: "r", count: 2, dangling: [7])]))
      }
    },
    CheckerCase(DanglingReferenceChecker(), .held, of: "references to rows") {
      try .sample { $0.store = .success(StoreContents(rows: [:], references: [ReferenceRows(name: "r", count: 2)])) }
    },
    CheckerCase(DanglingReferenceChecker(), .notExercised, of: "no references") { try .sample() },
  ]
}
