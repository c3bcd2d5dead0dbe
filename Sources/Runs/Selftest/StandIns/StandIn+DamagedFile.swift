extension StandIn {
  /// Stores' files with one damage each: a key that will be given twice, a row without a version, a row of no entity, an
  /// index that lacks a row.
  static let damagedFiles = [
    damagedFile("key-given-twice", "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 1"),
    damagedFile("row-without-version", "UPDATE ZFOLDER SET Z_OPT = 0 WHERE Z_PK = 2"),
    damagedFile("row-of-no-entity", "UPDATE ZCOVER SET Z_ENT = 7 WHERE Z_PK = 3"),
    damagedFile(
      "index-without-row",
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE INDEX ZFOLDER_INDEX ON ZFOLDER (Z_OPT)' WHERE type = 'index'
      """),
  ]

  private static func damagedFile(_ name: String, _ damage: String) -> StandIn {
    StandIn(
      name, of: .storeCorruption, broken: { _ in try StandInFile.evidence(damage) },
      sound: { _ in try StandInFile.evidence() })
  }
}
