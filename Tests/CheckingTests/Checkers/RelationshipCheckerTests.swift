import Testing

@testable import Checking

/// The checkers of relationships in the store's file: dangling references, and sides that disagree.
struct RelationshipCheckerTests {
  private static let layout = StoreLayout(entities: [
    EntityLayout(
      number: 1, name: "Folder", table: "ZFOLDER", keyColumn: "ZNUMBER",
      references: [ReferenceLayout(name: "cover", column: "ZCOVER", table: "ZCOVER", inverseColumn: "ZFOLDER")])
  ])

  private func evidence(
    _ references: [ReferenceRows], reports: [Violation] = [], counters: CheckCounters? = CheckCounters()
  ) throws -> Evidence {
    var evidence = try Evidence.of("", reports: reports, counters: counters)
    evidence.store = .success(StoreContents(rows: [:], references: references))
    evidence.parameters.layout = Self.layout
    return evidence
  }

  @Test func referencesThatLeadToRowsAreHeld() throws {
    let result = DanglingReferenceChecker().check(try evidence([ReferenceRows(name: "Folder.cover", count: 3)]))
    #expect(result.verdict == .held)
    #expect(result.exercised == 3)
  }

  @Test func referencesThatLeadNowhereAreFound() throws {
    let result = DanglingReferenceChecker().check(
      try evidence([ReferenceRows(name: "Folder.cover", count: 3, dangling: [8, 7])]))
    #expect(
      result.violations == [
        Violation(
          kind: .danglingReference, subject: "Folder.cover", expected: "a relationship leads to a row",
          seen: "leads to no row: 7..<9", count: 2)
      ])
  }

  @Test func sidesThatAgreeAreHeld() throws {
    let result = AsymmetricInverseChecker().check(
      try evidence([ReferenceRows(name: "Folder.cover", count: 3, comparedCount: 3)]))
    #expect(result.verdict == .held)
    #expect(result.exercised == 3)
  }

  @Test func sidesThatDisagreeInTheFileAreFound() throws {
    let result = AsymmetricInverseChecker().check(
      try evidence([ReferenceRows(name: "Folder.cover", count: 3, comparedCount: 3, asymmetric: [5])]))
    #expect(
      result.violations == [
        Violation(
          kind: .asymmetricInverse, subject: "Folder.cover", expected: "both sides of a relationship agree",
          seen: "the other side does not lead back: 5", count: 1)
      ])
  }

  @Test func whatTheWorkloadSawIsBesideWhatTheFileShows() throws {
    let seen = Violation(kind: .asymmetricInverse, subject: "Word in main", expected: "", seen: "")
    let result = AsymmetricInverseChecker().check(
      try evidence([ReferenceRows(name: "Folder.cover", count: 1, comparedCount: 1)], reports: [seen]))
    #expect(result.violations == [seen])
  }

  @Test func withoutCountersTheFileAloneDoesNotHold() throws {
    let result = AsymmetricInverseChecker().check(
      try evidence([ReferenceRows(name: "Folder.cover", count: 1, comparedCount: 1)], counters: nil))
    #expect(result.verdict == .unknown)
  }

  @Test func withoutCountersAndFileInversesAreUnknown() throws {
    #expect(AsymmetricInverseChecker().check(try evidence([]).withUnusableStore()).verdict == .unknown)
  }
}
