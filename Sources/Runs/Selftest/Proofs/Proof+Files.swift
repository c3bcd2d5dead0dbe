import Checking

extension CheckerCase {
  /// Cases of a small store's file: the targets of its relationships, and its bookkeeping.
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
    func unlike(_ name: String, _ change: String) -> CheckerCase {
      violated(StoreCorruptionChecker(), by: .historyDivergence, of: name, StandInFile.history + change)
    }
    return [
      held(StoreCorruptionChecker(), of: "a file that is whole"),
      damaged("a file without its metadata", "DROP TABLE Z_METADATA"),
      damaged("a file with metadata twice", "INSERT INTO Z_METADATA VALUES (2, '', NULL)"),
      damaged("a file without a UUID", "UPDATE Z_METADATA SET Z_UUID = ''"),
      damaged("a file without its largest keys", "DROP TABLE Z_PRIMARYKEY"),
      damaged("an entity that is listed twice", "INSERT INTO Z_PRIMARYKEY VALUES (2, 'Cover', 0, 3)"),
      damaged("an entity that has had rows, and no table", "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 4"),
      CheckerCase(StoreCorruptionChecker(), .held, of: "a file with a history that gives its rows") {
        try StandInFile.evidence(StandInFile.history)
      },
      CheckerCase(StoreCorruptionChecker(), .held, of: "a file with a history that lacks its beginning") {
        try StandInFile.evidence(
          StandInFile.history + "DELETE FROM ACHANGE WHERE ZTRANSACTIONID < 3; DELETE FROM ATRANSACTION WHERE Z_PK < 3")
      },
      unlike(
        "a history with a number left out",
        "DELETE FROM ACHANGE WHERE ZTRANSACTIONID = 2; DELETE FROM ATRANSACTION WHERE Z_PK = 2"),
      unlike(
        "a history that lacks its last transaction",
        "DELETE FROM ACHANGE WHERE ZTRANSACTIONID = 3; DELETE FROM ATRANSACTION WHERE Z_PK = 3"),
      unlike("a history with a time that falls", "UPDATE ATRANSACTION SET ZTIMESTAMP = 9 WHERE Z_PK = 2"),
      unlike(
        "a change of no transaction",
        "INSERT INTO ACHANGE VALUES (11, 16001, NULL, 1, 1, 1, 9, NULL); UPDATE Z_PRIMARYKEY SET Z_MAX = 11 WHERE Z_ENT = 16001"
      ),
      unlike("an object that is twice in a transaction", "UPDATE ACHANGE SET ZTRANSACTIONID = 2 WHERE Z_PK = 9"),
      unlike("a row that came twice", "UPDATE ACHANGE SET ZCHANGETYPE = 0 WHERE Z_PK = 9"),
      unlike("a row that is changed after it went", "UPDATE ACHANGE SET ZCHANGETYPE = 2 WHERE Z_PK = 7"),
      unlike("a row that the history does not have", "INSERT INTO ZCOVER VALUES (2, 2, 1, 200, 1)"),
      unlike("a row that the history has, and the file does not", "DELETE FROM ZCOVER WHERE Z_PK = 3"),
      unlike("a version that the history does not have", "UPDATE ZFOLDER SET Z_OPT = 9 WHERE Z_PK = 3"),
      damaged("a key that is not positive", "UPDATE ZCOVER SET Z_PK = -1 WHERE Z_PK = 1"),
      CheckerCase(StoreCorruptionChecker(), .violated, [.storeCorruption], of: "a file that is no database") {
        try StandInFile.overwritten()
      },
    ]
  }()
}
