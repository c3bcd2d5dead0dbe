import Checking

extension CheckerCase {
  /// What checkers read of a small store's file: where its relationships lead, and what it says of itself.
  static let files: [CheckerCase] = references + inverses + bookkeeping

  private static func violated(
    _ checker: any Checker, by kind: ViolationKind, of name: String, _ change: String
  ) -> CheckerCase {
    CheckerCase(checker, .violated, [kind], of: name) { try StandInFile.evidence(change) }
  }

  private static func held(_ checker: any Checker, of name: String, _ change: String = "") -> CheckerCase {
    CheckerCase(checker, .held, of: name) { try StandInFile.evidence(change) }
  }

  private static let references: [CheckerCase] = {
    func dangling(_ name: String, _ change: String) -> CheckerCase {
      violated(DanglingReferenceChecker(), by: .danglingReference, of: name, change)
    }
    func orphan(_ name: String, _ change: String) -> CheckerCase {
      violated(OrphanRecordChecker(), by: .orphanRecord, of: name, change)
    }
    return [
      held(DanglingReferenceChecker(), of: "a file whose references lead to rows"),
      held(DanglingReferenceChecker(), of: "a file with a reference to none", "UPDATE ZFOLDER SET ZTARGET = NULL"),
      dangling("a file's reference to a row that is gone", "UPDATE ZFOLDER SET ZTARGET = 77 WHERE Z_PK = 2"),
      dangling(
        "a file's reference to a row of another entity than it says", "UPDATE ZFOLDER SET Z2_TARGET = 3 WHERE Z_PK = 2"),
      dangling(
        "a file's reference to a row of an entity that it may not lead to",
        "INSERT INTO ZCOVER VALUES (2, 9, 1, 200, 1); UPDATE ZFOLDER SET ZTARGET = 2, Z2_TARGET = 9 WHERE Z_PK = 2"),
      dangling("a pair of a join table without its owner", "INSERT INTO Z_1COVERS VALUES (88, 1)"),
      dangling("a pair of a join table without its member", "INSERT INTO Z_1COVERS VALUES (1, 77)"),
      dangling(
        "a pair of a join table with an owner of another entity",
        "INSERT INTO ZFOLDER (Z_PK, Z_ENT) VALUES (4, 9); INSERT INTO Z_1COVERS VALUES (4, 1)"),
      dangling(
        "a pair of a join table with a member of another entity",
        "INSERT INTO ZCOVER (Z_PK, Z_ENT) VALUES (4, 9); INSERT INTO Z_1COVERS VALUES (1, 4)"),
      held(OrphanRecordChecker(), of: "a file whose rows have their owners"),
      held(
        OrphanRecordChecker(), of: "a file with a row that needs no owner",
        "UPDATE ZFOLDER SET ZDEPTH = NULL, ZPARENT = NULL"),
      orphan("a file's row without an owner", "UPDATE ZCOVER SET ZFOLDER = NULL WHERE Z_PK = 1"),
      orphan("a file's row whose owner is gone", "UPDATE ZCOVER SET ZFOLDER = 77 WHERE Z_PK = 1"),
      orphan("a file's row that needs an owner by its column", "UPDATE ZFOLDER SET ZPARENT = NULL WHERE Z_PK = 3"),
    ]
  }()

  private static let inverses: [CheckerCase] = {
    func oneSided(_ name: String, _ change: String) -> CheckerCase {
      violated(AsymmetricInverseChecker(), by: .asymmetricInverse, of: name, change)
    }
    return [
      held(AsymmetricInverseChecker(), of: "a file with both sides"),
      oneSided("a file's one-to-one that leads back elsewhere", "UPDATE ZFOLDER SET ZCOVER = 3 WHERE Z_PK = 2"),
      oneSided("a file's one-to-one that does not lead back", "UPDATE ZFOLDER SET ZCOVER = NULL WHERE Z_PK = 3"),
      oneSided("a file's pair in one order", "DELETE FROM Z_1FRIENDS WHERE REFLEXIVE = 2"),
    ]
  }()

  private static let bookkeeping: [CheckerCase] = {
    func damaged(_ name: String, _ change: String) -> CheckerCase {
      violated(StoreCorruptionChecker(), by: .storeCorruption, of: name, change)
    }
    return [
      held(StoreCorruptionChecker(), of: "a file that is whole"),
      damaged("a file without its metadata", "DROP TABLE Z_METADATA"),
      damaged("a file with metadata twice", "INSERT INTO Z_METADATA VALUES (2, '', NULL)"),
      damaged("a file without a UUID", "UPDATE Z_METADATA SET Z_UUID = ''"),
      damaged("a file without its largest keys", "DROP TABLE Z_PRIMARYKEY"),
      damaged("an entity that is listed twice", "INSERT INTO Z_PRIMARYKEY VALUES (2, 'Cover', 0, 3)"),
      damaged("an entity that has had rows, and no table", "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 4"),
      damaged("a key that is not positive", "UPDATE ZCOVER SET Z_PK = -1 WHERE Z_PK = 1"),
      CheckerCase(StoreCorruptionChecker(), .violated, [.storeCorruption], of: "a file that is no database") {
        try StandInFile.overwritten()
      },
    ]
  }()
}
