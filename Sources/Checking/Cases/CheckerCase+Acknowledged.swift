extension CheckerCase {
  private static let twoUpdates = """
    w1 invoke update Note 7
    w1 ok update Note 7 says 5
    w2 invoke update Note 7
    w2 ok update Note 7 says 6

    """
  private static let deleted = """
    w1 invoke insert Note 7
    w1 ok insert Note 7
    w2 invoke delete Note 7
    w2 ok delete Note 7

    """
  private static let shown = "w0 invoke read Note 7\nw0 ok read Note 7 says "
  private static let drained = "w0 invoke drained\nw0 ok drained\n" + shown

  private static func valued(_ history: String, _ value: Int64? = nil) throws -> Evidence {
    var notes = EntityRows(keys: value == nil ? [] : [7])
    if let value { notes.recorded = [7: [[value]]] }
    return try .sample(history, notes: notes) { $0.parameters.layout.entities[0].recordedColumns = ["ZTITLE"] }
  }

  /// The general check of acknowledged writes, rule by rule.
  static let acknowledged: [CheckerCase] = {
    let checker = AcknowledgedWritesChecker()
    return [
      CheckerCase(checker, .violated, [.wrongValue], of: "an older value in the file") { try valued(twoUpdates, 5) },
      CheckerCase(checker, .held, of: "the latest value in the file") { try valued(twoUpdates, 6) },
      CheckerCase(checker, .violated, [.wrongValue], of: "another owner in the file") {
        var words = EntityRows(keys: [3], orphans: [])
        words.owners = [3: [8]]
        return try .sample("w1 invoke insert Word 3\nw1 ok insert Word 3 = 7", words: words)
      },
      CheckerCase(checker, .violated, [.staleRead], of: "an older value on main") {
        try valued(twoUpdates + drained + "5", 6)
      },
      CheckerCase(checker, .violated, [.dirtyRead], of: "a refused value on main") {
        try valued("w3 invoke update Note 7\nw3 fail update Note 7 says 4\n" + twoUpdates + drained + "4", 6)
      },
      CheckerCase(checker, .held, of: "the latest value on main") { try valued(twoUpdates + drained + "6", 6) },
      CheckerCase(checker, .violated, [.resurrectedRecord], of: "a deleted row in the file") { try valued(deleted, 1) },
      CheckerCase(checker, .violated, [.resurrectedRecord], of: "an update after the delete") {
        try valued(deleted + "w3 invoke update Note 7\nw3 ok update Note 7 = 2")
      },
      CheckerCase(checker, .held, of: "a deleted row that is gone") { try valued(deleted) },
      CheckerCase(checker, .violated, [.staleRead], of: "a deleted row on main, after draining") {
        try valued(deleted + drained + "5")
      },
      CheckerCase(checker, .held, of: "a deleted row on main, which had not drained since") {
        try valued("w0 invoke drained\nw0 ok drained\n" + deleted + shown + "5")
      },
      CheckerCase(checker, .held, of: "a row that was inserted again") {
        try valued(deleted + "w3 invoke insert Note 7\nw3 ok insert Note 7", 1)
      },
      CheckerCase(checker, .violated, [.duplicateRecord], of: "two acknowledged inserts of one key") {
        try .sample(
          """
          w1 invoke insert Note 7
          w2 invoke insert Note 7
          w1 ok insert Note 7 p3
          w2 ok insert Note 7 p3
          """, notes: .keys(7))
      },
      CheckerCase(checker, .notExercised, of: "an indeterminate delete") {
        try valued(deleted.replacingText("w2 ok", "w2 info"), 1)
      },
      CheckerCase(checker, .notExercised, of: "nothing acknowledged") { try .sample() },
      CheckerCase(checker, .unknown, of: "more values than the layout has") {
        try valued("w1 invoke update Note 7\nw1 ok update Note 7 says 5 6")
      },
      CheckerCase(checker, .unknown, of: "a read of more values than the layout has") {
        try valued(twoUpdates + drained + "6 7", 6)
      },
    ]
  }()
}

extension String {
  /// The text with one part in place of another.
  func replacingText(_ part: String, _ other: String) -> String { replacing(part, with: other) }
}
