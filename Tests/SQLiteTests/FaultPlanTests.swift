import SQLite
import Testing

@Suite struct FaultPlanTests {
  private func connection() throws -> Connection {
    let connection = try Connection(path: ":memory:")
    try connection.execute("CREATE TABLE t (a)")
    return connection
  }

  private func count(_ connection: Connection) throws -> Int64? { try connection.int64("SELECT count(*) FROM t") }

  @Test func theStepOfTheNumberFailsOnceAndIsNotCarriedOut() throws {
    let connection = try connection()
    let plan = FaultPlan(failing: 2, with: .full)
    connection.faults = plan
    let insert = try connection.prepare("INSERT INTO t VALUES (1)")
    try insert.run()
    let error = #expect(throws: SQLiteError.self) { try insert.run() }
    #expect(error?.code == .full)
    #expect(plan.failed == "INSERT INTO t VALUES (1)")
    try insert.run()
    #expect(plan.steps == 3)
    connection.faults = nil
    #expect(try count(connection) == 2)
  }

  @Test func aPlanWithoutAFaultOnlyCounts() throws {
    let connection = try connection()
    let plan = FaultPlan()
    connection.faults = plan
    try connection.execute("INSERT INTO t VALUES (1)")
    #expect(plan.steps == 1)
    #expect(plan.failed == nil)
  }

  @Test(arguments: FaultPlan.Transaction.allCases)
  func aTransactionStaysOpenOrIsTakenBack(transaction: FaultPlan.Transaction) throws {
    let connection = try connection()
    connection.faults = FaultPlan(failing: "COMMIT", with: .inputOutput, transaction: transaction)
    try connection.execute("BEGIN")
    try connection.execute("INSERT INTO t VALUES (1)")
    #expect(throws: SQLiteError.self) { try connection.execute("COMMIT") }
    #expect(connection.isInTransaction == (transaction == .staysOpen))
    if connection.isInTransaction { try connection.execute("ROLLBACK") }
    #expect(try count(connection) == 0)
  }
}
