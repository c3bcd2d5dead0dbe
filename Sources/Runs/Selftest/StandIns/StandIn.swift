import Checking

/// A broken small history, file or report for the checkers of a kind that no run of the stack can bring about, and a
/// sound one beside it.
///
/// A stand-in is a `static let` below, and a line in ``StandInCatalogue``.
package struct StandIn: Sendable {
  /// The kind that the checkers must find in the broken evidence.
  package let kind: ViolationKind
  /// Name in the table; kebab-case.
  package let name: String
  /// The broken evidence, for one seed: the same seed gives the same evidence.
  package let broken: @Sendable (_ seed: UInt64) throws -> Evidence
  /// Sound evidence beside it: a checker of the kind holds on it, and none raises an alarm.
  package let sound: @Sendable (_ seed: UInt64) throws -> Evidence

  /// Makes a stand-in.
  package init(
    _ name: String, of kind: ViolationKind, broken: @escaping @Sendable (_ seed: UInt64) throws -> Evidence,
    sound: @escaping @Sendable (_ seed: UInt64) throws -> Evidence
  ) {
    precondition(!name.isEmpty, "a stand-in has a name in the table")
    self.name = name
    self.kind = kind
    self.broken = broken
    self.sound = sound
  }
}

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

  /// A store's file that lacks a row which its persistent history has: the stack writes both in one transaction.
  static let changeWithoutRow = StandIn(
    "change-without-row", of: .historyDivergence,
    broken: { _ in try StandInFile.evidence(StandInFile.history + "DELETE FROM ZFOLDER WHERE Z_PK = 3") },
    sound: { _ in try StandInFile.evidence(StandInFile.history) })
}

extension StandIn {
  /// The store of a killed process, without the last saves that were acknowledged as durable.
  static let lostSave = StandIn(
    "lost-save", of: .durabilityLost,
    broken: { seed in evidence(acknowledged: Int64(seed) + 20, inStore: Int64(seed) + 19 - Int64(seed % 3)) },
    sound: { seed in evidence(acknowledged: Int64(seed) + 20, inStore: Int64(seed) + 20) })

  private static func evidence(acknowledged: Int64, inStore last: Int64) -> Evidence {
    let chain = SaveChain(client: 0, acknowledged: acknowledged, begun: acknowledged + 1)
    let audit = ChainAudit([chain], ChainContents(after: last, of: chain))
    return Evidence(
      history: .failure(Unusable("a stand-in without a history")),
      store: .failure(Unusable("a stand-in without rows")), reports: .success(audit.violations),
      parameters: CheckParameters(layout: .notebook, counters: CheckCounters(\.killsInSaves, 1)))
  }
}

extension StandIn {
  /// A word names its note, and the note's words do not have it: the stack keeps both sides itself.
  static let oneSidedInverse = StandIn(
    "one-sided-inverse", of: .asymmetricInverse,
    broken: { seed in
      let report = Violation(
        kind: .asymmetricInverse, subject: "Word.note", expected: "the note's words have the word",
        seen: "word \(seed) is not among them")
      return try StandInHistory().evidence(reports: [report], counters: CheckCounters(\.inversesChecked, 2))
    },
    sound: { _ in try StandInHistory().evidence(counters: CheckCounters(\.inversesChecked, 2)) })
}

/// All stand-ins.
package enum StandInCatalogue {
  package static let all: [StandIn] = [.oneSidedInverse, .lostSave, .changeWithoutRow] + StandIn.damagedFiles
}
