import Testing

@testable import Checking

struct ListAppendAnalysisTests {
  private func kinds(_ text: String) throws -> [Anomaly.Kind] {
    try ListAppendAnalysis([Transaction](text)).anomalies.map(\.kind)
  }

  @Test func aSerialHistoryHasNoAnomaly() throws {
    let analysis = try ListAppendAnalysis(
      [Transaction](
        """
        ok a1=1 a2=1
        ok r1=[1] a1=2 r2=[1]
        ok r1=[1 2] r2=[1] a2=3
        fail a1=9
        info a1=10 r2=[]
        ok r2=[1 3] r1=[1 2 10]
        """))
    #expect(analysis.anomalies == [])
    #expect(analysis.readCount == 6)
    #expect(analysis.contendedKeys == 2)
    #expect(analysis.isComplete)
  }

  /// One history that has the anomaly, and one beside it that has not.
  @Test(arguments: [
    // Each overwrote the other in one of the lists.
    (
      Anomaly.Kind.g0, "ok a1=1 a2=1\nok a1=2 a2=2\nok r1=[1 2]\nok r2=[2 1]",
      "ok a1=1 a2=1\nok a1=2 a2=2\nok r1=[1 2]\nok r2=[1 2]"
    ),
    (.g1a, "fail a1=1\nok r1=[1]", "fail a1=1\nok r1=[]"),
    (.g1b, "ok a1=1 a1=2\nok r1=[1]", "ok a1=1 a1=2\nok r1=[1 2]"),
    // Each saw the other's append.
    (.g1c, "ok a1=1 r2=[2]\nok a2=2 r1=[1]", "ok a1=1 r2=[]\nok a2=2 r1=[1]"),
    // The reader saw half of the writer's appends.
    (.gSingle, "ok a1=1 a2=2\nok r1=[1] r2=[]\nok r2=[2]", "ok a1=1 a2=2\nok r1=[1] r2=[2]\nok r2=[2]"),
    // Neither saw the other's append.
    (.g2, "ok r1=[] a2=2\nok r2=[] a1=1\nok r1=[1] r2=[2]", "ok r1=[] a2=2\nok r2=[2] a1=1\nok r1=[1] r2=[2]"),
    (.lostUpdate, "ok a1=1\nok a1=2\nok r1=[2]", "ok a1=1\nok a1=2\nok r1=[2 1]"),
    (.incompatibleOrder, "ok a1=1\nok a1=2\nok r1=[1 2]\nok r1=[2]", "ok a1=1\nok a1=2\nok r1=[1 2]\nok r1=[1]"),
    (.internalInconsistency, "ok a1=1 r1=[]", "ok a1=1 r1=[1]"),
    // Two readers saw two appends in opposite orders.
    (
      .gNonadjacent, "ok a1=1\nok a2=1\nok r1=[1] r2=[]\nok r1=[] r2=[1]",
      "ok a1=1\nok a2=1\nok r1=[1] r2=[]\nok r1=[1] r2=[1]"
    ),
    (.unrepeatableRead, "ok a1=1\nok r1=[] r1=[1]", "ok a1=1\nok r1=[1] r1=[1]"),
    (.garbage, "ok a1=1\nok r1=[1 7]", "ok a1=1\nok a1=7\nok r1=[1 7]"),
    (.garbage, "ok a1=1\nok r1=[1 1]", "ok a1=1\nok r1=[1]"),
  ])
  func everyAnomalyIsFoundWhereItIsAndOnlyThere(kind: Anomaly.Kind, broken: String, sound: String) throws {
    // Consequences may be reported after it.
    #expect(try kinds(broken).first == kind)
    #expect(try kinds(sound) == [])
  }

  /// The last transaction is the file in the end.
  @Test(arguments: [
    // The first append was read, and then overwritten.
    ("ok a1=1\nok a1=2\nok r1=[1]\nok r1=[2]", [Anomaly.Kind.incompatibleOrder, .lostUpdate]),
    ("ok a1=1\nok a1=2\nok a1=3\nok r1=[1 2]\nok r1=[1 3]", [.incompatibleOrder, .lostUpdate]),
    // The longest read is not the final list.
    ("ok a1=1\nok a1=2\nok a1=3\nok r1=[1 2]\nok r1=[3]", [.incompatibleOrder, .lostUpdate, .lostUpdate]),
    // Nothing is lost, and the order is wrong all the same.
    ("ok a1=1\nok a1=2\nok r1=[2]\nok r1=[1 2]", [.incompatibleOrder]),
    // One is lost, and two others changed places.
    ("ok a1=1\nok a1=2\nok a1=3\nok r1=[3 2 1]\nok r1=[1 2]", [.incompatibleOrder, .lostUpdate]),
    // Seen late, and there in the end.
    ("ok a1=1\nok r1=[]\nok r1=[1]", []),
    // A value that was not acknowledged may go.
    ("info a1=1\nok a1=2\nok r1=[2]", []),
  ]) func whatTheFileHasInTheEndTellsWhatIsLost(text: String, expected: [Anomaly.Kind]) throws {
    let transactions = [Transaction](text)
    let analysis = try ListAppendAnalysis(transactions, file: transactions.count - 1)
    #expect(analysis.anomalies.map(\.kind) == expected)
    for anomaly in analysis.anomalies where anomaly.kind == .lostUpdate {
      // A transaction that shows the loss did not see the value.
      guard case .append(_, let value) = transactions[anomaly.transactions[1]].operations[0],
        case .read(_, let values) = transactions[anomaly.transactions[0]].operations[0]
      else { throw Unusable("a reader and a writer") }
      #expect(!values.contains(value))
    }
  }

  @Test func theCycleIsReported() throws {
    let analysis = try ListAppendAnalysis([Transaction]("ok r1=[] a2=2\nok r2=[] a1=1\nok r1=[1] r2=[2]"))
    #expect(
      analysis.anomalies == [
        Anomaly(
          .g2, keys: [1, 2], transactions: [0, 1],
          "T0 did not yet see what T1 appended to list 1; T1 did not yet see what T0 appended to list 2")
      ])
  }

  @Test func whatMayHaveHappenedIsNoAnomalyEitherWay() throws {
    #expect(try kinds("info a1=1\nok r1=[]\nok r1=[]") == [])
    #expect(try kinds("info a1=1\nok r1=[1]") == [])
    #expect(try kinds("info a1=1 r2=[5]\nok r1=[1]") == [])
  }

  @Test func anAppendThatEndedAfterTheReadBeganIsNotLost() throws {
    var transactions = [Transaction]("ok a1=1\nok r1=[]")
    transactions[0].end = 2
    transactions[1].start = 1
    #expect(try ListAppendAnalysis(transactions).anomalies == [])
  }

  @Test func aValueAppendedTwiceMakesTheHistoryUnusable() throws {
    #expect(throws: Unusable.self) { try ListAppendAnalysis([Transaction]("ok a1=1\nok a1=1")) }
  }

  @Test func longCyclesAreFound() throws {
    // Transaction n saw the append of n − 1; the first saw the last one's.
    let count = 2_000
    let lines = (0..<count).map { "ok a\($0)=1 r\(($0 + count - 1) % count)=[1]" }
    let anomalies = try ListAppendAnalysis([Transaction](lines.joined(separator: "\n"))).anomalies
    #expect(anomalies.map(\.kind) == [.g1c])
    #expect(anomalies.first?.transactions.count == count)
  }
}
