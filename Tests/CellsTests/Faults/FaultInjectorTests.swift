import CoreData
import SQLite
import Scheduling
import Testing

@testable import Checking
@testable import Cells
@testable import Scenarios

struct FaultInjectorTests {
  private func injector(_ settings: [String: String], seed: UInt64 = 1) -> FaultInjector {
    FaultInjector(ScenarioSettings(settings), seed: seed)
  }

  @Test func nothingHappensByDefaultNorBeforeItIsArmed() {
    let quiet = injector(
      Dictionary(uniqueKeysWithValues: ScenarioKey.faults.compactMap { key in key.defaultValue.map { (key.name, $0) } })
    )
    quiet.arm()
    #expect(InjectedFault.allCases.allSatisfy { !quiet.happens($0) })
    #expect(quiet.counts.isEmpty)

    let busy = injector(["fault_busy_rate": "1.0"])
    #expect(!busy.happens(.busy))
    busy.arm()
    #expect(busy.happens(.busy))
    busy.disarm()
    #expect(!busy.happens(.busy))
    #expect(busy.counts == [InjectedFaultCount(name: "busy", count: 1)])
  }

  @Test func onlyTheFaultsThatAreAskedForExplainAnError() {
    func error(_ code: Int?) -> NSError {
      NSError(domain: NSCocoaErrorDomain, code: 134_030, userInfo: code.map { [NSSQLiteErrorDomain: $0] } ?? [:])
    }
    let none = injector([:])
    let busy = injector(["fault_busy_rate": "0.1"])
    let full = injector(["fault_failed_save_rate": "0.1", "fault_failed_save": "full"])
    for code in [5, 10, 13, nil] { #expect(!none.explains(error(code))) }
    #expect([5, 10, 13, 19, nil].map { busy.explains(error($0)) } == [true, false, false, false, false])
    #expect([5, 10, 13, 19, nil].map { full.explains(error($0)) } == [false, false, true, false, false])
  }

  @Test func aFaultHappensAtItsRateAndTheSameWithTheSameSeed() {
    func draws(_ seed: UInt64) -> [Bool] {
      let injector = injector(["fault_slow_commit_rate": "0.25"], seed: seed)
      injector.arm()
      return (0..<4000).map { _ in injector.happens(.slowCommit) }
    }
    let first = draws(7)
    #expect(first == draws(7))
    #expect(first != draws(8))
    #expect((900...1100).contains(first.count { $0 }))
  }

  @Test func everyFaultThatDoesNotEndTheRunHappensOnceWithinAFewChances() {
    let settings = Dictionary(uniqueKeysWithValues: InjectedFault.allCases.map { ($0.rateKey, "1e-12") })
    var first: Set<Int> = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let injector = injector(settings, seed: seed)
      injector.arm()
      for fault in InjectedFault.allCases {
        let happened = (1...200).filter { _ in injector.happens(fault) }
        #expect(happened.count == (fault.isFatal ? 0 : 1), "\(fault), seed \(seed)")
        #expect(happened.allSatisfy { $0 <= FaultInjector.chancesMax })
        first.formUnion(happened)
      }
    }
    // Which chance it is comes from the seed.
    #expect(first.count > FaultInjector.chancesMax / 2)
  }

  @Test(arguments: [("parent-child", false), ("nested-writer", false), ("main-only", false), ("background-task", true)])
  func whereNothingIsDeliveredNothingIsDeliveredLate(strategy: String, delivers: Bool) throws {
    let type = try #require(ScenarioVocabulary.registered.strategy(named: strategy))
    let settings = ScenarioSettings(["merge": type.options["merge"] ?? "automatic"])
    for fault in InjectedFault.allCases {
      let isDelivery = fault == .lateDelivery || fault == .doubledDelivery
      #expect(fault.applies(to: type, settings) == (delivers || !isDelivery))
    }
    #expect(InjectedFault.lateDelivery.applies(to: type, ScenarioSettings(["contexts": "own"])))
    #expect(!InjectedFault.lateDelivery.applies(to: type, ScenarioSettings(["merge": "none"])))
  }

  @Test func everyFaultHasARateKeyAndAllOfThemAreFaultKeys() {
    let keys = Set(ScenarioVocabulary.registered.keys.map(\.name).filter { $0.hasPrefix("fault_") })
    #expect(InjectedFault.allCases.allSatisfy { keys.contains($0.rateKey) })
    #expect(Set(InjectedFault.allCases.map(\.rateKey)) == keys.filter { $0.hasSuffix("_rate") })
  }

  @Test func aDoubledDeliveryIsMadeTwiceAndALateOneAfterTheCall() {
    let count = Locked(0)
    let doubled = injector(["fault_doubled_delivery_rate": "1.0"])
    doubled.arm()
    doubled.deliver { count.withLock { $0 += 1 } }
    #expect(count.withLock { $0 } == 2)

    let late = injector(["fault_late_delivery_rate": "1.0", "fault_late_ms": "1"])
    late.arm()
    let delivered = Latch(label: "delivered")
    let mayDeliver = Latch(label: "may deliver")
    late.deliver {
      mayDeliver.wait()
      delivered.open()
    }
    // Made by the caller, the delivery would wait for ever.
    mayDeliver.open()
    delivered.wait()
    #expect(late.counts == [InjectedFaultCount(name: "late-delivery", count: 1)])
  }

  @Test(arguments: [("full", ResultCode.full), ("io", .inputOutput)])
  func aTransactionFailsAtOneOfItsStatements(why: String, code: ResultCode) throws {
    let injector = injector(["fault_failed_save_rate": "1.0", "fault_failed_save": why])
    injector.arm()
    let connection = try Connection(path: "file:\(UUID().uuidString)?mode=memory")
    try connection.execute("CREATE TABLE a (b)")
    connection.faults = injector.makePlan()
    var failed: Set<String> = []
    for _ in 0..<200 {
      do {
        try connection.execute("BEGIN IMMEDIATE")
        for _ in 0..<4 { try connection.execute("INSERT INTO a VALUES (1)") }
        try connection.execute("COMMIT")
        Issue.record("a transaction went through")
      } catch let error as SQLiteError {
        #expect(error.code == code)
        failed.insert(error.sql ?? "")
        if connection.isInTransaction { try connection.execute("ROLLBACK") }
      }
    }
    #expect(failed == ["INSERT INTO a VALUES (1)", "COMMIT"])
    #expect(try connection.int64("SELECT count(*) FROM a") == 0)
    injector.disarm()
    try connection.execute("BEGIN IMMEDIATE")
    try connection.execute("COMMIT")
  }

  @Test func aLockedFileStaysLockedForAWhile() throws {
    let injector = injector(["fault_busy_rate": "1.0", "fault_busy_ms": "60000"])
    let connection = try Connection(path: "file:\(UUID().uuidString)?mode=memory")
    connection.faults = injector.makePlan()
    try connection.execute("BEGIN IMMEDIATE")
    try connection.execute("COMMIT")
    injector.arm()
    for _ in 0..<3 {
      let error = #expect(throws: SQLiteError.self) { try connection.execute("BEGIN IMMEDIATE") }
      #expect(error?.code == .busy)
    }
    // One spell, however many transactions it stops.
    #expect(injector.counts == [InjectedFaultCount(name: "busy", count: 1)])
  }
}
