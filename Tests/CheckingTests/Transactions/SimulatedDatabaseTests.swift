import SimulatedDatabase
import Testing

@testable import Checking

/// Databases of known isolation levels, which the analysis must tell apart.
struct SimulatedDatabaseTests {
  private func kinds(_ level: SimulatedDatabase.Level, seed: UInt64) throws -> Set<Anomaly.Kind> {
    var database = SimulatedDatabase(level: level, seed: seed)
    let analysis = try ListAppendAnalysis(database.run(transactions: 2_000))
    #expect(analysis.contendedKeys > 10)
    return Set(analysis.anomalies.map(\.kind))
  }

  @Test(arguments: 1...10)
  func aSerialDatabaseHasNoAnomaly(seed: UInt64) throws {
    #expect(try kinds(.serial, seed: seed) == [])
  }

  @Test(arguments: 1...10)
  func snapshotIsolationHasWriteSkewAlone(seed: UInt64) throws {
    #expect(try kinds(.snapshot, seed: seed) == [.g2])
  }

  @Test(arguments: 1...10)
  func readCommittedHasReadSkewButReadsWhatIsCommitted(seed: UInt64) throws {
    let kinds = try kinds(.readCommitted, seed: seed)
    #expect(kinds.contains(.gSingle) || kinds.contains(.unrepeatableRead))
    #expect(kinds.isDisjoint(with: [.g0, .g1a, .g1b, .garbage, .lostUpdate, .incompatibleOrder]))
  }

  @Test(arguments: 1...10)
  func aDatabaseWithoutIsolationShowsWhatWasTakenBack(seed: UInt64) throws {
    let kinds = try kinds(.broken, seed: seed)
    #expect(kinds.contains(.g1a) || kinds.contains(.incompatibleOrder))
    #expect(kinds.contains(.g1b))
  }

  @Test func manyTransactionsAreJudgedToTheEnd() throws {
    var database = SimulatedDatabase(level: .serial, seed: 1)
    let analysis = try ListAppendAnalysis(database.run(transactions: 20_000))
    #expect(analysis.anomalies == [])
    #expect(analysis.isComplete)
    #expect(analysis.readCount > 20_000)
  }
}
