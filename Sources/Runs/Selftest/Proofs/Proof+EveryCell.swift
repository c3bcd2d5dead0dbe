import Checking

extension Proof {
  private static let ofReports: [any Checker] = [
    ReportedKindChecker.confinement, ReportedKindChecker.faults, ReportedKindChecker.deadlock,
    ReportedKindChecker.lockOrder, ReportedKindChecker.temporaryIDEscaped,
    ReportedKindChecker.crossContextRelationship, ReportedKindChecker.readOnlyContextWritten,
    ReportedKindChecker.contextLeak, ReportedKindChecker.observerLeak,
  ]

  /// A case of a check that no scenario asks for: it is made all the same.
  private static func unasked(_ check: String, _ evidence: @escaping @Sendable () throws -> Evidence) -> Proof {
    Proof(rule: "every-cell", "\(check) is checked where no scenario asks for it") {
      let results = CellJudge.results(of: try evidence(), asked: [])
      return results.filter { $0.verdict == .violated }.map(\.name) == [check]
    }
  }

  private static func reported(_ kind: ViolationKind) throws -> Evidence {
    try .sample { $0.reports = .success([Violation(kind: kind, subject: "s", expected: "e", seen: "x")]) }
  }

  /// The checks that are made of every cell, and those that a scenario asks for.
  static let everyCell: [Proof] =
    ofReports.flatMap { checker in
      checker.kinds.map { kind in
        Proof(rule: "every-cell", "\(checker.name) finds \(kind.rawValue) where no scenario asks for it") {
          let results = CellJudge.results(of: try reported(kind), asked: [])
          return results.filter { $0.verdict == .violated }.map(\.name).contains(checker.name)
        }
      }
    } + [
      unasked("acknowledged-writes") {
        try .sample("w2 invoke delete Note 7\nw2 ok delete Note 7", notes: .keys(7))
      },
      unasked("dangling-reference") { try StandInFile.evidence("UPDATE ZFOLDER SET ZTARGET = 77 WHERE Z_PK = 2") },
      unasked("store-corruption") { try StandInFile.evidence("UPDATE ZFOLDER SET Z_OPT = 0 WHERE Z_PK = 2") },
      unasked(ReportsChecker.checkName) { try reported(.hang) },
      Proof(rule: "every-cell", "a check is made when it is asked for") {
        let results = CellJudge.results(of: try .sample(notes: .keys(1, 1)), asked: ["duplicate-record"])
        return results.filter { $0.verdict == .violated }.map(\.name) == ["duplicate-record"]
      },
      Proof(rule: "every-cell", "a check is not made when it is not asked for") {
        CellJudge.results(of: try .sample(notes: .keys(1, 1)), asked: []).allSatisfy { $0.verdict != .violated }
      },
      Proof(rule: "every-cell", "nothing is found where nothing is wrong") {
        CellJudge.results(of: try StandInFile.evidence(), asked: CheckerCatalogue.names).allSatisfy {
          $0.verdict != .violated
        }
      },
    ]
}
