import Checking

extension Proof {
  private static func raced(_ second: Int) -> String {
    """
    w1 invoke update Note 7
    w2 invoke update Note 7
    w1 ok update Note 7 = 2
    w2 ok update Note 7 = \(second)
    """
  }

  private static func read(_ outcome: String, _ seen: Int = 2) -> String {
    """
    w1 invoke update Note 7
    w0 invoke read Note 7
    w0 ok read Note 7 = \(seen)
    w1 \(outcome) update Note 7 = 2
    """
  }

  private static func again(_ seen: Int) -> String {
    """
    w0 invoke read Note 7 c1
    w0 ok read Note 7 = 2 c1
    w1 invoke update Note 7
    w1 ok update Note 7 = 3
    w0 invoke read Note 7 c1
    w0 ok read Note 7 = \(seen) c1
    """
  }

  private static func own(_ seen: Int) -> String {
    """
    w1 invoke update Note 7
    w1 ok update Note 7 = 3 c1
    w1 invoke read Note 7
    w1 ok read Note 7 = \(seen) c1
    """
  }

  private static func onMain(_ seen: Int) -> String {
    """
    w1 invoke update Note 7 @1000
    w1 ok update Note 7 = 3 @2000
    w0 invoke drained @3000
    w0 ok drained @4000
    w0 invoke read Note 7 @9000
    w0 ok read Note 7 = \(seen) @9500
    """
  }

  private static func bounded(_ seen: Int) throws -> Evidence {
    try .proof(onMain(seen)) { $0.parameters.stalenessBoundNanoseconds = 5_000 }
  }

  /// Checkers of the versions that updates make and reads show.
  static let versions: [Proof] = [
    Proof(LostUpdateChecker(), .violated, [.lostUpdate], of: "one version made twice") { try .proof(raced(2)) },
    Proof(LostUpdateChecker(), .violated, [.lostUpdate], of: "an older version in the file") {
      try .proof(raced(3), notes: .keys(7, revisions: [2]))
    },
    Proof(LostUpdateChecker(), .held, of: "one update after the other") { try .proof(raced(3)) },
    Proof(LostUpdateChecker(), .notExercised, of: "updates that say no version") {
      try .proof(raced(2).replacingText(" = 2", ""))
    },
    Proof(LostUpdateChecker(), .unknown, of: "no history") { try .unusable() },
    Proof(DirtyReadChecker(), .violated, [.dirtyRead], of: "a version that was taken back") {
      try .proof(read("fail"))
    },
    Proof(DirtyReadChecker(), .held, of: "a version that was committed") { try .proof(read("ok")) },
    Proof(DirtyReadChecker(), .held, of: "a version that may have been committed") { try .proof(read("info")) },
    Proof(DirtyReadChecker(), .notExercised, of: "a version from before") { try .proof(read("ok", 1)) },
    Proof(DirtyReadChecker(), .unknown, of: "no history") { try .unusable() },
    Proof(MonotonicReadsChecker(), .violated, [.nonMonotonicRead], of: "an older version later") {
      try .proof(again(1))
    },
    Proof(MonotonicReadsChecker(), .held, of: "a newer version later") { try .proof(again(3)) },
    Proof(MonotonicReadsChecker(), .notExercised, of: "no reads") { try .proof() },
    Proof(MonotonicReadsChecker(), .unknown, of: "no history") { try .unusable() },
    Proof(ReadYourWritesChecker(), .violated, [.readYourWrites], of: "an older version than its own") {
      try .proof(own(2))
    },
    Proof(ReadYourWritesChecker(), .held, of: "its own version") { try .proof(own(3)) },
    Proof(ReadYourWritesChecker(), .notExercised, of: "no reads") { try .proof() },
    Proof(ReadYourWritesChecker(), .unknown, of: "no history") { try .unusable() },
    Proof(StaleReadChecker(), .violated, [.staleRead], of: "an older version after draining") { try .proof(onMain(2)) },
    Proof(StaleReadChecker(), .held, of: "the version that was acknowledged") { try .proof(onMain(3)) },
    Proof(StaleReadChecker(), .notExercised, of: "no reads") { try .proof() },
    Proof(StaleReadChecker(), .unknown, of: "no history") { try .unusable() },
    Proof(StalenessBoundChecker(), .violated, [.staleRead], of: "a version older than the bound") { try bounded(2) },
    Proof(StalenessBoundChecker(), .held, of: "a version within the bound") { try bounded(3) },
    Proof(StalenessBoundChecker(), .notExercised, of: "no bound") { try .proof(onMain(3)) },
    Proof(StalenessBoundChecker(), .unknown, of: "no history") { try .unusable() },
  ]
}
