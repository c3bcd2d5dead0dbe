extension CheckerCase {
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
    try .sample(onMain(seen)) { $0.parameters.stalenessBoundNanoseconds = 5_000 }
  }

  /// Checkers of the versions that updates make and reads show.
  static let versions: [CheckerCase] = [
    CheckerCase(LostUpdateChecker(), .violated, [.lostUpdate], of: "one version made twice") { try .sample(raced(2)) },
    CheckerCase(LostUpdateChecker(), .violated, [.lostUpdate], of: "an older version in the file") {
      try .sample(raced(3), notes: .keys(7, revisions: [2]))
    },
    CheckerCase(LostUpdateChecker(), .held, of: "one update after the other") { try .sample(raced(3)) },
    CheckerCase(LostUpdateChecker(), .notExercised, of: "updates that say no version") {
      try .sample(raced(2).replacingText(" = 2", ""))
    },
    CheckerCase(DirtyReadChecker(), .violated, [.dirtyRead], of: "a version that was taken back") {
      try .sample(read("fail"))
    },
    CheckerCase(DirtyReadChecker(), .held, of: "a version that was committed") { try .sample(read("ok")) },
    CheckerCase(DirtyReadChecker(), .held, of: "a version that may have been committed") { try .sample(read("info")) },
    CheckerCase(DirtyReadChecker(), .notExercised, of: "a version from before") { try .sample(read("ok", 1)) },
    CheckerCase(MonotonicReadsChecker(), .violated, [.nonMonotonicRead], of: "an older version later") {
      try .sample(again(1))
    },
    CheckerCase(MonotonicReadsChecker(), .held, of: "a newer version later") { try .sample(again(3)) },
    CheckerCase(MonotonicReadsChecker(), .notExercised, of: "no reads") { try .sample() },
    CheckerCase(ReadYourWritesChecker(), .violated, [.readYourWrites], of: "an older version than its own") {
      try .sample(own(2))
    },
    CheckerCase(ReadYourWritesChecker(), .held, of: "its own version") { try .sample(own(3)) },
    CheckerCase(ReadYourWritesChecker(), .notExercised, of: "no reads") { try .sample() },
    CheckerCase(StaleReadChecker(), .violated, [.staleRead], of: "an older version after draining") {
      try .sample(onMain(2))
    },
    CheckerCase(StaleReadChecker(), .held, of: "the version that was acknowledged") { try .sample(onMain(3)) },
    CheckerCase(StaleReadChecker(), .notExercised, of: "no reads") { try .sample() },
    CheckerCase(StalenessBoundChecker(), .violated, [.staleRead], of: "a version older than the bound") {
      try bounded(2)
    },
    CheckerCase(StalenessBoundChecker(), .held, of: "a version within the bound") { try bounded(3) },
    CheckerCase(StalenessBoundChecker(), .notExercised, of: "no bound") { try .sample(onMain(3)) },
  ]
}
